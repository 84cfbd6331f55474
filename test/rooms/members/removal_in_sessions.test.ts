/** Sessions of SDK 1.x after a removal from a private room: their subscriptions, and answers that a client resumes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { FakeClock } from "../../support/clock.ts";
import { ask, beginSession, message, type Rpc } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { newMember, openPrivately, remove, sayIn, type PrivateRoom } from "../../support/removals.ts";
import { open, speak, uriOf, type Opened } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";

const directory = newDirectory();
const clock = new FakeClock();
let service: SourceService;
let host: Holder;
let room: PrivateRoom;
let open_room: Opened;
const start = (seed: number) => startSource({ data_dir: directory }, clock, seed);
beforeAll(async () => {
  service = await start(1);
  host = await claim(service.url, "Grace");
  room = await openPrivately(service.url, host);
  open_room = await open(service.url, "For everybody");
});
afterAll(async () => {
  await service.stop();
  removeDirectory(directory);
});

type Headers = Record<string, string>;
const mcp = () => `${service.url}/mcp`;
const here = <Room extends { slug: string }>(of: Room): Room => ({
  ...of,
  api: `${service.url}/api/meet/rooms/${of.slug}`,
});
const streamOf = (session: Headers, more: Headers = {}) =>
  readEvents(mcp(), { accept: "text/event-stream", ...session, ...more });
const updated = (of: Opened) => ({ data: { params: { uri: uriOf(of) } } });

/** A session that follows the private room by a request with the key of a member, and the open room. It has no key itself. */
async function follower(who: Holder): Promise<Headers> {
  const session = await beginSession(mcp());
  for (const [of, key] of [
    [room, who.pair],
    [open_room, {}],
  ] as const) {
    const { body } = await ask<object>(
      mcp(),
      "resources/subscribe",
      { uri: uriOf(of) },
      { ...session, ...key },
    );
    expect(body.error).toBeUndefined();
  }
  return session;
}

/** Something happens in both rooms; the stream has to have that of the open room first. */
async function expectUnnotified(session: Headers): Promise<void> {
  const stream = await streamOf(session);
  await sayIn(here(room), host, "Among us.");
  await speak(here(open_room), "For everybody.");
  expect(await stream.next()).toMatchObject(updated(open_room));
  await stream.close();
}

test("a subscription without a key is refused", async () => {
  const session = await beginSession(mcp());
  const { body } = await ask<object>(mcp(), "resources/subscribe", { uri: uriOf(room) }, session);
  expect(body.error).toMatchObject({ code: -32002 });
});

const ends: [string, (who: Holder) => Promise<unknown>][] = [
  ["a removal", (who) => remove(here(room), host, who.name)],
  ["a departure", (who) => remove(here(room), who, who.name)],
  [
    "the suspension of the name",
    ({ name }) => asOwner(service, "POST", `/api/admin/names/${name}/suspend`, { reason: "Test" }),
  ],
  [
    "the release of the name",
    ({ name }) => asOwner(service, "POST", `/api/admin/names/${name}/release`, { reason: "Test" }),
  ],
];

test.each(ends)("%s ends a subscription of a session that has no key itself", async (what, end) => {
  const who = await newMember(service.url, here(room), host, `of ${what}`.replaceAll(" ", "-"));
  const session = await follower(who);
  const stream = await streamOf(session);
  await sayIn(here(room), host, "You hear this.");
  expect(await stream.next()).toMatchObject(updated(room));
  await stream.close();
  // A notification that nobody has read yet is not sent either.
  await sayIn(here(room), host, "You may hear this.");
  await end(who);
  await expectUnnotified(session);
});

test("a removed member gets no notification after a restart either, a member does", async () => {
  const [ann, ben] = [
    await newMember(service.url, here(room), host, "Ann"),
    await newMember(service.url, here(room), host, "Ben"),
  ];
  const sessions = [await follower(ann), await follower(ben)] as const;
  await remove(here(room), host, ann.name);
  await service.stop();
  service = await start(2);
  const stream = await streamOf(sessions[1]);
  const found = new Set(
    [(await stream.next())!, (await stream.next())!].map(({ data }) => JSON.stringify(data)),
  );
  expect([...found].some((text) => text.includes(uriOf(room)))).toBe(true);
  await stream.close();
  const former = await streamOf(sessions[0]);
  // After a restart everything that it follows may have changed.
  expect(await former.next()).toMatchObject(updated(open_room));
  await former.close();
  await expectUnnotified(sessions[0]);
});

const headersOf = (session: Headers): Headers => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
  ...session,
});

test("the answer to a lost call is not repeated to a former member", async () => {
  const who = await newMember(service.url, here(room), host, "Cat");
  const session = await beginSession(mcp());
  const { body } = await ask<object>(mcp(), "tools/list", {}, session);
  expect(body.error).toBeUndefined();
  const latest = (await sayIn(here(room), host, "Before")).body.n;
  const args = { room: room.slug, since: latest, wait_seconds: 50, key: who.key };
  const call = message("tools/call", { name: "meet_read", arguments: args }, 7);
  const response = await fetch(mcp(), {
    method: "POST",
    headers: headersOf(session),
    body: JSON.stringify(call),
  });
  const reader = response.body!.getReader();
  let seen = "";
  while (!/^id: \S+$/m.test(seen)) seen += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const last = /^id: (\S+)$/m.exec(seen)![1]!;
  const resumed = async (): Promise<Rpc<object>> => {
    const stream = await streamOf(session, { "last-event-id": last, ...who.pair });
    return (await stream.next())!.data as Rpc<object>;
  };
  await sayIn(here(room), host, "The answer");
  expect(JSON.stringify(await resumed())).toContain("The answer");
  expect(JSON.stringify(await resumed())).toContain("The answer");
  await remove(here(room), host, who.name);
  const { result, error } = await resumed();
  expect(result).toBeUndefined();
  expect(error!.message).toContain("not available any more");
});
