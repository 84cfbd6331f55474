/** Every route of the admin API, and the page for admins, refuses all calls without a token of the scope, and reveals nothing. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { App } from "../../src/app/app.ts";
import { createTestApp } from "../support/app.ts";
import { openStorage, type AppStorage } from "../../src/app/storage.ts";
import { createLog } from "../../src/core/log.ts";
import type { Ingress } from "../../src/web/ingress.ts";
import { FakeClock } from "../support/clock.ts";
import { rawRequest } from "../support/raw.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";
import { asOwner } from "../support/admin.ts";

const canary = "what admins alone may read";
const directory = newDirectory();
const clock = new FakeClock();
let log_text = "";
const log = createLog(clock, "debug", (line) => void (log_text += line));
let storage: AppStorage;
let app: App;
let moderator: string;
let key: string;

const ask = async <Body = { token: string }>(fetch: Ingress, method: string, path: string, sent?: object) => {
  const response = await fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { host: "localhost", "content-type": "application/json" },
      ...(sent && { body: JSON.stringify(sent) }),
    }),
  );
  return (await response.json()) as Body;
};

beforeAll(async () => {
  storage = await openStorage(directory, clock, log);
  app = await createTestApp(storage, clock, log, {
    // A page of any origin may call a public service.
    data_dir: directory,
    base_url: "https://wharf.example",
    allowed_hosts: ["localhost"],
  });
  const owner = app.fetchForOwner;
  moderator = (await ask(owner, "POST", "/api/admin/tokens", { label: canary, scope: "moderate" })).token;
  ({ key } = await ask<{ key: string }>(app.fetch, "POST", "/api/name", { name: "Ada" }));
  await ask(owner, "POST", "/api/admin/names/eve/reserve", { reason: canary });
  await ask(owner, "POST", "/api/admin/bans", { network: "192.0.2.0/24", reason: canary });
});
afterAll(async () => {
  app.close();
  await storage.close();
  removeDirectory(directory);
});

/** What a token with the scope `moderate` may call. Every other route takes `operate`, also one that is added later. */
const of_moderate =
  /^\w+ \/(?:admin|api\/admin\/(?:audit|bans|jobs|lockers|names|posts|reports|rooms))(?:\/|$)|^(?:GET \/api\/admin\/clients|POST \/api\/admin\/clients\/end)$/;
const routes = () =>
  app.routes.filter(
    ({ path }) => path === "/admin" || path.startsWith("/admin/") || path.startsWith("/api/admin/"),
  );

const bodies: Record<string, object> = {
  "/api/admin/bans": { network: "198.51.100.1", reason: "floods" },
  "/api/admin/bans/lift": { network: "192.0.2.0/24", reason: "over" },
  "/api/admin/rooms/:room/leases/break": { paths: ["src"], reason: "its holder is gone" },
  "/api/admin/tokens": { label: "eve", scope: "operate" },
  "/api/admin/invites": {},
  "/api/admin/clients": { name: "Example", redirect_uris: ["https://client.example/callback"] },
  "/api/admin/clients/end": { client_id: "https://client.example/metadata.json", reason: "floods" },
};
const of_most = { reason: "illegal" };
const basic = (password: string) => `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`;

/** The answer to a valid call of a route. */
function answerTo(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const has_body = method === "POST";
  const is_form = path === "/admin" && has_body;
  const body = is_form ? "action=reserve&target=mallory&reason=x" : JSON.stringify(bodies[path] ?? of_most);
  const type = is_form ? "application/x-www-form-urlencoded" : "application/json";
  return app.fetch(
    new Request(`http://localhost${path.replace(/:\w+/g, "5")}`, {
      method,
      headers: {
        host: "localhost",
        ...(has_body && { "content-type": type }),
        // A form is accepted from a page of the service only.
        ...(is_form && { origin: "https://wharf.example" }),
        ...headers,
      },
      ...(has_body && { body }),
    }),
  );
}

