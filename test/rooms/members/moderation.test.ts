/** What admins do with posts and rooms of private rooms: as with others. Nobody but the members and the operator learns of it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenedRoom, Post } from "../../../src/api/rooms/rooms.ts";
import { asOwner, auditOf } from "../../support/admin.ts";
import { runHere } from "../../support/commands.ts";
import { get, post, send, withoutId } from "../../support/http.ts";
import { putMember, openPrivate, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { stored, storedRows } from "../../support/stored.ts";

const canary = "heron-51";
let service: SourceService;
let host: Holder;
let member: Holder;
let stranger: Holder;
let room: OpenedRoom;
beforeAll(async () => {
  service = await startSource();
  const claimed = (name: string) => claim(service.url, name);
  [host, member, stranger] = [await claimed("Hana"), await claimed("Milo"), await claimed("Sten")];
  room = await openPrivate(service.url, host, `Goal ${canary}`);
  await putMember(room, host.pair, member.name);
});
afterAll(() => service.stop());

const act = (path: string) => asOwner(service, "POST", `/api/admin/${path}`, { reason: "For the test" });
const postsFor = async ({ pair }: Holder) => (await get<{ posts: Post[] }>(room.api, pair)).body.posts;
const command = async (...args: string[]) => {
  const { printed, errors, status } = await runHere({}, "admin", ...args, "--data-dir", service.directory);
  expect([errors, status]).toEqual(["", 0]);
  return printed;
};
/** What somebody gets who may not read the room, or there is none. */
const refusalOf = async (slug: string, who: Holder) => {
  const { status, body } = await get(`${service.url}/api/meet/rooms/${slug}`, who.pair);
  return { status, body: withoutId(body) };
};

test("a report of a member shows the operator the text, and that the room is private; strangers report nothing", async () => {
  const said = (await sayAs(room, member, `Reported ${canary}`)).body;
  const reason = { reason: "It has an address." };
  expect(await post(`${room.api}/posts/${said.n}/report`, reason, stranger.pair)).toMatchObject({
    status: 404,
    body: { code: "room_not_found" },
  });
  expect((await post(`${room.api}/posts/${said.n}/report`, reason, host.pair)).status).toBe(201);
  const { body } = await asOwner<{ reports: object[] }>(service, "GET", "/api/admin/reports");
  expect(body.reports).toMatchObject([
    { post_id: said.id, room: room.slug, goal: `Goal ${canary}`, visibility: "private", body: said.body },
  ]);
  expect(await command("reports")).toContain(`${room.slug}#${said.n} (private: for its members) by "Milo"`);
  const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
    ...{ label: "helper", scope: "moderate" },
  });
  const authorization = `Basic ${Buffer.from(`anybody:${made.body.token}`).toString("base64")}`;
  const page = await send("GET", `${service.url}/admin`, { authorization, accept: "text/html" });
  expect(page.body).toMatch(/private<\/span> for its members only/);
  const refused = await send("GET", `${service.url}/meet/r/${room.slug}`, { authorization });
  expect([refused.status, refused.body.includes(canary)]).toEqual([404, false]);
});

test("a post is hidden, restored and erased for the members", async () => {
  const { id, n } = (await sayAs(room, member, `Moderated ${canary}`)).body;
  const now = async () => (await postsFor(member)).find((one) => one.n === n)!;
  for (const [action, redacted, state] of [
    ["hide", "operator", "hidden"],
    ["restore", undefined, "visible"],
    ["erase", "operator", "erased"],
  ] as const) {
    expect((await act(`posts/${id}/${action}`)).body).toMatchObject({
      room: room.slug,
      n,
      state,
      changed: true,
    });
    expect((await now()).redacted as unknown).toBe(redacted as never);
  }
  expect((await now()).body).toBeNull();
});

test("a lease is ended, and the room closed and opened again", async () => {
  const body = { paths: ["src"], ttl_seconds: 3_600 };
  expect((await post(`${room.api}/leases`, body, member.pair)).status).toBe(201);
  const broken = await asOwner<{ broken: object[] }>(
    service,
    "POST",
    `/api/admin/rooms/${room.slug}/leases/break`,
    { paths: ["src"], reason: "For the test" },
  );
  expect(broken.body.broken).toHaveLength(1);
  const closed = await command("close", room.slug, "--reason", "For the test");
  expect(closed).toContain(`Found: the open, private room ${room.slug}, opened by "Hana"`);
  expect((await act(`rooms/${room.slug}/reopen`)).body).toMatchObject({
    state: "open",
    changed: true,
    found: { visibility: "private", state: "closed" },
  });
  await sayAs(room, member, "It goes on.");
});

test("a deleted room is missing for its former members, too, and the audit log has only slugs", async () => {
  const counts = async () =>
    (await stored(service.directory, "SELECT * FROM counters ORDER BY name")) as object[];
  const before = await counts();
  expect((await act(`rooms/${room.slug}/delete`)).body).toMatchObject({
    state: "deleted",
    changed: true,
    found: { goal: `Goal ${canary}`, visibility: "private" },
  });
  expect(await counts()).toEqual(before);
  const missing = `private--${"a".repeat(26)}`;
  for (const who of [host, member, stranger]) {
    const refused = await refusalOf(room.slug, who);
    expect(refused.status).toBe(404);
    expect(refused).toEqual(await refusalOf(missing, who));
  }
  expect((await act(`rooms/${room.slug}/delete`)).body).toMatchObject({ changed: false, found: null });
  expect((await act(`rooms/${missing}/delete`)).status).toBe(404);
  const lines = await auditOf(service);
  expect(lines.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["room.delete", "room.close", "post.hide", "post.erase", "leases.break"]),
  );
  expect(lines.filter(({ target }) => target.includes("private--")).length).toBeGreaterThan(6);
  expect(JSON.stringify(lines)).not.toContain(canary);
  expect((await stored(service.directory, "SELECT * FROM room_members")) as object[]).toEqual([]);
  expect(await storedRows(service.directory)).not.toContain(canary);
});
