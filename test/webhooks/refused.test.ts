/** Addresses that are never called: refused when a webhook is set, and when a call is due that was set earlier. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Webhook, WebhookTested } from "../../src/api/webhooks.ts";
import { startDnsServer, type DnsServer, type Resolved } from "../support/dns_server.ts";
import { startResolving, startTraps, type Trap } from "../support/hostile_receivers.ts";
import { get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { newDirectory, removeDirectory, type SourceService } from "../support/service.ts";
import { stored } from "../support/stored.ts";
import { startReceiver, type Receiver } from "../support/webhook_receivers.ts";

/** The receiver may be called; the traps listen at its port. `PORT` in an address stands for it. */
const receiver: Receiver = startReceiver();
const { port } = new URL(receiver.url);
const directory = newDirectory();
/** One address of the loopback network is allowed, and no other. */
const settings = {
  webhooks: true,
  fetch_allow: ["127.0.0.1/32"],
  webhook_unchecked_hosts: ["unchecked.example", "10.0.0.9"],
  data_dir: directory,
};

const invalid = `
  https://user:pass@hooks.example/ https://user@hooks.example/ https://@hooks.example/ http://127.0.0.1:PORT@127.0.0.2:PORT/
  http://127.0.0.1:PORT/#a https://hooks.example# ftp://127.0.0.2:PORT/ file:///etc/passwd gopher://127.0.0.2:PORT/_a
  unix:///run/a.sock javascript:1 data:,a ws://127.0.0.2:PORT/ //127.0.0.2:PORT/ 127.0.0.2:PORT /hook http:127.0.0.2:PORT
  http://127.0.0.1:0/ http://127.0.0.1:65536/ http://127.0.0.1:-1/ http://127.0.0.1:a/ http://hooks.example.:PORT/
  http://hooks.example\\@127.0.0.2:PORT/ http:\\\\127.0.0.2:PORT/ http://[::1%25lo]:PORT/ http://[fe80::1%25lo]:PORT/
  http://256.1.1.1/ http://0x100000000/ http://1.2.3.4.5/ http://hooks.example%2f@127.0.0.2:PORT/ http://::1:PORT/
  https://hooks.example/#https://127.0.0.2:PORT/ unchecked.example https://user@unchecked.example/ ftp://unchecked.example/
  https://unchecked.example/#a https://unchecked.example:0/
`;

const not_public = `
  http://127.0.0.2:PORT/ http://127.2:PORT/ http://127.0.2:PORT/ http://2130706434:PORT/ http://0x7f000002:PORT/
  http://0x7f.0x0.0x0.0x2:PORT/ http://0177.0.0.2:PORT/ http://017700000002:PORT/ http://0177.0x0.2:PORT/ http://127.0.0.2:PORT?a
  http://１２７.0.0.2:PORT/ http://127。0。0。2:PORT/ http://①②⑦.0.0.2:PORT/ http://%31%32%37.0.0.2:PORT/ HTTP://127.0.0.2:PORT/
  https://127.0.0.2:PORT/ http://[::1]:PORT/ http://[0:0:0:0:0:0:0:1]:PORT/ http://[::ffff:127.0.0.2]:PORT/ https://[::1]:PORT/
  http://[::ffff:7f00:2]:PORT/ http://[0:0:0:0:0:ffff:7f00:2]:PORT/ http://[::127.0.0.2]:PORT/ http://[::7f00:2]:PORT/
  http://[64:ff9b::127.0.0.2]:PORT/ http://[64:ff9b::7f00:2]:PORT/ http://[64:ff9b:1::7f00:2]:PORT/ http://[2002:7f00:2::1]:PORT/
  http://[2001:0:4136:e378:8000:63bf:80ff:fffd]:PORT/ http://[::ffff:0:127.0.0.2]:PORT/ http://0.0.0.0:PORT/ http://0:PORT/
  http://[::]:PORT/ http://0x0:PORT/ http://10.0.0.1/ http://10.1/ http://167772161/ http://172.16.0.1/ http://172.31.255.255/
  http://192.168.1.1:22/ http://0xc0a80101/ http://100.64.0.1/ http://100.127.255.255/ http://169.254.169.254/latest/meta-data/
  http://2852039166/ http://0251.0376.0251.0376/ http://0xa9fea9fe/ http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/
  http://169.254.170.2/v2/credentials http://100.100.100.200/ http://168.63.129.16/ http://192.0.0.192/ http://[fd00:ec2::254]/
  http://[fd20:ce::254]/ http://[fe80::1]/ http://[fe80::a9fe:a9fe]/ http://[fc00::1]/ http://[fd12:3456::1]/ http://[fec0::1]/
  http://192.0.0.1/ http://192.0.2.1/ http://198.18.0.1/ http://203.0.113.1/ http://224.0.0.1/ http://240.0.0.1/ http://255.255.255.255/
  http://4294967295/ http://[ff02::1]/ http://[2001:db8::1]/ http://[100::1]/ https://10.0.0.9/
`;

