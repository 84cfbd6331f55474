/** How the agent of a name is reached: programs report it, the service measures it, and the name shows it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { NameLookup } from "../../src/api/names/names.ts";
import type { Reach } from "../../src/api/reach.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `agent-${++claimed}`);
beforeAll(async () => {
  service = await startSource({ rooms_per_hour_by_address: 1_000 });
  url = service.url;
});
afterAll(() => service.stop());

const mention = (who: Holder, { api }: Opened) =>
  post<{ id: string }>(`${api}/posts`, { name: "stranger", body: `@${who.name} hello` });
const mentionInNewRoom = async (who: Holder) => mention(who, await open(url, "Calling"));
const reached = (who: Holder, through: unknown, by: unknown = "watch") =>
  post<Reach & { code?: string }>(`${url}/api/mailbox/reached`, { through, by }, who.pair);
const now = (): string => new Date(service.clock.now()).toISOString();
const lookup = async ({ name }: Holder) => (await get<NameLookup>(`${url}/api/name/${name}`)).body;

test("a report says by which way, when, and how many seconds after the note, and the name shows that", async () => {
  const who = await somebody();
  await mentionInNewRoom(who);
  expect((await lookup(who)).reach).toEqual({ by: "none" });
  service.clock.advance(3);
  const first = await reached(who, 1, "channel");
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ by: "channel", at: now(), after_seconds: 3 });
  expect((await lookup(who)).reach).toEqual(first.body);

  await mentionInNewRoom(who);
  service.clock.advance(7);
  const second = await reached(who, 2, "watch");
  expect(second.body).toEqual({ by: "watch", at: now(), after_seconds: 7 });
  expect((await lookup(who)).reach).toEqual(second.body);
});

test("a receiver of webhooks reports, too, and the name shows that on its page and in Markdown", async () => {
  const who = await somebody();
  await mentionInNewRoom(who);
  service.clock.advance(2);
  const report = await reached(who, 1, "webhook");
  expect(report.body).toEqual({ by: "webhook", at: now(), after_seconds: 2 });
  expect((await lookup(who)).reach).toEqual(report.body);
  for (const [type, text] of [
    ["text/html", "by <code>webhook</code>"],
    ["text/markdown", "Was reached by `webhook`"],
  ] as const)
    expect((await send("GET", `${url}/name/${who.name}`, { accept: type })).body).toContain(text);
});

test("a report of the same note again, or of an earlier one, changes nothing", async () => {
  const who = await somebody();
  for (let i = 0; i < 3; i++) await mentionInNewRoom(who);
  service.clock.advance(1);
  const last = (await reached(who, 2, "channel")).body;
  const before = await lookup(who);
  expect(before.reach).toEqual(last);
  service.clock.advance(60);
  for (const through of [2, 1]) expect((await reached(who, through, "watch")).body).toEqual(last);
  expect(await lookup(who)).toEqual(before);
  expect((await reached(who, 3, "watch")).body).toMatchObject({ by: "watch", after_seconds: 61 });
});

test("a note that was folded into another has the time at which it came", async () => {
  const who = await somebody();
  const room = await open(url, "Busy");
  await mention(who, room);
  service.clock.advance(10);
  await mention(who, room);
  service.clock.advance(10);
  await mention(who, room);
  service.clock.advance(10);
  expect((await reached(who, 1)).body).toMatchObject({ after_seconds: 30 });
  expect((await reached(who, 2)).body).toMatchObject({ after_seconds: 20 });
  expect((await reached(who, 3)).body).toMatchObject({ after_seconds: 10 });
});

describe("is refused", () => {
  test("for a note that never was: the answer names the latest", async () => {
    const who = await somebody();
    const none = await reached(who, 1);
    expect([none.status, none.body.code]).toEqual([422, "invalid_fields"]);
    await mentionInNewRoom(who);
    const beyond = await reached(who, 2);
    expect(beyond).toMatchObject({
      status: 422,
      body: { errors: [{ path: "/through", message: "is beyond the latest note, which is 1" }] },
    });
    expect((await lookup(who)).reach).toEqual({ by: "none" });
  });

  test("for a note that is no longer stored: the answer says what to send", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    await mention(who, room);
    await mentionInNewRoom(who);
    await call("DELETE", `${url}/api/mailbox`, undefined, who.pair);
    await mentionInNewRoom(who);
    const gone = await reached(who, 1);
    expect(gone).toMatchObject({ status: 410, body: { code: "notes_pruned", oldest: 3 } });
    expect(gone.body).toMatchObject({ hint: expect.stringContaining("GET /api/mailbox") });
    // The seq of a mention that was folded away, in a room that is deleted.
    await mention(who, room);
    await mention(who, room);
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "spam" });
    expect((await reached(who, 4)).body).toMatchObject({ code: "notes_pruned" });
    expect((await lookup(who)).reach).toEqual({ by: "none" });
  });

  test("for wrong fields, and without a key", async () => {
    const who = await somebody();
    await mentionInNewRoom(who);
    for (const through of [0, -1, 1.5, "one", null, undefined])
      expect([through, (await reached(who, through)).status]).toEqual([through, 422]);
    for (const by of ["none", "postcard", "", 1, null])
      expect([by, (await reached(who, 1, by)).status]).toEqual([by, 422]);
    const bare = await post(`${url}/api/mailbox/reached`, { through: 1, by: "watch" });
    expect([bare.status, bare.body.code]).toEqual([401, "credential_required"]);
  });

  test("for a suspended name, which continues to show how it was reached", async () => {
    const who = await somebody();
    await mentionInNewRoom(who);
    const { body } = await reached(who, 1);
    await mentionInNewRoom(who);
    await asOwner(service, "POST", `/api/admin/names/${who.name}/suspend`, { reason: "spam" });
    const refused = await reached(who, 2);
    expect([refused.status, refused.body.code]).toEqual([403, "name_suspended"]);
    expect((await lookup(who)).reach).toEqual(body);
  });
});

test("is reported by a program that the name has let in, too", async () => {
  const oauth = await startSource({ oauth: true });
  const who = await claim(oauth.url, "agent");
  const { access_token } = await letIn(oauth.url, await signedIn(oauth.url, who));
  const { api } = await open(oauth.url, "Calling");
  await post(`${api}/posts`, { name: "stranger", body: "@agent hello" });
  const headers = { authorization: `Bearer ${access_token}` };
  const { body } = await post<Reach>(
    `${oauth.url}/api/mailbox/reached`,
    { through: 1, by: "channel" },
    headers,
  );
  expect(body).toMatchObject({ by: "channel", after_seconds: 0 });
  await oauth.stop();
});

test("stays when the mailbox is cleared and when the key is replaced, and is gone when the name is released", async () => {
  const who = await somebody();
  await mentionInNewRoom(who);
  const { body } = await reached(who, 1);
  await call("DELETE", `${url}/api/mailbox`, undefined, who.pair);
  await post(`${url}/api/name/rotate`, {}, who.pair);
  expect((await lookup(who)).reach).toEqual(body);
  await asOwner(service, "POST", `/api/admin/names/${who.name}/release`, { reason: "asked for it" });
  const next = await claim(url, who.name);
  expect((await lookup(next)).reach).toEqual({ by: "none" });
  await mentionInNewRoom(next);
  expect((await reached(next, 1)).body).toMatchObject({ by: "watch", after_seconds: 0 });
});

test("is shown by the tool, on the page and as Markdown, with the absolute time", async () => {
  const who = await somebody();
  const shown = async () => ({
    page: await (await fetch(`${url}/name/${who.name}`, { headers: { accept: "text/html" } })).text(),
    markdown: (await send("GET", `${url}/name/${who.name}.md`)).body,
    tool: await callTool(url, "name_lookup", { name: who.name }),
  });
  const before = await shown();
  expect(before.page).not.toContain("Reached");
  expect(before.markdown).not.toContain("reached");
  expect(before.tool.structuredContent).not.toHaveProperty("reach");
  await mentionInNewRoom(who);
  service.clock.advance(3);
  const { body } = await reached(who, 1, "channel");
  const { page, markdown, tool } = await shown();
  expect(page).toContain("<code>wharf mcp --channel</code>");
  expect(page).toContain(`<time datetime="${body.at}"`);
  expect(page).toContain("3 s after a note");
  const line = `Was reached by \`wharf mcp --channel\` on ${body.at}, 3 s after a note.`;
  expect(markdown).toContain(line);
  expect((await send("GET", `${url}/api/name/${who.name}.md`)).body).toContain(line);
  expect(tool.structuredContent).toMatchObject({ reach: body });
});
