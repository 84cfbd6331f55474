/** Limits of use, over real HTTP on a clock that the test advances. */

import { afterEach, expect, test } from "bun:test";
import { networksOf } from "../../src/core/rate_limit/caller_networks.ts";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { call, post } from "../support/http.ts";
import { ask, beginSession, following, handshake, listen, modern } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

/** Limits of use alone: the pace of rooms is off. */
const limited = { rate_limit: true, pace: null };

let service: SourceService;
afterEach(() => service.stop());

const open = (headers = {}) =>
  post<OpenedRoom & { code?: string }>(
    `${service.url}/api/meet/rooms`,
    { goal: "Busy", name: "Ada" },
    headers,
  );
const say = (name: string, headers = {}) =>
  post(`${service.url}/api/meet/rooms/busy/posts`, { name, body: "hello" }, headers);

test("accepts 60 writes a minute by name, then answers 429 with Retry-After and accepts one more a second", async () => {
  service = await startSource(limited);
  await open();
  for (let i = 0; i < 59; i++) expect((await say("Ada")).status).toBe(201);
  const refused = await say("Ada");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", retryable: true } });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await say("Grace")).status).toBe(201);
  service.clock.advance(1);
  expect((await say("Ada")).status).toBe(201);
  expect((await say("Ada")).status).toBe(429);
  service.clock.advance(60);
  for (let i = 0; i < 60; i++) expect((await say("Ada")).status).toBe(201);
});

test("accepts 240 writes a minute by address, whatever the name", async () => {
  service = await startSource(limited);
  await open();
  for (let i = 0; i < 239; i++) expect((await say(`Agent ${i}`)).status).toBe(201);
  expect((await say("Agent 240")).status).toBe(429);
});

test("accepts 20 rooms an hour by address", async () => {
  service = await startSource(limited);
  for (let i = 0; i < 20; i++) expect((await open()).status).toBe(201);
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("180");
  expect(refused.body.code).toBe("rate_limited");
  service.clock.advance(180);
  expect((await open()).status).toBe(201);
});

test("accepts 10 names an hour by address, and does not count invalid requests", async () => {
  service = await startSource(limited);
  const claim = (name: string) => post(`${service.url}/api/name`, { name });
  for (let i = 0; i < 20; i++) expect((await claim("admin")).status).toBe(422);
  for (let i = 0; i < 9; i++) expect((await claim(`Agent ${i}`)).status).toBe(201);
  expect((await claim("Agent 0")).status).toBe(409);
  const refused = await claim("Agent 10");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", retryable: true } });
  expect(refused.headers.get("retry-after")).toBe("360");
  expect(refused.headers.get("ratelimit-policy")).toBe('"claims-by-address";q=10;w=3600');
  service.clock.advance(360);
  expect((await claim("Agent 10")).status).toBe(201);
  expect((await claim("Agent 11")).status).toBe(429);
});

test("takes the number of names from a setting", async () => {
  service = await startSource({ rate_limit: true, claims_per_hour_by_address: 2 });
  const statuses = [];
  for (const name of ["a", "b", "c"]) statuses.push((await post(`${service.url}/api/name`, { name })).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test("counts writes of a claimed name over all addresses, and counts wrong recovery codes", async () => {
  service = await startSource({
    rate_limit: true,
    writes_per_minute_by_name: 5,
    trusted_proxies: ["127.0.0.0/8"],
  });
  const { pair } = await claim(service.url, "Ada");
  const put = (address: string) =>
    call("PUT", `${service.url}/api/locker/a`, { value: "x" }, { ...pair, "x-forwarded-for": address });
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await put(`192.0.2.${i}`)).status);
  expect(statuses).toEqual([201, 200, 200, 200, 200, 429]);
  const guess = () => post(`${service.url}/api/name/recover`, { name: "Ada", recovery_code: "wfr_guess" });
  // The claim was the first write by that name from this address.
  for (let i = 0; i < 4; i++) expect((await guess()).status).toBe(403);
  expect((await guess()).status).toBe(429);
});

test("returns what is left of the tightest limit", async () => {
  service = await startSource({ rate_limit: true, writes_per_minute_by_name: 10 });
  const opened = await open();
  expect(opened.headers.get("ratelimit-policy")).toBe('"writes-by-name";q=10;w=60');
  expect(opened.headers.get("ratelimit")).toBe('"writes-by-name";r=9;t=6');
  const said = await say("Ada");
  expect(said.headers.get("ratelimit")).toBe('"writes-by-name";r=8;t=12');
  for (let i = 0; i < 8; i++) await say("Ada");
  const refused = await say("Ada");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("ratelimit")).toBe('"writes-by-name";r=0;t=60');
});

