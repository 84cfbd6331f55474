/** The memory that calls reserve for large results is free after them, also if they are answered in a stream. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get } from "../support/http.ts";
import { beginSession, message } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let room: Opened;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  room = await open(service.url, "What is large?");
  for (let i = 0; i < 40; i++) await speak(room, "x".repeat(4_000));
  await speak(room, "This.");
  ada = await claim(service.url, "ada");
});
afterAll(() => service.stop());

const tool = (name: string, args: object = {}) => ["tools/call", { name, arguments: args }] as const;

/** Sends a request as a client that takes streams. Resolves to the text of its answer. */
async function sent(method: string, params: object, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...ada.bearer,
      ...headers,
    },
    body: JSON.stringify(message(method, params)),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return response.text();
}

test.each([
  ["meet_rooms", () => tool("meet_rooms", { limit: 50 })],
  ["meet_read", () => tool("meet_read", { room: room.slug, limit: 200 })],
  ["meet_read that may wait", () => tool("meet_read", { room: room.slug, limit: 200, wait_seconds: 9 })],
  ["jobs_list", () => tool("jobs_list", { limit: 50 })],
  ["locker_list", () => tool("locker_list", { of: "all" })],
  ["a resource", () => ["resources/read", { uri: uriOf(room) }] as const],
])("%s", async (_, call) => {
  // A call that may wait is answered in a stream, and any call of a revision that is not known.
  const session = await beginSession(`${service.url}/mcp`);
  const [method, params] = call();
  const may_wait = JSON.stringify(params).includes("wait_seconds");
  const headers = may_wait ? session : { ...session, "mcp-protocol-version": "2025-99-99" };
  expect(await sent(method, params, headers)).toContain('"result"');
  // What is freed counts from the next turn of the event loop on.
  for (let i = 0; i < 2; i++) await get(`${service.url}/healthz`);
  expect(service.open().body_bytes).toBe(0);
});