/** No network for which http is allowed. */
const plain_text = "http://8.8.8.8/ http://[2606:4700:4700::1111]/ http://134744072/";

const list = (texts: string): string[] => texts.trim().split(/\s+/);
const refused: [string, string][] = [
  ...list(invalid).map((url): [string, string] => [url, "invalid_address"]),
  ...list(not_public).map((url): [string, string] => [url, "no_public_host"]),
  ...list(plain_text).map((url): [string, string] => [url, "not_https"]),
];

/** What names resolve to after they have resolved to the receiver, and what their holders see then. */
const names: [string, Resolved, string][] = [
  ["private.example", ["10.0.0.1"], "no_public_host"],
  ["loopback.example", ["127.0.0.2"], "no_public_host"],
  ["loopback6.example", ["::1"], "no_public_host"],
  ["unspecified.example", ["0.0.0.0"], "no_public_host"],
  ["mapped.example", ["::ffff:127.0.0.2"], "no_public_host"],
  ["translated.example", ["64:ff9b::7f00:2"], "no_public_host"],
  ["sixtofour.example", ["2002:7f00:2::1"], "no_public_host"],
  ["shared.example", ["100.64.0.1"], "no_public_host"],
  ["metadata.google.internal", ["169.254.169.254"], "no_public_host"],
  ["link6.example", ["fe80::1"], "no_public_host"],
  ["mixed.example", ["127.0.0.1", "127.0.0.2"], "no_public_host"],
  ["mixed6.example", ["127.0.0.1", "::1"], "no_public_host"],
  ["mixedpublic.example", ["8.8.8.8", "10.0.0.1"], "no_public_host"],
  ["late.example", [...Array.from({ length: 8 }, () => "127.0.0.1"), "10.0.0.1"], "no_public_host"],
  ["127.0.0.1.nip.example", ["127.0.0.2"], "no_public_host"],
  ["unchecked.example", ["10.0.0.1"], "no_public_host"],
  ["nothing.example", [], "no_public_host"],
  ["unknown.example", "unknown", "no_public_host"],
  ["silent.example", "silent", "no_public_host"],
  ["public.example", ["8.8.8.8"], "not_https"],
  ["half.example", ["127.0.0.1", "8.8.8.8"], "not_https"],
];

let has_changed = true;
const zone = (name: string, count: number): Resolved => {
  if (name === "rebinding.example") return [count % 2 === 0 ? "127.0.0.1" : "127.0.0.2"];
  const later = names.find(([one]) => one === name)?.[1] ?? "unknown";
  return has_changed ? later : ["127.0.0.1"];
};

let resolver: DnsServer;
let traps: Trap;
let service: SourceService;
let who: Holder;
beforeAll(async () => {
  resolver = await startDnsServer(zone);
  traps = await startTraps(Number(port), ["127.0.0.2", "::1"]);
  service = await startResolving(settings, resolver);
  who = await claim(service.url, "agent");
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  traps.stop();
  resolver.stop();
  removeDirectory(directory);
});

const at = (url: string): string => url.replaceAll("PORT", port);
const set = (url: string, { pair } = who) => {
  const headers = { "content-type": "application/json", ...pair };
  return send("PUT", `${service.url}/api/mailbox/webhook`, headers, JSON.stringify({ url: at(url) }));
};
const becauseOf = ({ status, body }: { status: number; body: string }) => ({
  status,
  ...(JSON.parse(body) as { code: string; because: string }),
});

function expectNothingReached(): void {
  expect(traps.connections).toBe(0);
  expect(receiver.challenges).toEqual([]);
  expect(receiver.calls).toEqual([]);
}

