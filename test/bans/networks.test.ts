/** Networks: their canonical form, and the ban of an address among thousands. */

import { expect, test } from "bun:test";
import { looksLikeNetwork, networkIn, NetworkMap, overlap } from "../../src/bans/networks.ts";

test("writes a network in its canonical form", () => {
  const forms: Record<string, string | undefined> = {
    "192.0.2.7": "192.0.2.7/32",
    "192.0.2.7/24": "192.0.2.0/24",
    "10.1.2.3/8": "10.0.0.0/8",
    "192.0.2.130/25": "192.0.2.128/25",
    "0.0.0.0/0": "0.0.0.0/0",
    "::ffff:192.0.2.7": "192.0.2.7/32",
    "::ffff:192.0.2.7/120": "192.0.2.0/24",
    "2001:db8:0:1:2:3:4:5": "2001:db8:0:1::/64",
    "2001:DB8:0:1:2:3:4:5/128": "2001:db8:0:1:2:3:4:5/128",
    "2001:db8:ffff::/33": "2001:db8:8000::/33",
  };
  for (const [text, form] of Object.entries(forms))
    expect([text, networkIn(text)?.text]).toEqual([text, form]);
  for (const text of [
    "",
    "ada",
    "192.0.2",
    "192.0.2.7/33",
    "192.0.2.7/-1",
    "192.0.2.7/8/8",
    "fe80::1%eth0",
    "::1/129",
  ]) {
    expect([text, networkIn(text)]).toEqual([text, null]);
  }
});

test("knows what is meant as an address or a network, valid or not", () => {
  const networks = [
    "192.0.2.7",
    "10.0.0.0/33",
    "10.0.0.300",
    "10.0.0",
    "10.0.0.*",
    "10.0.0.1-9",
    "10.0.0.1:80",
    "::",
    "::1/129",
  ];
  networks.push("[::1]", "fe80::1%eth0", "2001:db8:zz/32", " 10.0.0.256 ", "1.2.3.4.5", "and/or");
  for (const text of networks) expect([text, looksLikeNetwork(text)]).toEqual([text, true]);
  for (const text of [
    "",
    "ada",
    "3.14",
    "v1.2.3",
    "10",
    "Claude: a helper",
    "a:b",
    "1.2.x",
    "...",
    "dead-beef",
  ])
    expect([text, looksLikeNetwork(text)]).toEqual([text, false]);
});

test("knows whether two networks have an address in common", () => {
  const common = (a: string, b: string) => overlap(networkIn(a)!, networkIn(b)!);
  expect(common("127.0.0.0/8", "127.1.2.3")).toBe(true);
  expect(common("0.0.0.0/0", "127.0.0.0/8")).toBe(true);
  expect(common("::/0", "::1/128")).toBe(true);
  expect(common("126.0.0.0/8", "127.0.0.0/8")).toBe(false);
  expect(common("::/0", "127.0.0.0/8")).toBe(false);
});

test("finds all networks of an address, also as an IPv4-mapped one, among 10,000 in some microseconds", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `100.64.${i >> 8}.${i & 255}`);
  const texts = [...many, "192.0.2.0/24", "192.0.0.0/16", "2001:db8::/32"];
  const bans = new NetworkMap(texts.map((text) => [networkIn(text)!, text]));
  expect(bans.size).toBe(texts.length);
  expect([...bans.find("192.0.2.9")].sort()).toEqual(["192.0.0.0/16", "192.0.2.0/24"]);
  expect(bans.find("::ffff:192.0.2.9")).toEqual(bans.find("192.0.2.9"));
  expect(bans.find("2001:db8:7::1")).toEqual(["2001:db8::/32"]);
  expect(bans.find("100.64.3.4")).toEqual(["100.64.3.4"]);
  for (const address of ["192.1.0.1", "2001:db9::1", "unknown", "::"]) expect(bans.find(address)).toEqual([]);
  // Each address is new, so none is cached. Time of the processor, because other programs may use it meanwhile.
  const begin = process.cpuUsage();
  for (let i = 0; i < 20_000; i++) bans.find(`198.51.${i >> 8}.${i & 255}`);
  // A scan of 10,000 networks takes 100 times as long.
  expect(process.cpuUsage(begin).user / 20_000).toBeLessThan(50);
});
