/** Who waits in a room, and whether a name waits anywhere: by every kind of wait and stream, shown by key only. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { NameLookup } from "../../src/api/names/names.ts";
import { asOwner } from "../support/admin.ts";
import { get } from "../support/http.ts";
import { askModern, beginSession, listen, message, modern } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { callTool, wordsOf } from "../support/tools.ts";
import type { Present } from "../../src/api/rooms/present.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "Grace");
  bob = await claim(url, "bob-2");
});
afterAll(() => service.stop());

const present = async ({ api }: Opened): Promise<Present> => {
  const { status, body } = await get<Present>(`${api}/present`);
  expect(status).toBe(200);
  return body;
};
const lookup = async (name: string): Promise<NameLookup> =>
  (await get<NameLookup>(`${url}/api/name/${name}`)).body;
/** Resolves when so many names and others wait in the room. */
async function until(room: Opened, names: number, others: number): Promise<Present> {
  for (;;) {
    const found = await present(room);
    const waiting = found.names.filter((seen) => seen.waiting).length;
    if (waiting === names && found.others === others) return found;
    await service.clock.turn();
  }
}
const minute = () => `${new Date(service.clock.now()).toISOString().slice(0, 16)}:00.000Z`;

/** Every way to wait for a room: begins, and resolves when it has ended. */
const ways: [string, (room: Opened, who: Record<string, string>) => Promise<() => Promise<unknown>>][] = [
  ["a long poll", async (room, who) => ended(get(`${room.api}?since=0&wait_seconds=50`, who))],
  ["one wait", async ({ slug }, who) => ended(get(`${url}/api/wait?room=${slug}:now&wait_seconds=50`, who))],
  [
    "a tool",
    async ({ slug }, who) =>
      ended(
        askModern(
          `${url}/mcp`,
          "tools/call",
          { name: "meet_read", arguments: { room: slug, since: 0, wait_seconds: 50 } },
          who,
        ),
      ),
  ],
  [
    "a tool in a session",
    async ({ slug }, who) => {
      const session = await beginSession(`${url}/mcp`);
      const call = message("tools/call", { name: "wait", arguments: { rooms: { [slug]: "now" } } });
      return ended(post_rpc(`${url}/mcp`, call, { ...session, ...who }));
    },
  ],
  ["a stream", async (room, who) => (await readEvents(`${room.api}/stream`, who)).close],
  ["a subscription", async (room, who) => (await followed(uriOf(room), who)).close],
];

/** The end of a wait that a post ends. */
const ended = (answer: Promise<unknown>) => () => answer;
const post_rpc = (address: string, body: object, headers: Record<string, string>) =>
  fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  }).then((response) => response.text());
async function followed(uri: string, who: Record<string, string>) {
  if (Object.keys(who).length === 0) return listen(`${url}/mcp`, [uri]);
  const { headers, body } = modern(
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: [uri] } },
    "a",
  );
  return readEvents(`${url}/mcp`, { ...headers, ...who }, JSON.stringify(body));
}

test.each(ways)("%s shows a name by its key, and counts those without one", async (_what, begin) => {
  const room = await open(url, "Who is here?");
  expect(await present(room)).toEqual({ room: room.slug, names: [], others: 0 });
  const end_ada = await begin(room, ada.pair);
  const end_nobody = await begin(room, {});
  const found = await until(room, 1, 1);
  expect(found).toEqual({
    room: room.slug,
    names: [{ name: "Grace", waiting: true, last_seen: minute() }],
    others: 1,
  });
  expect(await lookup("grace")).toMatchObject({ waiting: true, last_seen: minute() });
  await speak(room, "This ends waits.");
  const then = minute();
  await Promise.all([end_ada(), end_nobody()]);
  await until(room, 0, 0);
  service.clock.advance(90);
  expect(await present(room)).toMatchObject({
    names: [{ name: "Grace", waiting: false, last_seen: then }],
    others: 0,
  });
  expect(await lookup("Grace")).toMatchObject({ waiting: false, last_seen: then });
});

