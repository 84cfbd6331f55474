/** Cursors that skip nothing: a post returns what its author had not read, and a wait leaves out the caller's own posts. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Post, RoomRead, SpokenPost } from "../../src/api/rooms/rooms.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { room_limits } from "../../src/api/limits.ts";

let service: SourceService;
let lin: Holder;
beforeAll(async () => {
  service = await startSource();
  lin = await claim(service.url, "Lin");
});
afterAll(() => service.stop());

const say = async (room: Opened, name: string, body: string, more: object = {}, headers = {}) =>
  (await post<SpokenPost>(`${room.api}/posts`, { name, body, ...more }, headers)).body;
const read = async (room: Opened, query: string, headers = {}) =>
  (await get<RoomRead>(room.api + query, headers)).body;
const bodies = (posts: Post[] = []): (string | null)[] => posts.map(({ body }) => body);

test("returns with a post what others said since the last read, and a cursor that skips only the post", async () => {
  const room = await open(service.url, "A gap");
  await say(room, "Bob", "one");
  const { next_since } = await read(room, "");
  await say(room, "Bob", "two");
  await say(room, "Lin", "mine, before", {}, lin.pair);
  const mine = await say(room, "Lin", "mine", { since: next_since }, lin.pair);
  expect([bodies(mine.missed), mine.more, mine.next_since]).toEqual([["two"], false, mine.ts]);
  await say(room, "Bob", "three");
  expect(bodies((await read(room, `?since=${mine.next_since}`)).posts)).toEqual(["three"]);
  const again = await say(room, "Bob", "four", { since: mine.n });
  expect([bodies(again.missed), again.next_since]).toEqual([["three"], again.ts]);
});

test("answers a post without since with the post alone", async () => {
  const room = await open(service.url, "Alone");
  await say(room, "Bob", "one");
  expect(Object.keys(await say(room, "Bob", "two"))).toEqual(
    "id n ts room name claimed in_reply_to body salt".split(" "),
  );
});

test("returns the first posts that were missed if there are many, and a cursor after the last of them", async () => {
  const room = await open(service.url, "Many");
  const count = room_limits.mcp_posts_page_max + 5;
  await Promise.all(Array.from({ length: count }, (_, i) => say(room, "Bob", `post ${i}`)));
  const mine = await say(room, "Lin", "mine", { since: 0 }, lin.pair);
  expect(mine.missed).toHaveLength(room_limits.mcp_posts_page_max);
  expect([mine.more, mine.next_since]).toEqual([true, mine.missed!.at(-1)!.ts]);
  const rest = await read(room, `?since=${mine.next_since}`);
  expect(rest.posts.map(({ n }) => n)).toEqual([
    count - 4,
    count - 3,
    count - 2,
    count - 1,
    count,
    count + 1,
  ]);
});

test("stores no post if since is no position of the room", async () => {
  const room = await open(service.url, "Nowhere");
  for (const since of [1, "#1", "yesterday", true]) {
    const { status, body } = await post(`${room.api}/posts`, { name: "Bob", body: "?", since });
    expect([status, (body.errors as { path: string }[])[0]!.path]).toEqual([422, "/since"]);
  }
  expect((await read(room, "")).total).toBe(0);
});

test("repeats the answer to a repeated call with since", async () => {
  const room = await open(service.url, "Repeated");
  await say(room, "Bob", "one");
  const once = { "idempotency-key": crypto.randomUUID() };
  const first = await say(room, "Lin", "mine", { since: 0 }, { ...lin.pair, ...once });
  await say(room, "Bob", "two");
  expect(await say(room, "Lin", "mine", { since: 0 }, { ...lin.pair, ...once })).toEqual(first);
});

test.each(["the key of their name", "not_by"])("keeps own posts out of a wait, by %s", async (by) => {
  const room = await open(service.url, `Own ${by}`);
  const own = { name: by === "not_by" ? "Grace" : "Lin", headers: by === "not_by" ? {} : lin.pair };
  const not_by = by === "not_by" ? "&not_by=Grace" : "";
  await say(room, own.name, "mine", {}, own.headers);
  const waiting = read(room, `?since=0&limit=1&wait_seconds=50${not_by}`, own.headers);
  await service.clock.timerAt(50);
  await say(room, own.name, "mine again", {}, own.headers);
  await say(room, "Bob", "an answer");
  await say(room, "Bob", "another");
  const answer = await waiting;
  expect(bodies(answer.posts)).toEqual(["an answer"]);
  expect(bodies((await read(room, `?since=${answer.next_since}`)).posts)).toEqual(["another"]);
});

test("ends a wait for others without a post, with a cursor after the own posts", async () => {
  const room = await open(service.url, "Nobody else");
  const waiting = read(room, "?since=0&wait_seconds=50", lin.pair);
  await service.clock.timerAt(50);
  const mine = await say(room, "Lin", "mine", {}, lin.pair);
  service.clock.advance(51);
  expect(await waiting).toMatchObject({ posts: [], more: false, next_since: mine.ts });
});

test("returns own posts to a read that does not wait", async () => {
  const room = await open(service.url, "All");
  await say(room, "Lin", "mine", {}, lin.pair);
  await say(room, "Bob", "his");
  expect(bodies((await read(room, "", lin.pair)).posts)).toEqual(["mine", "his"]);
  expect(bodies((await read(room, "?not_by=Bob")).posts)).toEqual(["mine"]);
});
