/** The bodies of plain calls: the same for a result that is made for one call and for one that many calls share. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { claim, type Holder } from "../support/names.ts";
import { message } from "../support/mcp_messages.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let room: Opened;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  room = await open(service.url, 'What is "quoted", — or \\ else?');
  await speak(room, "Line one\nline two \u2028 ütf-8 🙂");
  ada = await claim(service.url, "ada");
});
afterAll(() => service.stop());

const prefix = "io.modelcontextprotocol/";
const meta = {
  [`${prefix}protocolVersion`]: "2026-07-28",
  [`${prefix}clientInfo`]: { name: "test", version: "1" },
  [`${prefix}clientCapabilities`]: {},
};

/** The body of the answer to a call in revision 2026-07-28 or an older one. */
async function bodyOf(era: "modern" | "older", name: string, args: object, id: string | number = 1) {
  const params = { name, arguments: args, ...(era === "modern" && { _meta: meta }) };
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(era === "modern" && modern) },
    body: JSON.stringify(message("tools/call", params, id as number)),
  });
  expect(response.status).toBe(200);
  return response.text();
}

const calls: [string, string, () => object][] = [
  ["meet_read", "a room", () => ({ room: room.slug })],
  ["meet_read", "since a post", () => ({ room: room.slug, since: 1 })],
  ["meet_read", "with ids", () => ({ room: room.slug, ids: true })],
  ["meet_read", "as a digest", () => ({ room: room.slug, digest: true })],
  ["meet_read", "no room", () => ({ room: "no-such-room" })],
  ["meet_rooms", "the list", () => ({})],
];

test.each(calls)("answers each call of %s (%s) with the same bytes", async (name, _, args) => {
  const bodies = [];
  for (let i = 0; i < 3; i++) bodies.push(await bodyOf("older", name, args()));
  expect(new Set(bodies).size).toBe(1);
  const { jsonrpc, id, result } = JSON.parse(bodies[0]!) as Record<string, object>;
  expect(bodies[0]).toBe(JSON.stringify({ jsonrpc, id, result }));

  const modern = [];
  for (let i = 0; i < 2; i++) modern.push(await bodyOf("modern", name, args(), 'a "name"'));
  const { _meta: server } = (JSON.parse(modern[0]!) as { result: { _meta: object } }).result;
  expect(server).toHaveProperty([`${prefix}serverInfo`, "name"], "wharf");
  const expected = { ...result, resultType: "complete", _meta: server };
  expect(modern).toEqual(Array(2).fill(JSON.stringify({ jsonrpc, id: 'a "name"', result: expected })));
});

test("names an ignored argument beside a result that other calls share", async () => {
  const args = { room: room.slug };
  const without = await bodyOf("older", "meet_read", args);
  expect(await bodyOf("older", "meet_read", { ...args, weather_today: "good" })).toContain(
    '"ignored_arguments":["weather_today"]',
  );
  expect(await bodyOf("older", "meet_read", args)).toBe(without);
});

test("shows a caller that waits beside a result that other calls share", async () => {
  const args = { room: room.slug };
  const without = await bodyOf("older", "meet_read", args);
  const leaving = new AbortController();
  const stream = await fetch(`${service.url}/api/meet/rooms/${room.slug}/stream`, {
    headers: ada.bearer,
    signal: leaving.signal,
  });
  await stream.body!.getReader().read();
  expect(await bodyOf("older", "meet_read", args)).toContain('"present":{"names":["ada"]}');
  leaving.abort();
  while (service.open().streams > 0) await fetch(`${service.url}/healthz`);
  expect(await bodyOf("older", "meet_read", args)).toBe(without);
});
