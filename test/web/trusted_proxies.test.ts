/** The address that a call counts for behind proxies: hops of X-Forwarded-For, and trusted proxies. */

import { afterEach, expect, test } from "bun:test";
import type { Log } from "../../src/core/log.ts";
import { readConfig } from "../../src/cli/configuration.ts";
import { default_config, type Config } from "../../src/core/settings.ts";
import { createRequestOrigin } from "../../src/web/request_origin.ts";
import { post } from "../support/http.ts";
import { startBinary, startSource, type TestService, type TestSettings } from "../support/service.ts";

let service: TestService;
afterEach(() => service.stop());

const start = async (settings: TestSettings = {}): Promise<void> => {
  const proxies = { trusted_proxies: ["127.0.0.0/8"] };
  service = await startSource({ rate_limit: true, writes_per_minute_by_address: 4, ...proxies, ...settings });
  await post(`${service.url}/api/meet/rooms`, { goal: "Busy", name: "Ada" });
};

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let speakers = 0;
/** Posts under a new name with these headers. Returns the status. */
const say = async (headers: Record<string, string>): Promise<number> => {
  const posted = { name: `Speaker ${++speakers}`, body: "hello" };
  return (await post(`${service.url}/api/meet/rooms/busy/posts`, posted, headers)).status;
};

/** The statuses of posts with these X-Forwarded-For headers, in order. */
async function sayVia(forwarded: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const hops of forwarded) statuses.push(await say({ "x-forwarded-for": hops }));
  return statuses;
}

const four_of_five = [201, 201, 201, 201, 429];

test("counts one address once, in every form in which a proxy may write it", async () => {
  await start();
  const forms = [
    "198.51.100.9",
    "198.51.100.9:1234",
    "198.51.100.9:1235",
    '"198.51.100.9:1236"',
    " ::ffff:198.51.100.9 ",
  ];
  expect(await sayVia(forms)).toEqual(four_of_five);
  const six = [
    "2001:db8::9",
    "[2001:db8::9]",
    "[2001:db8::9]:1234",
    '"[2001:DB8:0::9]:1235"',
    "2001:db8::9%eth0",
  ];
  expect(await sayVia(six)).toEqual(four_of_five);
});

test("counts a hop that is no address as the proxy that named it", async () => {
  await start();
  const garbage = [
    "unknown",
    "_hidden",
    "1234",
    "0x7f.1",
    "010.0.0.1",
    "198.51.100",
    "198.51.100.9:",
    "198.51.100.9:123456",
    "[198.51.100.9",
    "",
    "198.51.100.1, ",
    "198.51.100.2, x.example",
    `198.51.100.3, ${"1".repeat(4000)}`,
  ];
  // Opening the room was the proxy's first write.
  expect((await sayVia(garbage)).filter((status) => status === 201).length).toBe(3);
  expect(await sayVia(["198.51.100.9"])).toEqual([201]);
});

test("reads a limited number of hops", async () => {
  await start();
  const chain = (count: number) => `198.51.100.9${", 127.0.0.1".repeat(count)}`;
  expect(await sayVia(Array.from({ length: 5 }, () => chain(10)))).toEqual(four_of_five);
  // Beyond the limit, the last hop that was read is the caller.
  expect(await sayVia(Array.from({ length: 4 }, () => chain(1000)))).toEqual([201, 201, 201, 429]);
});

test("trusts a proxy on the same machine by default", async () => {
  service = await startBinary({ rate_limit: true, writes_per_minute_by_address: 2 });
  await post(`${service.url}/api/meet/rooms`, { goal: "Busy", name: "Ada" });
  const statuses = await sayVia(["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1", "192.0.2.2"]);
  expect(statuses).toEqual([201, 201, 201, 429, 201]);
});

test("accepts addresses, networks, `private` and `none` as trusted proxies", async () => {
  service = await startBinary({}, { WHARF_TRUSTED_PROXY: "127.0.0.1" });
  const proxied = await post<{ url: string }>(
    `${service.url}/api/meet/rooms`,
    { goal: "Proxied", name: "A" },
    { "x-forwarded-proto": "https" },
  );
  expect(proxied.body.url).toStartWith("https://");

  const trusts = (text: string | undefined, peer: string): boolean => {
    const config: Config = readConfig({}, { WHARF_TRUSTED_PROXY: text });
    const request_origin = createRequestOrigin(config, () => peer, silent);
    const headers = { "x-forwarded-for": "198.51.100.9" };
    return request_origin.address(new Request("http://127.0.0.1/", { headers })) === "198.51.100.9";
  };
  const cases: [string | undefined, string[], string[]][] = [
    [undefined, ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"], ["10.0.0.1", "fe80::1", "unknown"]],
    ["127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1"], ["127.0.0.2", "::1"]],
    ["10.0.0.5, fd00::7", ["10.0.0.5", "fd00::7"], ["10.0.0.4", "fd00::8", "127.0.0.1"]],
    ["10.0.0.0/8,127.0.0.1", ["10.9.9.9", "127.0.0.1"], ["11.0.0.1"]],
    [
      "private",
      ["10.1.2.3", "172.20.0.5", "192.168.1.1", "169.254.1.1", "127.0.0.1", "::1", "fd00::1", "fe80::1"],
      ["8.8.8.8", "172.32.0.1", "100.64.0.1", "192.169.0.1", "2001:db8::1"],
    ],
    ["none", [], ["127.0.0.1", "::1"]],
  ];
  for (const [text, trusted, others] of cases) {
    for (const peer of trusted) expect([text, peer, trusts(text, peer)]).toEqual([text, peer, true]);
    for (const peer of others) expect([text, peer, trusts(text, peer)]).toEqual([text, peer, false]);
  }
  for (const wrong of ["everyone", "10.0.0.0/33", "1234", "10.0.0", "::1/129", "proxy.example"]) {
    expect(() => readConfig({}, { WHARF_TRUSTED_PROXY: wrong })).toThrow(
      "WHARF_TRUSTED_PROXY must be a network such as 10.0.0.0/8, an address, private or none",
    );
  }
});

test("warns once of an untrusted peer that sends forwarded headers", async () => {
  await start({ trusted_proxies: [] });
  expect(await sayVia(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"])).toEqual([201, 201, 201, 429]);
  await post(
    `${service.url}/api/meet/rooms/busy/posts`,
    { name: "A", body: "x" },
    { "x-forwarded-proto": "https" },
  );
  const warnings = service
    .output()
    .split("\n")
    .filter((line) => line.includes('"proxy.not_trusted"'));
  expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: "warn",
      peer: "127.0.0.1",
      hint: expect.stringContaining("--trusted-proxy"),
    }),
  ]);
});

test("warns of at most 20 such peers", async () => {
  await start();
  const warned: unknown[] = [];
  let peer = "";
  const request_origin = createRequestOrigin({ ...default_config, trusted_proxies: [] }, () => peer, {
    ...silent,
    warn: (_event, fields) => void warned.push(fields?.peer),
  });
  const request = new Request("http://127.0.0.1/", { headers: { "x-forwarded-for": "198.51.100.9" } });
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 30; i++) {
      peer = `192.0.2.${i}`;
      expect(request_origin.address(request)).toBe(peer);
    }
  }
  expect(warned).toEqual(Array.from({ length: 20 }, (_, i) => `192.0.2.${i}`));
});

test("does not warn of trusted peers, or of peers without forwarded headers", async () => {
  await start();
  await say({});
  await say({ "x-forwarded-for": "192.0.2.1" });
  expect(service.output()).not.toContain("proxy.");
});