/** The status of the answer. Throws if it contains what admins alone may read, or lets pages send credentials. */
async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const response = await answerTo(method, path, headers);
  const text = await response.text();
  expect([method, path, text.includes(canary)]).toEqual([method, path, false]);
  expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  return response.status;
}

const expected = (status: (path: string) => number) =>
  routes().map(({ method, path }) => `${method} ${path} ${status(path)}`);
const answered = async (headers: Record<string, string>) => {
  const statuses: string[] = [];
  for (const { method, path } of routes())
    statuses.push(`${method} ${path} ${await statusOf(method, path, headers)}`);
  return statuses;
};

test("the walk has all routes of admins", () => {
  expect(routes().length).toBeGreaterThan(25);
  expect(app.routes.filter(({ path }) => /admin/i.test(path)).map(({ path }) => path)).toEqual(
    expect.arrayContaining(routes().map(({ path }) => path)),
  );
});

test("nobody calls them without a token, or with the key of a name", async () => {
  const nobody: Record<string, string>[] = [
    {},
    { "x-wf-key": key },
    { authorization: `Bearer ${key}` },
    { authorization: basic(key) },
    { authorization: "Bearer owner" },
    { "x-wf-key": moderator },
  ];
  for (const headers of nobody) expect(await answered(headers)).toEqual(expected(() => 401));
});

test("a moderator calls what takes the scope moderate, and nothing else", async () => {
  for (const authorization of [`Bearer ${moderator}`, basic(moderator)]) {
    for (const { method, path } of routes()) {
      const may = of_moderate.test(`${method} ${path}`);
      const status = may
        ? (await answerTo(method, path, { authorization })).status
        : await statusOf(method, path, { authorization });
      expect([method, path, status !== 403]).toEqual([method, path, may]);
    }
  }
});

test("HEAD and OPTIONS reveal nothing", async () => {
  for (const { path } of routes()) {
    expect(await statusOf("OPTIONS", path, {})).toBe(204);
    const methods = routes().filter((route) => route.path === path);
    if (methods.some(({ method }) => method === "GET")) expect(await statusOf("HEAD", path, {})).toBe(401);
  }
});

test("no page of another origin calls them with what a browser sends by itself", async () => {
  const elsewhere = { authorization: basic(moderator), origin: "https://evil.example" };
  for (const { method, path } of routes()) {
    if (method === "POST") expect([path, await statusOf(method, path, elsewhere)]).toEqual([path, 403]);
  }
  // An image or a link of another site sends no Origin.
  for (const site of ["cross-site", "same-site"]) {
    const headers = { authorization: basic(moderator), "sec-fetch-site": site };
    expect([site, await statusOf("GET", "/api/admin/bans", headers)]).toEqual([site, 403]);
  }
});

test("a person who opens the admin API in a browser reads it", async () => {
  const headers = { host: "localhost", authorization: basic(moderator), "sec-fetch-site": "none" };
  const { status } = await app.fetch(new Request("http://localhost/api/admin/bans", { headers }));
  expect(status).toBe(200);
});

test("no log line has a canary, a token or a key", () => {
  for (const text of [canary, moderator, key]) expect(log_text).not.toContain(text);
});

test("no other spelling of a path leads to them", async () => {
  const service = await startSource();
  await asOwner(service, "POST", "/api/admin/names/eve/reserve", { reason: canary });
  const host = new URL(service.url).host;
  const targets = [
    "//api/admin/audit",
    "/api//admin/audit",
    "/api/%61dmin/audit",
    "/API/admin/audit",
    "/api/admin/../admin/audit",
    "/healthz/../api/admin/audit",
    "/healthz%2f..%2fapi%2fadmin%2faudit",
    "/api/admin/audit/",
    "/api/admin/audit;x",
    "/api/admin/audit%00",
    "\\api\\admin\\audit",
    `http://${host}/api/admin/audit`,
    `http://${host}//api/admin/audit`,
    "http://localhost/api/admin/audit",
  ];
  for (const target of targets) {
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", "", ""];
    const { status, body } = await rawRequest(service.url, lines);
    expect([target, status >= 400, body.includes(canary)]).toEqual([target, true, false]);
  }
  await service.stop();
});
