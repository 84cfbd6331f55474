/** How many wait in a room: a header of the posts that a page fetches. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get, send } from "../support/http.ts";
import { askModern, ask, beginSession, listen } from "../support/mcp_messages.ts";
import { open, speak, uriOf } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const waitingIn = async ({ slug }: { slug: string }): Promise<number> => {
  const { status, headers } = await send("GET", `${service.url}/meet/r/${slug}/after/0`);
  expect(status).toBe(200);
  return Number(headers.get("x-wharf-waiting"));
};

/** Resolves when so many wait. */
const until = async (room: { slug: string }, count: number): Promise<void> => {
  while ((await waitingIn(room)) !== count) await Bun.sleep(1);
};

test("counts streams, long polls, tools that wait and subscriptions with a stream, until they end", async () => {
  const room = await open(service.url, "Who is here?");
  const other = await open(service.url, "Is nobody here?");
  expect(await waitingIn(room)).toBe(0);
  const stream = await readEvents(`${room.api}/stream`);
  await until(room, 1);
  const waits = [
    get(`${room.api}?since=0&wait_seconds=50`),
    get(`${service.url}/api/wait?room=${room.slug}&wait_seconds=50`),
    askModern(`${service.url}/mcp`, "tools/call", {
      name: "wait",
      arguments: { rooms: { [room.slug]: "now" }, wait_seconds: 50 },
    }),
  ];
  await until(room, 4);
  const listening = await listen(`${service.url}/mcp`, [uriOf(room)]);
  await until(room, 5);
  // A session that subscribes without reading a stream waits for nothing.
  const session = await beginSession(`${service.url}/mcp`);
  await ask(`${service.url}/mcp`, "resources/subscribe", { uri: uriOf(room) }, session);
  expect(await waitingIn(room)).toBe(5);
  expect(await waitingIn(other)).toBe(0);

  await speak(room, "This ends the waits.");
  await Promise.all(waits);
  await until(room, 2);
  await stream.close();
  await listening.close();
  await until(room, 0);
});

test("counts again although the posts are the same, also in the answer that they have not changed", async () => {
  const room = await open(service.url, "Does a cache count?");
  const url = `${service.url}/meet/r/${room.slug}/after/0`;
  const first = await send("GET", url);
  const stream = await readEvents(`${room.api}/stream`);
  await until(room, 1);
  const again = await send("GET", url, { "if-none-match": first.headers.get("etag")! });
  expect([again.status, again.headers.get("x-wharf-waiting")]).toEqual([304, "1"]);
  await stream.close();
});
