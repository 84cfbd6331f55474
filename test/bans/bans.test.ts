/** Bans of networks: what a banned address gets, and what it has open. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { runHere } from "../support/commands.ts";
import { call, send } from "../support/http.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { following, modern } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { open, speak, uriOf } from "../support/rooms.ts";
import { withStored } from "../support/stored.ts";
import { ban_limits } from "../../src/api/limits.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const from = (address: string) => ({ "x-forwarded-for": address });
const reason = "floods rooms";
const ban = (network: string, until?: string) =>
  asOwner(service, "POST", "/api/admin/bans", { network, reason, ...(until && { until }) });
const lift = (network: string) => asOwner(service, "POST", "/api/admin/bans/lift", { network, reason });
const read = (address: string, path = "/api/meet/rooms") =>
  call("GET", `${service.url}${path}`, undefined, from(address));

test("refuses a banned address everywhere but at /healthz, and no other", async () => {
  expect((await ban("203.0.113.0/24")).body).toMatchObject({
    network: "203.0.113.0/24",
    until: null,
    reason,
  });
  for (const path of [
    "/api/meet/rooms",
    "/readyz",
    "/llms.txt",
    "/openapi.json",
    "/api/beacon",
    "/nowhere",
  ]) {
    const refused = await read("203.0.113.9", path);
    expect([path, refused.status, refused.body.code]).toEqual([path, 403, "address_banned"]);
    expect(JSON.stringify(refused.body)).not.toContain(reason);
  }
  expect((await read("::ffff:203.0.113.9")).status).toBe(403);
  expect((await read("203.0.113.9", "/healthz")).status).toBe(200);
  expect((await read("203.0.114.9")).status).toBe(200);
  const page = await send("GET", `${service.url}/meet`, { ...from("203.0.113.9"), accept: "text/html" });
  expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const rpc = await call("POST", `${service.url}/mcp`, ping, from("203.0.113.9"));
  expect(rpc.status).toBe(403);
  expect(rpc.body).toMatchObject({ error: { message: expect.stringContaining("address_banned") } });
  expect((await lift("203.0.113.0/24")).body).toMatchObject({ network: "203.0.113.0/24", lifted: true });
  expect((await read("203.0.113.9")).status).toBe(200);
});

test("ends the waits, streams and MCP calls of a banned address at once", async () => {
  const room = await open(service.url, "Bans");
  const other = await readEvents(`${room.api}/stream`, from("198.51.100.8"));
  const stream = await readEvents(`${room.api}/stream`, from("198.51.100.7"));
  const wait = call("GET", `${room.api}?wait_seconds=50&since=0`, undefined, from("198.51.100.7"));
  const tool = { name: "meet_read", arguments: { room: room.slug, since: 0, wait_seconds: 50 } };
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool };
  const mcp = call("POST", `${service.url}/mcp`, rpc, from("198.51.100.7"));
  while (service.open().waits < 2 || service.open().streams < 2) await Bun.sleep(1);
  await ban("198.51.100.7");
  expect(await stream.next()).toBeNull();
  expect((await wait).body).toMatchObject({ status: 403, code: "address_banned" });
  expect(JSON.stringify((await mcp).body)).toContain("address_banned");
  while (service.open().waits > 0 || service.open().streams > 1) await Bun.sleep(1);
  await speak(room, "still here");
  expect(await other.next()).toMatchObject({ event: "post" });
  await other.close();
});

test("ends what a caller with the key of a name has open, too", async () => {
  const headers = { ...(await claim(service.url, "Grace")).pair, ...from("198.51.100.17") };
  const room = await open(service.url, "Bans of names");
  const stream = await readEvents(`${room.api}/stream`, headers);
  const mailbox = await readEvents(`${service.url}/api/mailbox/stream`, headers);
  const wait = call("GET", `${room.api}?wait_seconds=50&since=0`, undefined, headers);
  while (service.open().waits < 1 || service.open().streams < 2) await Bun.sleep(1);
  await ban("198.51.100.17");
  await speak(room, "Hello @Grace");
  expect([await stream.next(), await mailbox.next()]).toEqual([null, null]);
  expect((await wait).body).toMatchObject({ status: 403, code: "address_banned" });
});

test("ends the notification streams of a banned address", async () => {
  const room = await open(service.url, "Followed");
  const { headers, body } = modern("subscriptions/listen", following([uriOf(room)]));
  const sent = { ...headers, ...from("198.51.100.66") };
  const listening = await readEvents(`${service.url}/mcp`, sent, JSON.stringify(body));
  expect((await listening.next())?.data).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
  });
  await ban("198.51.100.66");
  expect(await listening.next()).toBeNull();
});

test("ends a ban at its time, by the clock of the service, and says until when it is", async () => {
  const until = new Date(service.clock.now() + 60_000).toISOString();
  expect((await ban("2001:db8:1:2:3::7", until)).body).toMatchObject({ network: "2001:db8:1:2::/64", until });
  const refused = await read("2001:db8:1:2::9");
  expect(refused.body).toMatchObject({ code: "address_banned", until });
  service.clock.advance(61);
  expect((await read("2001:db8:1:2::9")).status).toBe(200);
  expect(
    (await asOwner<{ bans: { network: string }[] }>(service, "GET", "/api/admin/bans")).body.bans,
  ).not.toContainEqual(expect.objectContaining({ network: "2001:db8:1:2::/64" }));
  expect((await ban("192.0.2.1", "2020-01-01T00:00:00.000Z")).status).toBe(422);
});

test("refuses to ban loopback, a trusted proxy and what is no network", async () => {
  for (const network of ["127.0.0.1", "127.0.0.0/9", "0.0.0.0/0", "::1", "::/0", "::ffff:127.0.0.1"]) {
    const refused = await ban(network);
    expect([network, refused.status, refused.body.code]).toEqual([network, 409, "cannot_ban"]);
  }
  for (const network of ["ada", "1.2.3.4/40", "::1%lo"]) {
    expect([network, (await ban(network)).body.code]).toEqual([network, "invalid_fields"]);
  }
  const behind = await startSource({ trusted_proxies: ["192.0.2.0/24"] });
  const refused = await asOwner(behind, "POST", "/api/admin/bans", { network: "192.0.2.7", reason });
  expect(refused.body).toMatchObject({ code: "cannot_ban", detail: expect.stringContaining("192.0.2.0/24") });
  await behind.stop();
});

test("writes one line of the audit log for each change, and none for a repetition", async () => {
  const lines = async () =>
    (await asOwner<{ lines: { action: string; target: string }[] }>(service, "GET", "/api/admin/audit")).body
      .lines.length;
  const before = await lines();
  const first = await ban("192.0.2.77");
  const { network, until, reason, created } = first.body;
  const found = { ban: { until, reason, created }, open_calls: 0 };
  expect((await ban("192.0.2.77")).body).toEqual({ network, until, reason, created, found });
  expect((await lift("192.0.2.77")).body).toMatchObject({ lifted: true });
  expect((await lift("192.0.2.77")).body).toMatchObject({ lifted: false });
  expect(await lines()).toBe(before + 2);
});

test("lists the bans by pages, and reads them again at the next start", async () => {
  const data_dir = newDirectory();
  const first = await startSource({ data_dir });
  for (const network of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
    await asOwner(first, "POST", "/api/admin/bans", { network, reason });
  }
  interface Page {
    bans: { network: string }[];
    next: string | null;
  }
  const page = async (cursor = "") =>
    (await asOwner<Page>(first, "GET", `/api/admin/bans?limit=2${cursor}`)).body;
  const { bans, next } = await page();
  const rest = await page(`&cursor=${next}`);
  expect([...bans, ...rest.bans].map(({ network }) => network)).toEqual([
    "203.0.113.1/32",
    "203.0.113.2/32",
    "203.0.113.3/32",
  ]);
  expect(rest.next).toBeNull();
  await first.stop();
  const second = await startSource({ data_dir });
  const refused = await call("GET", `${second.url}/api/meet/rooms`, undefined, from("203.0.113.2"));
  expect(refused.body).toMatchObject({ code: "address_banned" });
  expect(refused.body).not.toHaveProperty("contact");
  await second.stop();
  const third = await startSource({ data_dir, contact: "ops@wharf.example" });
  const helpful = await call("GET", `${third.url}/api/meet/rooms`, undefined, from("203.0.113.2"));
  expect(helpful.body).toMatchObject({
    contact: "ops@wharf.example",
    hint: "The operator: ops@wharf.example",
  });
  await third.stop();
  removeDirectory(data_dir);
});

test("wharf admin bans lists all bans, however many there are", async () => {
  const data_dir = newDirectory();
  const many = await startSource({ data_dir });
  const networks = Array.from(
    { length: ban_limits.bans_page_max + 1 },
    (_, i) => `10.${i >> 8}.${i & 255}.0/24`,
  );
  await withStored(data_dir, async ({ run }) => {
    for (const network of networks)
      await run("INSERT INTO bans (network, reason, created) VALUES ($1, 'x', '')", network);
  });
  const list = (...args: string[]) => runHere({}, "admin", "bans", "--data-dir", data_dir, ...args);
  const { printed, errors, status } = await list();
  const listed = printed.trimEnd().split("\n");
  expect([errors, status, listed.length]).toEqual(["", 0, networks.length]);
  expect(listed.map((line) => line.split(" ")[0]!)).toEqual(networks.toSorted());
  const answer = JSON.parse((await list("--json")).printed) as { bans: object[]; next: null };
  expect([answer.bans.length, answer.next]).toEqual([networks.length, null]);
  await many.stop();
  removeDirectory(data_dir);
});

test("changes a ban when there are as many as there can be, and makes no further one", async () => {
  const data_dir = newDirectory();
  await (await startSource({ data_dir })).stop();
  await withStored(data_dir, async ({ run }) => {
    const insert = "INSERT INTO bans (network, reason, created) VALUES ($1, 'x', '')";
    for (let i = 0; i < ban_limits.bans_max; i++)
      await run(insert, `${10 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`);
  });
  const full = await startSource({ data_dir });
  const banned = (network: string) => asOwner(full, "POST", "/api/admin/bans", { network, reason });
  expect(await banned("10.0.7.0/24")).toMatchObject({ status: 200, body: { reason } });
  expect((await banned("192.0.2.0/24")).body).toMatchObject({ code: "too_many_bans" });
  await full.stop();
  removeDirectory(data_dir);
});
