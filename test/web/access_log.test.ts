/** The access log: one event for each request, with its route, status, length, time, address and name. */

import { expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import { askModern } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

type Line = Record<string, unknown>;

const requestsOf = (service: SourceService): Line[] =>
  service
    .output()
    .split("\n")
    .filter((line) => line.includes('"event":"request"'))
    .map((line) => JSON.parse(line) as Line);

test("is off by default", async () => {
  const service = await startSource();
  await get(`${service.url}/api/meet/rooms`);
  expect(requestsOf(service)).toEqual([]);
  await service.stop();
});

test("has an event for each request, with the bytes that were sent and the pattern of the route", async () => {
  const service = await startSource({ access_log: "full" });
  const { url } = service;
  const grace = await claim(url, "Grace");
  const room = await open(url, "Logged");
  const from = { "x-forwarded-for": "203.0.113.77" };
  const page = await send("GET", `${room.api}?limit=7`, {
    ...grace.pair,
    ...from,
    "accept-encoding": "identity",
  });
  const large = "x".repeat(3_900);
  for (let i = 0; i < 24; i++) await post(`${room.api}/posts`, { name: "ada", body: large });
  const long = await send("GET", room.api, { "accept-encoding": "identity" });
  const etag = { "if-none-match": long.headers.get("etag")!, "accept-encoding": "identity" };
  await send("GET", room.api, etag);
  await send("HEAD", room.api);
  const nowhere = await send("GET", `${url}/secret-path?secret=query`);
  const tool = await askModern(`${url}/mcp`, "tools/call", {
    name: "meet_rooms",
    arguments: { key: grace.key },
  });
  const stream = await readEvents(`${room.api}/stream`);
  await asOwner(service, "GET", "/api/admin/audit");
  const lines = requestsOf(service);
  await stream.close();
  await service.stop();
  expect(lines).toHaveLength(34);
  const route = "/api/meet/rooms/{room}";
  const known = { at: expect.any(String), level: "info", event: "request", ms: expect.any(Number) };
  expect(lines[2]).toEqual({
    ...known,
    request_id: page.headers.get("x-request-id"),
    method: "GET",
    route,
    status: 200,
    bytes: page.body.length,
    address: "203.0.113.77",
    name: "Grace",
  });
  expect(long.body.length).toBeGreaterThan(80_000);
  expect(lines.slice(27)).toEqual(
    [
      { method: "GET", route, status: 200, bytes: long.body.length },
      { method: "GET", route, status: 304, bytes: 0 },
      { method: "HEAD", route, status: 200, bytes: 0 },
      { method: "GET", route: "none", status: 404, bytes: nowhere.body.length },
      { method: "POST", route: "/mcp", status: 200, bytes: expect.any(Number), name: "Grace" },
      { method: "GET", route: `${route}/stream`, status: 200, bytes: null },
      { method: "GET", route: "/api/admin/audit", status: 200, bytes: expect.any(Number), name: "owner" },
    ].map((line) => expect.objectContaining(line)),
  );
  expect(tool.status).toBe(200);
  expect(JSON.stringify(lines)).not.toContain("secret");
  expect(JSON.stringify(lines)).not.toContain(room.slug);
});

test("short cuts addresses to their /24 and /48", async () => {
  const service = await startSource({ access_log: "short" });
  for (const address of ["203.0.113.77", "2001:db8:1:2:3::4", "::ffff:198.51.100.9"]) {
    await get(`${service.url}/healthz`, { "x-forwarded-for": address });
  }
  const seen = requestsOf(service).map(({ address }) => address);
  await service.stop();
  expect(seen).toEqual(["203.0.113.0/24", "2001:db8:1::/48", "198.51.100.0/24"]);
});
