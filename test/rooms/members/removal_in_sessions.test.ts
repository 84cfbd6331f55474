/** Sessions of SDK 1.x after a removal from a private room or the end of a grant: their subscriptions, and answers that a client resumes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../../support/admin.ts";
import { FakeClock } from "../../support/clock.ts";
import { ask, beginSession, message, type Rpc } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { newMember, openPrivately, remove, sayIn, type PrivateRoom } from "../../support/removals.ts";
import { open, speak, uriOf, type Opened } from "../../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";
import { tokenOf } from "../../support/stand_ins.ts";

const directory = newDirectory();
const clock = new FakeClock();
let service: SourceService;
let host: Holder;
let room: PrivateRoom;
let open_room: Opened;
const start = (seed: number) => startSource({ data_dir: directory, oauth: true }, clock, seed);
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

/** A session that follows the private room by a request with these headers of a member, and the open room. It has no key itself. */
async function follower(headers: Headers): Promise<Headers> {
  const session = await beginSession(mcp());
  for (const [of, key] of [
    [room, headers],
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

/** Something happens in both rooms; the stream has to have both. */
async function expectFollowing(session: Headers): Promise<void> {
  const stream = await streamOf(session);
  await sayIn(here(room), host, "You hear this.");
  await speak(here(open_room), "For everybody.");
  const expected = new Set([uriOf(room), uriOf(open_room)]);
  while (expected.size > 0)
    expected.delete(((await stream.next())!.data as { params: { uri: string } }).params.uri);
  await stream.close();
}

/** Expects a session to be notified of the private room until `end`, and not afterwards. */
async function expectEnded(session: Headers, end: () => Promise<unknown>): Promise<void> {
  const stream = await streamOf(session);
  await sayIn(here(room), host, "You hear this.");
  expect(await stream.next()).toMatchObject(updated(room));
  await stream.close();
  // A notification that nobody has read yet is not sent either.
  await sayIn(here(room), host, "You may hear this.");
  await end();
  await expectUnnotified(session);
}

test.each(ends)("%s ends a subscription of a session that has no key itself", async (what, end) => {
  const who = await newMember(service.url, here(room), host, `of ${what}`.replaceAll(" ", "-"));
  await expectEnded(await follower(who.pair), () => end(who));
});

test("the end of a grant ends the subscriptions that were made with it", async () => {
  const who = await newMember(service.url, here(room), host, "Ada");
  const [ended, other] = [await tokenOf(service.url, who), await tokenOf(service.url, who)];
  const lasting = [await follower(who.pair), await follower(other.headers)];
  await expectEnded(await follower(ended.headers), async () => expect((await ended.end()).status).toBe(200));
  for (const session of lasting) await expectFollowing(session);
});

test("after a restart a removed member and an ended grant get no notification either, a member and a grant do", async () => {
  const [ann, ben] = [
    await newMember(service.url, here(room), host, "Ann"),
    await newMember(service.url, here(room), host, "Ben"),
  ];
  const [ended, lasting] = [await tokenOf(service.url, ben), await tokenOf(service.url, ben)];
  const former_readers = [await follower(ann.pair), await follower(ended.headers)];
  const readers = [await follower(ben.pair), await follower(lasting.headers)];
  await remove(here(room), host, ann.name);
  expect((await ended.end()).status).toBe(200);
  await service.stop();
  service = await start(2);
  for (const session of readers) await expectFollowing(session);
  for (const session of former_readers) {
    const stream = await streamOf(session);
    // After a restart everything that it follows may have changed.
    expect(await stream.next()).toMatchObject(updated(open_room));
    await stream.close();
    await expectUnnotified(session);
  }
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
