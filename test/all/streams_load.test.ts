/** Many streams and stalled readers: everything is released, and memory stays bounded. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { call, post } from "../support/http.ts";
import { openRoom } from "../support/load.ts";
import { startBinary, startSource } from "../support/service.ts";
import { eventsOf } from "../support/sse.ts";

const say = async (url: string, room: string, body: string) => {
  const { status } = await post(`${url}/api/meet/rooms/${room}/posts`, { name: "ana", body });
  expect(status).toBe(201);
};

/** A connection that requests a room's stream. The test reads its answer. */
async function ask(url: string, path: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The service disconnects this socket on purpose.
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

/** Resolves when `text` has been received. */
const received = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => {
    let seen = "";
    socket.on("data", (bytes: Buffer) => {
      seen += bytes.toString("latin1");
      if (seen.includes(text)) resolve();
      seen = seen.slice(-text.length);
    });
  });

const endings = {
  FIN: (socket: Socket) => void socket.end(),
  RST: (socket: Socket) => void socket.resetAndDestroy(),
};

for (const [ending, leave] of Object.entries(endings)) {
  test(`releases 1,000 streams and 100 waits that end by ${ending}`, async () => {
    const service = await startSource();
    const room = await openRoom(service.url);
    const path = `/api/meet/rooms/${room}`;
    const streams = await Promise.all(
      Array.from({ length: 1_000 }, () => ask(service.url, `${path}/stream`)),
    );
    await Promise.all(streams.map((socket) => received(socket, ": following")));
    const arrivals = streams.map((socket) => received(socket, "hello everybody"));
    await say(service.url, room, "hello everybody");
    await Promise.all(arrivals);
    const waits = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(service.url, `${path}?since=2999-01-01T00:00:00.000Z&wait_seconds=50`),
      ),
    );
    while (service.open().waits < waits.length) await Bun.sleep(1);
    // One subscription for all streams of the room, and one for each wait.
    expect(service.open()).toEqual({
      streams: 1_000,
      waits: 100,
      subscriptions: 101,
      bodies: 0,
      body_bytes: 0,
    });
    for (const socket of [...streams, ...waits]) leave(socket);
    while (service.open().streams + service.open().waits > 0) await Bun.sleep(1);
    expect(service.open().subscriptions).toBe(0);
    // The remaining timers: the heartbeat, and the ticks of the beacon and of the service clock.
    expect(service.clock.timers).toBeLessThanOrEqual(3);
    await service.stop();
  });
}

/**
 * Reads an answer to its end: the last chunk (RFC 9112, section 7.1), or the end of a connection that was closed as idle.
 * Returns the number of bytes.
 */
function restOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    if (socket.destroyed) resolve(0);
    socket.once("close", () => resolve(bytes));
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.toString("latin1").endsWith("0\r\n\r\n")) resolve(bytes);
    });
    socket.resume();
  });
}

/** Resident memory of a process in bytes. */
const residentBytes = (pid: number): number =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

test.skipIf(process.platform !== "linux")(
  "bounds the memory for 50 readers that stall under 12 MB of posts",
  async () => {
    const service = await startBinary();
    const room = await openRoom(service.url);
    const stalled = async () => {
      const socket = await ask(service.url, `/api/meet/rooms/${room}/stream?since=2000-01-01T00:00:00.000Z`);
      await received(socket, ": following");
      return socket.removeAllListeners("data").pause();
    };
    const early = await Promise.all(Array.from({ length: 25 }, () => stalled()));
    for (let i = 0; i < 3_000; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => say(service.url, room, "a word ".repeat(571))));
    }
    await Promise.all(Array.from({ length: 25 }, () => stalled()));
    await say(service.url, room, "the end");
    console.log(`${Math.round(residentBytes(service.process.pid) / 2 ** 20)} MB resident`);
    expect(residentBytes(service.process.pid)).toBeLessThan(300 * 2 ** 20);
    for (const bytes of await Promise.all(early.map(restOf))) expect(bytes).toBeLessThan(12 * 2 ** 20);
    await service.stop();
  },
  60_000,
);

test("sends everything on one connection to a reader that begins far behind", async () => {
  const service = await startBinary();
  const room = await openRoom(service.url);
  for (let i = 0; i < 1_000; i += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, j) => say(service.url, room, `${i + j} `.padEnd(4_000, "x"))),
    );
  }
  const read = async () => {
    const response = await fetch(
      `${service.url}/api/meet/rooms/${room}/stream?since=2000-01-01T00:00:00.000Z`,
    );
    let count = 0;
    for await (const _ of eventsOf(response)) if (++count === 1_000) break;
    return count;
  };
  expect(await Promise.all([read(), read()])).toEqual([1_000, 1_000]);
  await service.stop();
});

test("ends a stream with the closing event of its room, whatever is redacted afterwards", async () => {
  const service = await startSource();
  const rooms = `${service.url}/api/meet/rooms`;
  const { slug, host_key } = (
    await post<{ slug: string; host_key: string }>(rooms, { goal: "A short talk", name: "host" })
  ).body;
  const said = await post<{ id: string }>(`${rooms}/${slug}/posts`, { name: "ana", body: "hello" });
  await post(`${rooms}/${slug}/close`, undefined, { "x-meet-key": host_key });
  const redacted = await call("DELETE", `${rooms}/${slug}/posts/${said.body.id}`, undefined, {
    "x-meet-key": host_key,
  });
  expect(redacted.status).toBe(200);
  const kinds: string[] = [];
  const response = await fetch(`${rooms}/${slug}/stream?since=2000-01-01T00:00:00.000Z`);
  for await (const { event } of eventsOf(response)) kinds.push(event);
  expect(kinds).toEqual(["post", "closed"]);
  await service.stop();
});