test("does not let one address use up another address's share of a name", async () => {
  service = await startSource({ ...limited, trusted_proxies: ["127.0.0.0/8"] });
  const from = (address: string) => ({ "x-forwarded-for": address });
  await open(from("192.0.2.1"));
  for (let i = 0; i < 70; i++) await say("Ada", from("192.0.2.1"));
  expect((await say("Ada", from("192.0.2.1"))).status).toBe(429);
  expect((await say("Ada", from("192.0.2.2"))).status).toBe(201);
});

test("ignores X-Forwarded-For of a caller that is no trusted proxy", async () => {
  service = await startSource({ rate_limit: true, writes_per_minute_by_address: 5, trusted_proxies: [] });
  await open();
  const statuses = [];
  for (let i = 0; i < 6; i++)
    statuses.push((await say(`A${i}`, { "x-forwarded-for": `192.0.2.${i}` })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
});

test("takes the rightmost hop that is no trusted proxy for the caller", async () => {
  service = await startSource({
    rate_limit: true,
    writes_per_minute_by_address: 2,
    trusted_proxies: ["127.0.0.0/8", "10.0.0.0/8"],
  });
  await open({ "x-forwarded-for": "198.51.100.1" });
  const via = (spoofed: string) => say("Ada", { "x-forwarded-for": `${spoofed}, 203.0.113.9, 10.0.0.3` });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await via(`192.0.2.${i}`)).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test.each(["2026-03-01T06:00:00.000Z", "2026-03-02T12:00:00.000Z"])(
  "neither refills a bucket nor locks anybody out if the clock is set to %s",
  async (time) => {
    service = await startSource(limited);
    await open();
    for (let i = 0; i < 60; i++) await say("Ada");
    service.clock.set(time);
    expect((await say("Ada")).status).toBe(429);
    service.clock.advance(1);
    expect((await say("Ada")).status).toBe(201);
  },
);

test("limits nobody with --no-rate-limit", async () => {
  service = await startSource({ rate_limit: false });
  for (let i = 0; i < 30; i++) expect((await open()).status).toBe(201);
  expect((await open()).headers.has("ratelimit")).toBe(false);
});

test("counts IPv6 by /64 and /48, and IPv4 in IPv6 as IPv4", async () => {
  service = await startSource();
  const [here, beside, near, far] = [
    networksOf("2001:db8:1:2::1"),
    networksOf("2001:db8:1:2:ffff::9"),
    networksOf("2001:db8:1:3::1"),
    networksOf("2001:db8:2:2::1"),
  ] as const;
  expect(beside).toEqual(here);
  expect([near.narrow === here.narrow, near.wide === here.wide]).toEqual([false, true]);
  expect(far.wide).not.toBe(here.wide);
  expect(networksOf("::ffff:192.0.2.1")).toEqual({ narrow: "192.0.2.1", wide: null });
  expect(networksOf("192.0.2.2").narrow).toBe("192.0.2.2");
});

test("counts MCP subscriptions, listens and sessions by address, and serves a client without a session", async () => {
  service = await startSource({ rate_limit: true, writes_per_minute_by_address: 4 });
  const mcp = `${service.url}/mcp`;
  const { body: room } = await open();
  const uri = `meet://room/${room.slug}`;
  const session = await beginSession(mcp);
  const follow = () => ask(mcp, "resources/subscribe", { uri }, session);
  expect((await follow()).body.result).toEqual({});
  const heard = await listen(mcp, [uri]);
  expect(heard.response.status).toBe(200);
  await heard.close();

  const refused = expect.stringContaining("rate_limited");
  expect((await follow()).body.error?.message).toEqual(refused);
  const { body, headers } = modern("subscriptions/listen", following([uri]));
  expect((await post(mcp, body, headers)).body).toMatchObject({ error: { message: refused } });
  const begun = await ask<{ serverInfo: object }>(mcp, "initialize", handshake);
  expect(begun.headers.get("mcp-session-id")).toBeNull();
  expect(begun.body.result!.serverInfo).toMatchObject({ name: "wharf" });
  expect((await ask(mcp, "tools/list")).body.result).toBeDefined();
  service.clock.advance(60);
  expect((await beginSession(mcp))["mcp-session-id"]).toBeString();
});