test("a name that waits twice is there once, until its last wait has ended", async () => {
  const room = await open(url, "Twice");
  const [one, two] = [
    await readEvents(`${room.api}/stream`, bob.pair),
    await readEvents(`${room.api}/stream`, bob.pair),
  ];
  await until(room, 1, 0);
  await one.close();
  await service.clock.turn();
  expect((await present(room)).names).toMatchObject([{ name: "bob-2", waiting: true }]);
  await two.close();
  await until(room, 0, 0);
});

test("those who wait come first, those who have left for an hour are not shown", async () => {
  const room = await open(url, "In order");
  await (await readEvents(`${room.api}/stream`, ada.pair)).close();
  await until(room, 0, 0);
  service.clock.advance(600);
  const stream = await readEvents(`${room.api}/stream`, bob.pair);
  const { names } = await until(room, 1, 0);
  expect(names.map(({ name }) => name)).toEqual(["bob-2", "Grace"]);
  service.clock.advance(3_001);
  expect((await present(room)).names.map(({ name }) => name)).toEqual(["bob-2"]);
  await stream.close();
});

test("a name that only waits for its mailbox is shown in no room", async () => {
  const room = await open(url, "Elsewhere");
  const wait = get(`${url}/api/mailbox?since=99&wait_seconds=50`, bob.pair);
  while (!(await lookup("bob-2")).waiting) await service.clock.turn();
  expect(await present(room)).toMatchObject({ names: [], others: 0 });
  service.clock.advance(50);
  await wait;
  expect((await lookup("bob-2")).waiting).toBe(false);
});

test("meet_read says who waits, and name_lookup whether the name does", async () => {
  const room = await open(url, "By tools");
  const read = () => callTool(url, "meet_read", { room: room.slug });
  expect((await read()).structuredContent).not.toHaveProperty("present");
  const stream = await readEvents(`${room.api}/stream`, ada.pair);
  const other = await readEvents(`${room.api}/stream`);
  await until(room, 1, 1);
  const answer = await read();
  expect(answer.structuredContent!.present).toEqual({ names: ["Grace"], others: 1 });
  expect(wordsOf(answer)).toContain('present: {"names":["Grace"],"others":1}');
  expect(
    (await callTool(url, "meet_read", { room: room.slug, since: 0 })).structuredContent,
  ).not.toHaveProperty("present");
  expect((await callTool(url, "name_lookup", { name: "grace" })).structuredContent).toMatchObject({
    waiting: true,
    last_seen: minute(),
  });
  const { headers } = await get(`${url}/meet/r/${room.slug}/after/0`);
  expect(headers.get("x-wharf-present")).toBe("Grace");
  await stream.close();
  await other.close();
  await until(room, 0, 0);
});

test("a closed room can be looked at, a room that is not there cannot", async () => {
  const room = await open(url, "Closed");
  await closeRoom(room);
  expect(await present(room)).toEqual({ room: room.slug, names: [], others: 0 });
  expect((await get(`${url}/api/meet/rooms/no-such-room/present`)).status).toBe(404);
});

test("does not show a suspended name, neither waiting nor among those who have left", async () => {
  const room = await open(url, "Suspended");
  const eve = await claim(url, "eve-1");
  const wait = get(`${room.api}?since=0&wait_seconds=50`, eve.pair);
  await until(room, 1, 0);
  const act = (action: string) =>
    asOwner(service, "POST", `/api/admin/names/eve-1/${action}`, { reason: "floods rooms" });
  expect((await act("suspend")).status).toBe(200);
  expect((await present(room)).names).toEqual([]);
  expect((await wait).status).toBe(403);
  expect((await present(room)).names).toEqual([]);
  await act("unsuspend");
  expect((await present(room)).names.map(({ name }) => name)).toEqual(["eve-1"]);
});
