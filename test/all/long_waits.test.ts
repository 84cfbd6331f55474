/** Long waits of the binary in real time: no limit of the server for idle connections ends one, before or within its stream. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { beginSession, message } from "../support/mcp_messages.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startBinary, type TestService } from "../support/service.ts";

/** More than a caller gets without agreeing to it. */
const seconds = 55;

let service: TestService;
let room: Opened;
beforeAll(async () => {
  service = await startBinary();
  room = await open(service.url, "In real time");
});
afterAll(() => service.stop());

const call = {
  ...message("tools/call", {
    name: "meet_read",
    arguments: { room: "in-real-time", since: 0, wait_seconds: seconds },
    _meta: { progressToken: "token" },
  }),
};
const posted = (headers: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
  body: JSON.stringify(call),
});

test("waits end with their time: over HTTP, and over MCP with progress, without a session and in one", async () => {
  const session = await beginSession(`${service.url}/mcp`);
  const [over_http, without_session, in_session] = await Promise.all([
    fetch(`${room.api}?since=0`, { headers: { prefer: `wait=${seconds}` } }).then((answer) => answer.text()),
    fetch(`${service.url}/mcp`, posted({})).then((answer) => answer.text()),
    fetch(`${service.url}/mcp`, posted({ ...session, "mcp-protocol-version": "2025-11-25" })).then((answer) =>
      answer.text(),
    ),
  ]);
  expect(JSON.parse(over_http)).toMatchObject({ posts: [] });
  for (const stream of [without_session, in_session]) {
    // On a busy machine each may be late: test/mcp/progress.test.ts has the exact numbers.
    const numbers = Array.from(stream.matchAll(/"progress":(\d+)/g), ([, digits]) => Number(digits));
    expect(numbers).not.toEqual([]);
    numbers.forEach((number, i) =>
      expect(number).toBeGreaterThanOrEqual(Math.max(15 * (i + 1), (numbers[i - 1] ?? 0) + 1)),
    );
    expect(stream).toContain('"structuredContent":{"posts":[]');
  }
});

test("HEAD waits as long as GET, which takes longer than a connection may be idle", async () => {
  const waiting = await fetch(`${room.api}?since=0&wait_seconds=12`, { method: "HEAD" });
  expect(waiting.status).toBe(200);
});
