/** Memory for large answers while they are made: bounded, shared by networks in turn. Without sockets, on a fake clock. */

import { beforeEach, expect, test } from "bun:test";
import { AnswerMemory } from "../../src/web/answer_memory.ts";
import { fromBytes } from "../../src/web/body_sources.ts";
import { BodyStreams } from "../../src/web/body_streams.ts";
import { createIdleTimeout } from "../../src/web/idle_timeout.ts";
import { web_limits } from "../../src/web/limits.ts";
import { FakeClock } from "../support/clock.ts";

const half = web_limits.answers_made_bytes_max / 2;

let clock: FakeClock;
let bodies: BodyStreams;
let memory: AnswerMemory;
let networks: WeakMap<Request, string>;
/** The answers that have been admitted, in this order. */
let admitted: string[];
beforeEach(() => {
  clock = new FakeClock();
  networks = new WeakMap();
  admitted = [];
  const idle = createIdleTimeout(() => {});
  bodies = new BodyStreams(clock, idle, (error) => {
    throw error;
  });
  memory = new AnswerMemory(clock, bodies, { network: (request) => networks.get(request)! });
});

const requestOf = (network: string): Request => {
  const request = new Request("http://localhost/");
  networks.set(request, network);
  return request;
};

/** Reserves memory for an answer of a network. Its result is the code of the refusal, or null. */
function reserve(network: string, bytes = half) {
  const request = requestOf(network);
  const result = Promise.resolve(memory.reserve(request, bytes)).then(
    () => {
      admitted.push(network);
      return null;
    },
    (error: { code: string }) => error.code,
  );
  return { request, result };
}

/** The requests of all networks that have been admitted are answered. */
async function answer(...requests: Request[]): Promise<void> {
  for (const request of requests) memory.release(request);
  for (let i = 0; i < 3; i++) await clock.turn();
}

test("makes a few large answers at a time, those of different networks in turn", async () => {
  const first = reserve("a");
  const second = reserve("a");
  for (const network of ["a", "a", "a", "b", "c"]) reserve(network);
  await clock.turn();
  expect([admitted, memory.reserved_bytes]).toEqual([["a", "a"], 2 * half]);
  await answer(first.request);
  await answer(second.request);
  expect(admitted).toEqual(["a", "a", "a", "b"]);
  expect(memory.reserved_bytes).toBe(2 * half);
});

test("makes a single answer that is larger than the limit, and small ones always", async () => {
  const whole = reserve("a", 10 * half);
  expect(await whole.result).toBeNull();
  expect(await reserve("b", web_limits.whole_body_bytes_max).result).toBeNull();
  const next = reserve("c");
  await clock.turn();
  expect(admitted).toEqual(["a", "b"]);
  await answer(whole.request);
  expect(await next.result).toBeNull();
  await answer(next.request);
  expect(memory.reserved_bytes).toBe(0);
});

test("holds no memory of a call that waits after it was admitted", async () => {
  const free = await memory.reserve(requestOf("a"), 2 * half);
  const next = reserve("b");
  free();
  expect(await next.result).toBeNull();
});

test("refuses an answer that has waited too long, and one whose client has left", async () => {
  const first = reserve("a", 2 * half);
  const late = reserve("b");
  clock.advance(web_limits.answer_wait_seconds_max + 1);
  const leaving = new AbortController();
  const left = new Request("http://localhost/", { signal: leaving.signal });
  networks.set(left, "c");
  const gone = Promise.resolve(memory.reserve(left, half)).catch((error: { code: string }) => error.code);
  leaving.abort();
  await answer(first.request);
  expect([await late.result, await gone]).toEqual(["answers_busy", "answers_busy"]);
  expect(memory.reserved_bytes).toBe(0);
});

test("refuses an answer before it is made while its network is sent as much as one may, and no other network", async () => {
  const bytes = web_limits.body_bytes_by_address_max / 2;
  for (let i = 0; i < 2; i++) {
    const reader = { network: "a", sent: () => {} };
    await bodies
      .open(requestOf("a"), fromBytes(new Uint8Array(bytes).fill(120)), reader)
      .getReader()
      .read();
  }
  expect(await reserve("a", half).result).toBe("answers_busy");
  expect(await reserve("b", half).result).toBeNull();
});
