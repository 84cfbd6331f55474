/** What a moderator cannot do: reach what is private, or exclude many callers, or the owner. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { secretFrom, secret_prefixes } from "../../src/core/secrets.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let moderator: Record<string, string>;
let operator: Record<string, string>;
beforeAll(async () => {
  service = await startSource();
  const tokenOf = async (label: string, scope: string) => {
    const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", { label, scope });
    return { authorization: `Bearer ${made.body.token}` };
  };
  moderator = await tokenOf("grace", "moderate");
  operator = await tokenOf("olga", "operate");
});
afterAll(() => service.stop());

const reason = "floods rooms";
const from = (address: string) => ({ "x-forwarded-for": address });
const ban = (network: string, by: Record<string, string>) =>
  post<{ code?: string }>(`${service.url}/api/admin/bans`, { network, reason }, by);

test("removes public slots, and private ones only with the scope operate", async () => {
  const ada = await claim(service.url, "ada");
  const put = (slot: string, is_public: boolean) =>
    call("PUT", `${service.url}/api/locker/${slot}`, { value: "x", public: is_public }, ada.pair);
  await put("private", false);
  await put("public", true);
  const remove = (slot: string, by: Record<string, string>) =>
    post<{ code?: string }>(`${service.url}/api/admin/lockers/ada/${slot}/remove`, { reason }, by);
  const refused = await remove("private", moderator);
  expect([refused.status, refused.body.code]).toEqual([403, "scope_missing"]);
  expect((await get(`${service.url}/api/locker/private`, ada.pair)).status).toBe(200);
  expect((await remove("public", moderator)).status).toBe(200);
  expect((await remove("none", moderator)).status).toBe(404);
  expect((await remove("private", operator)).status).toBe(200);
  const audit = await asOwner<{ lines: { action: string; target: string }[] }>(
    service,
    "GET",
    "/api/admin/audit",
  );
  expect(audit.body.lines.filter(({ action }) => action === "slot.remove")).toHaveLength(2);
});

test("releases a name whose locker has a private slot only with the scope operate", async () => {
  const bea = await claim(service.url, "bea");
  const put = (slot: string, is_public: boolean) =>
    call("PUT", `${service.url}/api/locker/${slot}`, { value: "x", public: is_public }, bea.pair);
  await put("public", true);
  await put("private", false);
  const release = (by: Record<string, string>) =>
    post<{ code?: string }>(`${service.url}/api/admin/names/bea/release`, { reason }, by);
  const refused = await release(moderator);
  expect([refused.status, refused.body.code]).toEqual([403, "scope_missing"]);
  expect((await get(`${service.url}/api/locker/private`, bea.pair)).status).toBe(200);
  expect((await release(operator)).status).toBe(200);
  const cleo = await claim(service.url, "cleo");
  await call("PUT", `${service.url}/api/locker/public`, { value: "x", public: true }, cleo.pair);
  expect((await post(`${service.url}/api/admin/names/cleo/release`, { reason }, moderator)).status).toBe(200);
});

test.each(["128.0.0.0/1", "10.0.0.0/15", "2000::/3", "2001:db8::/31"])(
  "bans %s only with the scope operate",
  async (network) => {
    const refused = await ban(network, moderator);
    expect([refused.status, refused.body.code]).toEqual([403, "scope_missing"]);
    expect((await ban(network, operator)).status).toBe(200);
    const lifted = await asOwner(service, "POST", "/api/admin/bans/lift", { network, reason });
    expect(lifted.body).toMatchObject({ lifted: true });
  },
);

test("bans a /16 and an IPv6 /32 with the scope moderate", async () => {
  for (const network of ["198.51.0.0/16", "2001:db8::/32"]) {
    expect((await ban(network, moderator)).status).toBe(200);
    await asOwner(service, "POST", "/api/admin/bans/lift", { network, reason });
  }
});

test("no ban refuses a call with a token of the scope operate", async () => {
  expect((await ban("203.0.113.0/24", moderator)).status).toBe(200);
  const audit = (headers: Record<string, string>) =>
    get<{ code?: string }>(`${service.url}/api/admin/audit`, { ...headers, ...from("203.0.113.9") });
  expect((await audit(operator)).status).toBe(200);
  for (const by of [moderator, {}, { authorization: "Bearer wfa_nothing" }]) {
    const refused = await audit(by);
    expect([refused.status, refused.body.code]).toEqual([403, "address_banned"]);
  }
  const network = "203.0.113.0/24";
  const lift = { network, reason };
  const lifted = await post(`${service.url}/api/admin/bans/lift`, lift, {
    ...operator,
    ...from("203.0.113.9"),
  });
  expect(lifted.body).toMatchObject({ network, lifted: true });
});

test("a banned caller with a text of the form of a token uses up the limit of its address", async () => {
  const limited = await startSource({ rate_limit: true, reads_per_minute_by_address: 3 });
  try {
    await asOwner(limited, "POST", "/api/admin/bans", { network: "203.0.113.0/24", reason });
    const statuses = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, ...from("203.0.113.9") };
      const calls = [];
      for (let i = 0; i < 4; i++) calls.push((await get(`${limited.url}/api/admin/audit`, headers)).status);
      return calls;
    };
    expect(await statuses("no-token")).toEqual([403, 403, 403, 403]);
    const forged = secretFrom(secret_prefixes.admin_token, new Uint8Array(32));
    expect(await statuses(forged)).toEqual([403, 403, 403, 429]);
  } finally {
    await limited.stop();
  }
});
