/** 2,000 waits of 280 seconds beside load, of every kind and over every transport: none is answered early, and what memory they take. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { get, post } from "../support/http.ts";
import { beginSession, message } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { memoryOf } from "../support/process_memory.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startBinary } from "../support/service.ts";

const count = Number(process.env.WHARF_TEST_OPERATIONS ?? 2_000);
const seconds = 280;
/** What a wait may take at most, beside what the service takes without any. */
const bytes_each_max = 100_000;

let service: Awaited<ReturnType<typeof startBinary>>;
let quiet: Opened;
let busy: Opened;
let ada: Holder;
beforeAll(async () => {
  service = await startBinary();
  quiet = await open(service.url, "Where nothing happens");
  busy = await open(service.url, "Where much happens");
  ada = await claim(service.url, "ada");
});
afterAll(() => service.stop());

/** A request that waits, as it is sent. Its answer closes the connection. */
function requestOf(method: string, path: string, headers: Record<string, string>, body?: object): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const sent = { host: "localhost", connection: "close", ...headers };
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(text)}`];
  const lines = [...Object.entries(sent).map(([name, value]) => `${name}: ${value}`), ...length];
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text}`;
}

const preferring = (wait_seconds: number) => ({ prefer: `wait=${wait_seconds}` });
const since = "2100-01-01T00:00:00.000Z";
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** A call of a tool that asks for progress. */
const toolCall = (name: string, args: object, id: number, more: Record<string, string> = {}): string =>
  requestOf(
    "POST",
    "/mcp",
    { ...headers, ...more },
    {
      ...message("tools/call", {
        name,
        arguments: args,
        _meta: { progressToken: id },
      }),
      id,
    },
  );

/** The kinds of waits, and what is part of each answer: that nothing has happened. */
const kinds: [(i: number, wait_seconds: number) => string | Promise<string>, RegExp][] = [
  [
    (_, wait) => requestOf("GET", `/api/meet/rooms/${quiet.slug}?since=${since}`, preferring(wait)),
    /"posts":\[\]/,
  ],
  [
    (_, wait) =>
      requestOf("GET", `/api/wait?room=${quiet.slug}:now&mailbox=now&jobs=now`, {
        ...preferring(wait),
        ...ada.pair,
      }),
    /"cursors":\{[^}]*"rooms":\{/,
  ],
  [
    (_, wait) => requestOf("GET", "/api/mailbox?since=0", { ...preferring(wait), ...ada.pair }),
    /"notes":\[\]/,
  ],
  [
    (i, wait) => toolCall("meet_read", { room: quiet.slug, since, wait_seconds: wait }, i),
    /"progress":270\b.*"posts":\[\]/s,
  ],
  [
    async (i, wait) => {
      const session = await beginSession(`${service.url}/mcp`);
      return toolCall("wait", { rooms: { [quiet.slug]: "now" }, wait_seconds: wait }, i, {
        ...session,
        "mcp-protocol-version": "2025-11-25",
      });
    },
    /"progress":270\b.*"cursors":\{[^}]*"rooms":\{/s,
  ],
];

interface Answer {
  text: string;
  held_ms: number;
}

/** Sends a request. Resolves to its answer and how long it was held. */
function answerTo(request: string): Promise<Answer> {
  const { port, hostname } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    const begun_ms = performance.now();
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve({ text, held_ms: performance.now() - begun_ms }));
    socket.write(request);
  });
}

/** The memory of the service, in bytes. */
const memory = (): number => memoryOf(service.process);

/** Calls one after another, with a pause, until `ended` is true. Returns how many. */
async function repeat(
  ended: () => boolean,
  call: (i: number) => Promise<{ status: number }>,
): Promise<number> {
  let calls = 0;
  while (!ended()) {
    const { status } = await call(calls++);
    expect([200, 201]).toContain(status);
    await Bun.sleep(10);
  }
  return calls;
}

test(`${count} waits of ${seconds} seconds last as long as they should, beside readers and writers`, async () => {
  // What the service loads at first use is no part of what waits take.
  for (const [request] of kinds) await answerTo(await request(0, 1));
  const before = memory();
  let is_over = false;
  const load = [0, 1].flatMap((writer) => [
    repeat(
      () => is_over,
      (i) => post(`${busy.api}/posts`, { name: `writer ${writer}`, body: `Post ${i}` }),
    ),
    repeat(
      () => is_over,
      () => get(`${busy.api}?limit=50`),
    ),
  ]);
  const answers: Promise<Answer>[] = [];
  for (let i = 0; i < count; i++) answers.push(answerTo(await kinds[i % kinds.length]![0](i, seconds)));
  let most = 0;
  const watching = repeat(
    () => is_over,
    async () => {
      most = Math.max(most, memory());
      await Bun.sleep(1_000);
      return { status: 200 };
    },
  );
  const held = await Promise.all(answers);
  is_over = true;
  const calls = (await Promise.all(load)).reduce((sum, one) => sum + one, 0);
  await watching;
  const times = held.map(({ held_ms }) => held_ms / 1000);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `MEASURED: ${count} waits were held for ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} s beside ` +
      `${calls} reads and posts; memory ${mb(before)} before, ${mb(most)} at most`,
  );
  for (const [i, { text, held_ms }] of held.entries()) {
    expect(text).toStartWith("HTTP/1.1 200");
    expect(text).toMatch(kinds[i % kinds.length]![1]);
    // A timer may be early by a part of a millisecond.
    expect(held_ms).toBeGreaterThan(seconds * 1000 - 1);
  }
  expect(most - before).toBeLessThan(count * bytes_each_max);
}, 900_000);
