/** The page for admins: signing in by a token, the forms, and what it shows. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let room: OpenedRoom;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startSource();
  const { body } = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
    label: "grace <b>",
    scope: "moderate",
  });
  headers = {
    authorization: `Basic ${Buffer.from(`anybody:${body.token}`).toString("base64")}`,
    accept: "text/html",
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
  };
  room = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal: "A goal", name: "ada" })).body;
});
afterAll(() => service.stop());

const say = async (body: string) => (await post<Post>(`${room.api}/posts`, { name: "ada", body })).body;
const page = () => send("GET", `${service.url}/admin`, headers);
const submit = (fields: Record<string, string>, more: Record<string, string> = {}) =>
  send("POST", `${service.url}/admin`, { ...headers, ...more }, new URLSearchParams(fields).toString());

test("asks a browser without a token for one, and shows nothing", async () => {
  for (const authorization of ["", "Basic eDp5", "Bearer nothing"]) {
    const answer = await send("GET", `${service.url}/admin`, { accept: "text/html", authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toStartWith("Basic ");
    expect(answer.body).not.toContain("Audit log");
    // How to get in: who makes a token, by which command, and where it is entered.
    expect(answer.body).toContain(
      "<code>wharf admin token --label NAME --scope moderate --data-dir DIRECTORY</code>",
    );
    expect(answer.body).toContain("as the password an admin token");
    expect(answer.body).toContain(`href="${service.url}/admin"`);
  }
});

test("shows reported posts as data, and hides one with its button", async () => {
  const { id } = await say("<script>alert(1)</script> a text of a stranger");
  await post(`${room.api}/posts/${id}/report`, { reason: "<img src=x> it is spam" });
  const shown = (await page()).body;
  expect(shown).toContain("&lt;script");
  expect(shown).not.toContain("<script>");
  expect(shown).not.toContain("<img");
  expect(shown).toContain("Reported posts (1)");
  // The goal of the room, whose address has the slug.
  expect(shown).toContain(`/meet/r/${room.slug}/1" dir="auto">A goal #1</a>`);
  expect(shown).toContain("You act as <bdi>token:grace &lt;b&gt;</bdi>");
  const answer = await submit({ action: "hide", target: id, reason: "spam" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${service.url}/admin?done=1`]);
  const { body } = await get<{ posts: Post[] }>(room.api);
  expect(body.posts.at(-1)).toMatchObject({ body: null, redacted: "operator" });
  const after = (await send("GET", `${service.url}/admin?done=1`, headers)).body;
  expect(after).toContain("No report is open.");
  expect(after).toContain("post.hide");
  expect(after).toContain("token:grace &lt;b");
});

test("says of a reported post that its room is private, and links to no page that the admin cannot read", async () => {
  const who = await claim(service.url, "nora");
  const opening = { goal: "A private goal", name: "nora", visibility: "private" };
  const { api, url, slug } = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, opening, who.pair))
    .body;
  const { id } = (await post<Post>(`${api}/posts`, { name: "nora", body: "A threat" }, who.pair)).body;
  await post(`${api}/posts/${id}/report`, { reason: "It is a threat" }, who.pair);
  const reported = (await page()).body;
  expect(reported).toMatch(
    /A private goal #1<\/bdi> <span class="badge"><svg class="lock".*?private<\/span> for its members only/s,
  );
  expect((await submit({ action: "close", target: slug, reason: "over" })).status).toBe(303);
  expect((await page()).body).toMatch(/room\.close<\/code> <bdi>A private goal<\/bdi> <span class="badge">/);
  expect((await page()).body).not.toContain(`href="${url}`);
});

test("shows why the admin API refused, with what was sent, and does nothing", async () => {
  const answer = await submit({ action: "erase", target: "no such post", reason: 'a "reason"', sure: "1" });
  expect(answer.status).toBe(404);
  expect(answer.body).toContain('role="alert"');
  expect(answer.body).toContain('value="no such post"');
  expect(answer.body).not.toContain("GET /api/");
  for (const action of ["explode", "constructor", "__proto__"])
    expect((await submit({ action, target: "x", reason: "y" })).status).toBe(422);
  expect((await submit({ action: "close", target: room.slug, reason: "" })).status).toBe(422);
});

test("asks once before what cannot be undone, names the thing, and does nothing until then", async () => {
  const { id, n } = await say("To be erased");
  await post(`${room.api}/posts/${id}/report`, { reason: "spam" });
  const textOf = async () =>
    (await get<{ posts: Post[] }>(room.api)).body.posts.find((one) => one.id === id)!.body;
  // The button of the report leads to the question.
  expect((await page()).body).toMatch(
    /<button type="submit" name="ask" value="erase" formmethod="get" formaction="[^"]*\/admin#sure" formnovalidate/,
  );
  const question = `Erase post #${n} of “A goal”? Its text is deleted for everybody, and nobody can restore it.`;
  const linked = await send("GET", `${service.url}/admin?ask=erase&target=${id}&reason=`, headers);
  expect([linked.status, linked.body.includes(question)]).toEqual([200, true]);
  // So is the first press in the form for all actions, which keeps the reason.
  const pressed = await submit({ action: "erase", target: id, reason: "spam" });
  expect([pressed.status, pressed.body.includes(question)]).toEqual([200, true]);
  expect(pressed.body).toMatch(/id="sure-reason"[^>]*value="spam"/);
  const lines = async () => (await page()).body.split("<code>post.erase</code>").length - 1;
  expect([await textOf(), await lines()]).toEqual(["To be erased", 0]);
  expect((await submit({ action: "erase", target: id, reason: "spam", sure: "1" })).status).toBe(303);
  expect([await textOf(), await lines()]).toEqual([null, 1]);
});

test("asks before each action that cannot be undone, and before no other", async () => {
  const { page_actions } = await import("../../src/admin/page_actions.ts");
  const asking = Object.entries(page_actions).filter(([, { asks }]) => asks);
  const names = ["erase", "delete", "break_lease", "release", "remove_slot", "withdraw_job", "end_client"];
  expect(asking.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  for (const [action, { asks }] of asking) {
    const { status, body } = await submit({ action, target: "<b>x</b>", reason: "for the test" });
    expect([status, body.includes(asks!("").split("?")[1]!.trim())]).toEqual([200, true]);
    expect(body).not.toContain("<b>x</b>");
  }
});

test("ends the leases on a path of a room", async () => {
  const holder = await claim(service.url, "holder");
  const { status } = await post(`${room.api}/leases`, { paths: ["src/a"], ttl_seconds: 60 }, holder.pair);
  expect(status).toBe(201);
  expect(
    (await submit({ action: "break_lease", target: `${room.slug}/src`, reason: "gone", sure: "1" })).status,
  ).toBe(303);
  expect((await get<{ leases: object[] }>(`${room.api}/leases`)).body.leases).toEqual([]);
});

test("removes the slot that is named, also one with slashes and dots, and no other", async () => {
  const [eve, ada] = [await claim(service.url, "eve"), await claim(service.url, "ada-2")];
  const addressOf = (slot: string) => `${service.url}/api/locker/${encodeURIComponent(slot)}`;
  const put = async (slot: string, { pair }: Holder) =>
    expect((await call("PUT", addressOf(slot), { value: "x", public: true }, pair)).status).toBe(201);
  const statusOf = async (slot: string, { pair }: Holder) =>
    (await call("GET", addressOf(slot), undefined, pair)).status;
  await put("notes", ada);
  const slots = ["a/../../ada-2/notes", "plans/2026/may", "dots/./in"];
  for (const slot of slots) await put(slot, eve);
  const remove = (target: string) => submit({ action: "remove_slot", target, reason: "spam", sure: "1" });
  for (const slot of slots) {
    expect([slot, (await remove(`eve/${slot}`)).status]).toEqual([slot, 303]);
    expect(await statusOf(slot, eve)).toBe(404);
  }
  expect(await statusOf("notes", ada)).toBe(200);
});

test("refuses a target that cannot be one before it asks, and calls no other address", async () => {
  const lastAct = async () => /class="number">#(\d+)/.exec((await page()).body)?.[1];
  const before = await lastAct();
  const cases = [
    ["remove_slot", "notes"],
    ["remove_slot", "../names"],
    ["remove_slot", "ada/.."],
    ["break_lease", "src"],
    ["break_lease", "../src"],
    ["suspend", ".."],
    ["hide", "."],
    ["delete", ".."],
    ["withdraw_job", ".."],
  ] as const;
  for (const [action, target] of cases) {
    const { status, body } = await submit({ action, target, reason: "r" });
    expect([action, target, status]).toEqual([action, target, 422]);
    expect(body).toContain("The target cannot be a ");
    expect(body).not.toContain('id="sure"');
  }
  expect(await lastAct()).toBe(before);
});

test("names the rooms in the audit log by their goals, and deleted ones by their slugs", async () => {
  const goal = "Which <b>clock</b> is right?";
  const { slug } = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal, name: "ada" })).body;
  await submit({ action: "close", target: slug, reason: "over" });
  const shown = `<a href="${service.url}/meet/r/${slug}" dir="auto">Which &lt;b&gt;clock&lt;/b&gt; is right?</a>`;
  expect((await page()).body).toContain(`<code>room.close</code> ${shown}`);
  await submit({ action: "delete", target: slug, reason: "spam", sure: "1" });
  const deleted = (await page()).body;
  expect(deleted).toContain(`<code>room.delete</code> <bdi>${slug}</bdi>`);
  expect(deleted).toContain(`<code>room.close</code> <bdi>${slug}</bdi>`);
});

test("refuses a form that another site sent", async () => {
  const answer = await submit(
    { action: "close", target: room.slug, reason: "not mine" },
    { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" },
  );
  expect(answer.status).toBe(403);
  expect((await get<{ room: { closed: boolean } }>(room.api)).body.room.closed).toBe(false);
});

test("offers every action of moderation", async () => {
  const document = (await get<{ paths: Record<string, unknown> }>(`${service.url}/openapi.json`)).body;
  const { page_actions } = await import("../../src/admin/page_actions.ts");
  const offered = Object.values(page_actions).map(({ path }) =>
    path("X/Y")!.replace(/X(?:(?:%2F|\/)Y)?/, "*"),
  );
  const others =
    /\/(?:audit|tokens|invites|backup|export|network|reports|retention|bans|clients)(?:$|\/(?!lift|end|.*dismiss))/;
  const actions = Object.keys(document.paths)
    .filter((path) => path.startsWith("/api/admin/") && !(others.test(path) && !/bans/.test(path)))
    .map((path) => path.replace(/\{.*\}/, "*"));
  expect(offered.toSorted()).toEqual([...new Set([...actions, "/api/admin/reports/*/dismiss"])].toSorted());
});

test("shows the goal of a private room, whose members alone read it elsewhere", async () => {
  const ann = await claim(service.url, "private ann");
  const opening = { goal: "A private goal", name: ann.name, visibility: "private" };
  const { slug } = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, opening, ann.pair)).body;
  await asOwner(service, "POST", `/api/admin/rooms/${slug}/close`, { reason: "done" });
  expect((await page()).body).toContain("A private goal");
});
