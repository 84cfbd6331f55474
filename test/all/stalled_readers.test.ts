/** Readers that stall: the memory for them is bounded, they are disconnected, and the other readers get everything. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { RoomRead } from "../../src/api/rooms/rooms.ts";
import { get, post } from "../support/http.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startBinary, startSource, type SourceService } from "../support/service.ts";
import { getText, stall } from "../support/stalled.ts";

/** Of 4 bytes in UTF-8: the posts below have 16 KB each. */
const boat = "\u{1f6f6}";
const posts = 602;

async function openLargeRoom(url: string): Promise<Opened> {
  const room = await open(url, "A large room");
  for (let i = 0; i < posts; i += 43) {
    const said = Array.from({ length: 43 }, (_, j) =>
      post(`${room.api}/posts`, { name: "Ada", body: `${i + j} `.padEnd(8, ".") + boat.repeat(3_992) }),
    );
    for (const { status } of await Promise.all(said)) expect(status).toBe(201);
  }
  return room;
}

const residentMib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

const begin = "2000-01-01T00:00:00.000Z";
const pathOf = ({ slug }: Opened): string => `/api/meet/rooms/${slug}`;

/** Large answers, each of some 10 MB, by what they are. */
const ways: Record<string, (room: Opened) => string> = {
  "a page of a room": (room) => getText(`${pathOf(room)}?limit=1000`),
  "a page that was waited for": (room) => getText(`${pathOf(room)}?since=${begin}&limit=1000&wait_seconds=1`),
  "a page as Markdown": (room) => getText(`${pathOf(room)}.md?limit=1000`),
  "a page as HTML": ({ slug }) => getText(`/meet/r/${slug}`, { accept: "text/html" }),
  "an export": (room) => getText(`${pathOf(room)}/export.jsonl`),
};
/** Large answers that differ from reader to reader. `n`: the number of the reader. */
const different_ways: Record<string, (room: Opened, n: number) => string> = {
  "different pages": (room, n) => getText(`${pathOf(room)}?limit=1000&before=${posts - n}`),
  "pages before different times": (room, n) =>
    getText(`${pathOf(room)}?limit=1000&before=2${String(n + 100)}-01-01T00:00:00Z`),
  "different pages as Markdown, without a limit": (room, n) =>
    getText(`${pathOf(room)}.md?before=${posts - n}`),
  "different pages, compressed": (room, n) =>
    getText(`${pathOf(room)}?limit=30&before=${posts - n}`, { "accept-encoding": "br" }),
};
test.skipIf(process.platform !== "linux").each(Object.entries({ ...ways, ...different_ways }))(
  "bounds the memory for 150 stalled readers: %s",
  async (_way, request) => {
    const service = await startBinary();
    const room = await openLargeRoom(service.url);
    const before_mib = residentMib(service.process.pid);
    const stalled = Array.from({ length: 150 }, (_, n) => stall(service.url, request(room, n)));
    const readers = await Promise.all(stalled);
    expect((await get(`${service.url}/healthz`)).status).toBe(200);
    const more_mib = Math.round(residentMib(service.process.pid) - before_mib);
    console.log(`${more_mib} MiB more`);
    expect(more_mib).toBeLessThan(200);
    for (const reader of readers) reader.leave();
    await service.stop();
  },
  120_000,
);

describe("readers of large answers", () => {
  let service: SourceService;
  let room: Opened;
  beforeAll(async () => {
    service = await startSource();
    room = await openLargeRoom(service.url);
  });
  afterAll(() => service.stop());

  test.each(Object.keys(ways))("are closed if they take nothing for 30 s: %s", async (way) => {
    const reader = await stall(service.url, ways[way]!(room));
    while (service.open().bodies > 0) {
      service.clock.advance(5);
      await service.clock.turn();
    }
    const text = (await reader.readOn()).toString("latin1");
    expect(text.length).toBeLessThan(9_000_000);
    expect(text).not.toEndWith("0\r\n\r\n");
  });

  test("get everything if they read, however long others have stalled", async () => {
    const stalled = await stall(service.url, ways["a page of a room"]!(room));
    const { body } = await get<RoomRead>(`${service.url}${pathOf(room)}?limit=1000`);
    const numbers = body.posts.map((post) => Number(post.body!.split(" ")[0]));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: posts }, (_, i) => i));
    const lines = (await (await fetch(`${room.api}/export.jsonl`)).text()).trimEnd().split("\n");
    const exported = lines.slice(1).map((line) => (JSON.parse(line) as { body: string }).body);
    expect(exported).toEqual(body.posts.map((post) => post.body!));
    stalled.leave();
    while (service.open().bodies > 0) await service.clock.turn();
  });

  test("get the validator from HEAD, and no body for a matching condition", async () => {
    const url = `${service.url}${pathOf(room)}?limit=1000`;
    const whole = await fetch(url, { decompress: false });
    await whole.bytes();
    const head = await fetch(url, { method: "HEAD", decompress: false });
    // The length is not known before the answer is made.
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, null, ""]);
    const etag = head.headers.get("etag")!;
    expect(etag).toBe(whole.headers.get("etag")!);
    expect((await fetch(url, { headers: { "if-none-match": etag }, decompress: false })).status).toBe(304);
    expect(service.open().bodies).toBe(0);
  });
});
