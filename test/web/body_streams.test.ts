/** Large bodies: bounded memory, turns, and stalled readers. Without sockets, on a fake clock. */

import { beforeEach, expect, test } from "bun:test";
import { web_limits } from "../../src/web/limits.ts";
import { fromBytes, fromChunks } from "../../src/web/body_sources.ts";
import { BodyStreams } from "../../src/web/body_streams.ts";
import { createIdleTimeout } from "../../src/web/idle_timeout.ts";
import { FakeClock } from "../support/clock.ts";

const mib = 2 ** 20;
const bound = web_limits.body_streams_bytes_max;

let clock: FakeClock;
let bodies: BodyStreams;
let idle_seconds: number[];
beforeEach(() => {
  clock = new FakeClock();
  idle_seconds = [];
  const idle = createIdleTimeout((_request, seconds) => void idle_seconds.push(seconds));
  bodies = new BodyStreams(clock, idle, (error) => {
    throw error;
  });
});

const bytesOf = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(120);
const request = new Request("http://localhost/");
/** A reader of a network that reads nothing else. */
const somebody = () => ({ network: Bun.randomUUIDv7(), sent: () => {} });

/** A reader that has read only the first piece of a body. */
async function begin(whole: Uint8Array<ArrayBuffer>) {
  const source = fromBytes(whole);
  expect(bodies.admits(source, somebody().network)).toBe(true);
  const reader = bodies.open(request, source, somebody()).getReader();
  await reader.read();
  return reader;
}

const failureOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "read",
    (error: unknown) => String(error),
  );

async function lengthOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const part of stream) {
    expect(part.length).toBeLessThanOrEqual(web_limits.body_piece_bytes);
    length += part.length;
  }
  return length;
}

test("sends a whole body in parts, then restores the idle timeout of the connection and holds nothing", async () => {
  const length = await lengthOf(bodies.open(request, fromBytes(bytesOf(3 * mib + 1)), somebody()));
  expect(length).toBe(3 * mib + 1);
  expect([bodies.open_bodies, bodies.held_bytes, idle_seconds]).toEqual([
    0,
    0,
    [0, web_limits.idle_seconds_max],
  ]);
});

test("produces no more than a reader has taken", async () => {
  let made = 0;
  let ended = false;
  const source = fromChunks(() => {
    made++;
    return Promise.resolve("x".repeat(web_limits.body_piece_bytes));
  });
  const cancel = () => void (ended = true);
  const reader = bodies.open(request, { ...source, cancel }, somebody()).getReader();
  for (let i = 0; i < 5; i++) await reader.read();
  for (let i = 0; i < 100; i++) await clock.turn();
  expect(made).toBe(5);
  await reader.cancel();
  await clock.turn();
  expect([ended, bodies.open_bodies, bodies.held_bytes]).toEqual([true, 0, 0]);
});

test("holds once what many readers are sent", async () => {
  const whole = bytesOf(mib);
  const readers = await Promise.all(Array.from({ length: 10 }, () => begin(whole)));
  expect(bodies.held_bytes).toBe(mib + 10 * web_limits.body_piece_bytes);
  for (const reader of readers) await reader.cancel();
  expect(bodies.held_bytes).toBe(0);
});

test("closes a reader that takes nothing for 30 s, and not one that takes something", async () => {
  const stalled = await begin(bytesOf(mib));
  const slow = await begin(bytesOf(mib));
  for (let i = 0; i < 4; i++) {
    clock.advance(10);
    await slow.read();
  }
  expect(bodies.open_bodies).toBe(1);
  expect(await failureOf(stalled.read())).toContain("does not read");
  expect((await slow.read()).done).toBe(false);
});

test("does not close a body whose source is slow", async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const pieces = [promise, Promise.resolve(null)];
  const stream = bodies.open(request, { next: () => pieces.shift()!, cancel() {} }, somebody());
  const length = lengthOf(stream);
  await clock.turn();
  clock.advance(300);
  resolve(bytesOf(5));
  expect(await length).toBe(5);
});

test("closes the readers that have stalled longest if memory is short", async () => {
  const first = await begin(bytesOf(bound / 2));
  clock.advance(2);
  const second = await begin(bytesOf(bound / 4));
  clock.advance(2);
  const third = await begin(bytesOf(bound / 2));
  expect(await failureOf(first.read())).toContain("does not read");
  expect((await second.read()).done).toBe(false);
  expect((await third.read()).done).toBe(false);
  expect(bodies.held_bytes).toBeLessThan(bound);
});

test("closes no reader for a short delay, and refuses requests beyond twice the bound", async () => {
  const readers = await Promise.all(Array.from({ length: 7 }, () => begin(bytesOf(bound / 4))));
  expect(bodies.open_bodies).toBe(7);
  expect(bodies.admits(fromBytes(bytesOf(bound / 2)), somebody().network)).toBe(false);
  for (const reader of readers) expect((await reader.read()).done).toBe(false);
  // The next sweep disconnects stalled readers.
  clock.advance(web_limits.stalled_readers_sweep_seconds);
  expect(bodies.held_bytes).toBeLessThanOrEqual(bound);
});

test("bounds the parts that are sent in one turn of the event loop", async () => {
  const whole = bytesOf(100 * mib);
  let sent = 0;
  const readers = Array.from({ length: 20 }, () =>
    bodies.open(request, fromBytes(whole), somebody()).getReader(),
  );
  const leaving = new AbortController();
  for (const reader of readers) {
    void (async () => {
      while (!leaving.signal.aborted) {
        await reader.read();
        sent++;
      }
    })();
  }
  const by_turn: number[] = [];
  for (let i = 0; i < 10; i++) {
    const before = sent;
    await clock.turn();
    by_turn.push(sent - before);
  }
  leaving.abort();
  for (const reader of readers) await reader.cancel();
  expect(Math.max(...by_turn.slice(1))).toBeLessThanOrEqual(web_limits.body_pieces_per_turn);
  expect(sent).toBeGreaterThan(0);
});