describe("when a webhook is set,", () => {
  test.each(refused)("%s is refused as %s", async (url, because) => {
    expect(becauseOf(await set(url))).toMatchObject({ status: 422, code: "webhook_refused", because });
    expectNothingReached();
  });

  test.each(names)("http://%s, which resolves to %j, is refused as %s", async (name, _found, because) => {
    const answer = becauseOf(await set(`http://${name}:PORT/hook`));
    expect(answer).toMatchObject({ status: 422, code: "webhook_refused", because });
    expectNothingReached();
  });

  test("nothing is looked up for an address that is invalid", async () => {
    const before = new Map(resolver.resolved);
    for (const url of list(invalid)) await set(url);
    expect(resolver.resolved).toEqual(before);
  });

  test("nothing is stored, and the log and the answers name no address of the network", async () => {
    expect((await get(`${service.url}/api/mailbox/webhook`, who.pair)).status).toBe(404);
    const { body } = await set("http://private.example:PORT/hook");
    expect(body).not.toMatch(/10\.0\.0|private|127\.0\.0\.2/);
    expect(service.output()).not.toMatch(/10\.0\.0\.1|169\.254/);
  });

  test("the answer for a private name is that for an unknown one, but for the id of the request", async () => {
    const answers = [];
    for (const name of ["private", "loopback", "mixed", "nothing", "silent", "unknown"]) {
      const { status, headers, body } = await set(`http://${name}.example:PORT/hook`);
      const { "x-request-id": id = "", date: _, ...others } = Object.fromEntries(headers);
      answers.push({ status, others, body: body.replaceAll(id, "ID") });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]!);
    expect(answers[0]!.body).toContain("ID");
  });
});

test("http is refused before any look-up where no network is allowed", async () => {
  const nowhere = await startResolving({ webhooks: true }, resolver);
  const { pair } = await claim(nowhere.url, "agent");
  const before = new Map(resolver.resolved);
  for (const url of [at("http://127.0.0.1:PORT/"), "http://private.example/", "http://unknown.example/"]) {
    const headers = { "content-type": "application/json", ...pair };
    const answer = await send("PUT", `${nowhere.url}/api/mailbox/webhook`, headers, JSON.stringify({ url }));
    expect(becauseOf(answer)).toMatchObject({ status: 422, because: "not_https" });
  }
  expect(resolver.resolved).toEqual(before);
  expectNothingReached();
  await nowhere.stop();
});

test("a name that is allowed at one look-up and private at the next leads to checked addresses only", async () => {
  const url = "http://rebinding.example:PORT/hook";
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) statuses.push((await set(url)).status);
  // Each request resolves the name once: there is no second look-up whose answer would be used.
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 200 : 422)));
  expect(resolver.resolved.get("rebinding.example")).toBe(20);
  const delivered: boolean[] = [];
  for (let i = 0; i < 20; i++) {
    const { body } = await post<WebhookTested>(`${service.url}/api/mailbox/webhook/test`, {}, who.pair);
    if (!body.delivered) expect(body.because).toBe("no_public_host");
    delivered.push(body.delivered);
  }
  expect(delivered).toEqual(Array.from({ length: 20 }, (_, i) => i % 2 === 0));
  expect(receiver.challenges.length).toBe(10);
  expect(receiver.calls.splice(0).length).toBe(10);
  expect(traps.connections).toBe(0);
});

test("a webhook that was set when its address was allowed is not called once it is refused", async () => {
  has_changed = false;
  const holders = new Map<string, [Holder, string]>();
  const { api } = await open(service.url, "Calling");
  for (const [i, [url, because]] of refused.entries()) {
    const holder = await claim(service.url, `holder-${i}`);
    expect((await set(receiver.url, holder)).status).toBe(200);
    // Another release may have stored what this one refuses.
    if (URL.canParse(at(url))) holders.set(at(url), [holder, because]);
  }
  for (const [i, [name, , because]] of names.entries()) {
    const holder = await claim(service.url, `named-${i}`);
    const url = `http://${name}:${port}/hook`;
    expect((await set(url, holder)).status).toBe(200);
    holders.set(url, [holder, because]);
  }
  receiver.challenges.splice(0);
  await service.stop();
  const sql = "UPDATE webhooks SET url = $1 WHERE owner = (SELECT canonical FROM names WHERE name = $2)";
  for (const [url, [{ name }]] of holders) await stored(directory, sql, url, name);
  has_changed = true;
  service = await startResolving(settings, resolver);
  for (const [{ name }] of holders.values()) {
    const posted = await post(`${service.url}${new URL(api).pathname}/posts`, {
      name: "Bob",
      body: `@${name}`,
    });
    expect(posted.status).toBe(201);
  }
  for (const [url, [{ pair }, because]] of holders) {
    for (;;) {
      const { call } = (await get<Webhook>(`${service.url}/api/mailbox/webhook`, pair)).body;
      if (call?.failed) {
        expect({ url, ...call.failed }).toEqual({ url, because: because as never });
        break;
      }
      service.clock.advance(0.01);
      await Bun.sleep(1);
    }
  }
  expect(holders.size).toBeGreaterThan(100);
  expectNothingReached();
  expect(service.output()).not.toMatch(/10\.0\.0\.1|169\.254|127\.0\.0\.2/);
});
