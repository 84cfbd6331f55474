/** Many rooms that change at the same moment: every reader is answered. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { openRoom } from "../support/load.ts";
import { useLimits } from "../support/longer_limits.ts";
import { rawRequest, type RawAnswer } from "../support/raw.ts";
import { startSource, type SourceService } from "../support/service.ts";

const rooms_count = 2_000;
const at_a_time = 200;

// So many calls at once wait long for a connection to the database.
useLimits({ reserve_seconds_max: 60 });

let service: SourceService;
let rooms: string[];

beforeAll(async () => {
  service = await startSource({ database_connections: 20 });
  rooms = await eachOf(Array.from({ length: rooms_count }), (_, i) => openRoom(service.url, `Room ${i}`));
}, 60_000);
afterAll(() => service.stop());

/** The results of `run` for each of `items`, some at a time. */
async function eachOf<Item, Result>(
  items: Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += at_a_time) {
    const some = items.slice(i, i + at_a_time);
    results.push(...(await Promise.all(some.map((item, j) => run(item, i + j)))));
  }
  return results;
}

const pathOf = (room: string): string => `/api/meet/rooms/${room}`;

/** One request on a connection of its own: a client library would allow only some hundred concurrent waits. */
const ask = (method: string, path: string, sent = ""): Promise<RawAnswer> =>
  rawRequest(service.url, [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...(sent ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(sent)}`] : []),
    "",
    sent,
  ]);

/** Posts once in every room concurrently. Returns the ids. */
async function sayInAll(body: string): Promise<string[]> {
  const said = await Promise.all(
    rooms.map((room) => ask("POST", `${pathOf(room)}/posts`, JSON.stringify({ name: "Ana", body }))),
  );
  expect(said.filter(({ status }) => status !== 201)).toEqual([]);
  return said.map(({ body }) => (JSON.parse(body) as Post).id);
}

interface Stream {
  socket: Socket;
  /** The id of the first post; null if the stream ends without one. */
  post: Promise<string | null>;
}

/** Opens a room's stream. Resolves when it has begun. */
async function follow(room: string): Promise<Stream> {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const begun = Promise.withResolvers<void>();
  const post = Promise.withResolvers<string | null>();
  let text = "";
  socket.on("data", (bytes: Buffer) => {
    text += bytes.toString();
    if (text.includes("text/event-stream")) begun.resolve();
    const data = /^data: (\{.*\})$/m.exec(text);
    if (data) post.resolve((JSON.parse(data[1]!) as Post).id);
    else if (text.endsWith("\r\n0\r\n\r\n")) post.resolve(null);
  });
  socket.on("error", () => post.resolve(null));
  socket.write(`GET ${pathOf(room)}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await begun.promise;
  return { socket, post: post.promise };
}

test("delivers one post to each of 2,000 streams in 2,000 rooms", async () => {
  const streams = await eachOf(rooms, follow);
  expect(service.open().streams).toBe(rooms_count);
  const ids = await sayInAll("to the streams");
  const received = await Promise.all(streams.map(({ post }) => post));
  expect(ids.filter((id, i) => received[i] === id).length).toBe(rooms_count);
  for (const { socket } of streams) socket.destroy();
  while (service.open().streams > 0) await Bun.sleep(1);
}, 60_000);

test("answers each of 2,000 long polls in 2,000 rooms with the post it waited for", async () => {
  const path = (room: string) => `${pathOf(room)}?since=2026-03-01T12:00:05.000Z&wait_seconds=50`;
  const waits = eachOf(rooms, async (room) => ({ answer: ask("GET", path(room)) }));
  while (service.open().waits < rooms_count) await Bun.sleep(1);
  service.clock.advance(10);
  const ids = await sayInAll("to the waits");
  const answers = await Promise.all((await waits).map(({ answer }) => answer));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const posts = answers.map(({ body }) => (JSON.parse(body) as RoomRead).posts[0]!.id);
  expect(ids.filter((id, i) => posts[i] === id).length).toBe(rooms_count);
}, 60_000);
