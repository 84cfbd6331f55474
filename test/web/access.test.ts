/** Every route authenticates its caller. A service with a route that states no need does not start. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { App } from "../../src/app/app.ts";
import { createTestApp } from "../support/app.ts";
import { openStorage, type AppStorage } from "../../src/app/storage.ts";
import { createLog } from "../../src/core/log.ts";
import { mountedRoutes } from "../../src/web/mounted_routes.ts";
import { checkNeeds, createAccess } from "../../src/web/access.ts";
import { FakeClock } from "../support/clock.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const directory = newDirectory();
const clock = new FakeClock();
const log = createLog(clock, "debug", () => {});
let storage: AppStorage;
let app: App;
beforeAll(async () => {
  storage = await openStorage(directory, clock, log, { max_bytes: 2 ** 40, min_free_bytes: 0 });
  app = await newApp();
});
afterAll(async () => {
  app.close();
  await storage.close();
  removeDirectory(directory);
});

const newApp = (): Promise<App> => createTestApp(storage, clock, log);

/** Bodies that the schemas accept, so that the credential is the only fault of the request. */
const bodies: Record<string, object> = {
  "/api/meet/rooms": { goal: "A room", name: "Zoë" },
  "/api/meet/rooms/:room/posts": { name: "Zoë", body: "hello" },
  "/api/name": { name: "Ada" },
  "/api/name/recover": { name: "Ada", recovery_code: "none" },
  "/api/name/revoke": { key: "none" },
  "/api/locker/*": { value: "text" },
  "/api/jobs": { title: "A job", detail: "To be done." },
  "/api/jobs/:id/deliver": { result: "done" },
  "/api/jobs/:id/review": { verdict: "accepted" },
  "/api/mailbox/ack": { through: 0 },
  "/api/mailbox/reached": { through: 1, by: "watch" },
  "/api/mailbox/delivery": { shown: false },
  "/api/mailbox/webhook": { url: "https://127.0.0.1/hook" },
  "/receipt/verify": { receipt: "none" },
  "/api/meet/rooms/:room/posts/:id/report": { reason: "an address" },
  "/api/meet/rooms/:room/leases": { paths: ["src"], ttl_seconds: 60 },
  "/api/meet/rooms/:room/leases/extend": { fence: 1, ttl_seconds: 60 },
  "/api/meet/rooms/:room/leases/release": { fence: 1 },
  "/api/meet/rooms/:room/leases/break": { paths: ["src"] },
  "/api/meet/rooms/:room/leases/check": { paths: ["src"] },
  "/api/admin/rooms/:room/leases/break": { paths: ["src"], reason: "its holder is gone" },
  "/api/admin/bans": { network: "192.0.2.1", reason: "floods" },
  "/api/admin/bans/lift": { network: "192.0.2.1", reason: "over" },
  "/api/admin/clients": { name: "A client", redirect_uris: ["https://client.example/callback"] },
  "/api/admin/clients/end": { client_id: "none", reason: "spam" },
  "/api/admin/tokens": { label: "grace", scope: "moderate" },
  "/api/meet/rooms/:room/pace": { pace: "none" },
  "/api/meet/rooms/:room/members": { name: "Ada" },
  "/mcp": { jsonrpc: "2.0", id: 1, method: "ping" },
  "/mcp/meet": { jsonrpc: "2.0", id: 1, method: "ping" },
  "/mcp/meet/:room": { jsonrpc: "2.0", id: 1, method: "ping" },
};
/** The body of most actions of admins. */
const of_most_actions = { reason: "illegal" };
const queries: Record<string, string> = { "/receipt/verify": "?r=none", "/beacon": "?round=5" };

function call(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const body = method === "GET" || method === "DELETE" ? undefined : (bodies[path] ?? of_most_actions);
  const target = path.replace(/:\w+|\*/g, "5") + (method === "GET" ? (queries[path] ?? "") : "");
  return app.fetch(
    new Request(`http://localhost${target}`, {
      method,
      headers: { host: "localhost", ...(body && { "content-type": "application/json" }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
}

test("every route of the API is in the OpenAPI document, but for the second addresses of Markdown", async () => {
  const answer = await app.fetch(
    new Request("http://localhost/openapi.json", { headers: { host: "localhost" } }),
  );
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  const of_api = app.routes.filter(({ path }) => path.startsWith("/api/") && !path.endsWith(".md"));
  const missing = of_api.filter(({ method, path }) => {
    const open_path = path.replace(/:(\w+)/g, "{$1}").replace("*", "{slot}");
    return !(method.toLowerCase() in (paths[open_path] ?? {}));
  });
  expect(of_api.length).toBeGreaterThan(60);
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

describe("a wrong credential", () => {
  test.each([
    ["a wrong key", { "x-wf-key": "wrong" }],
    ["a wrong bearer key", { authorization: "Bearer wrong" }],
    ["a name without its key", { "x-wf-name": "Ada" }],
    ["two keys", { "x-wf-key": "one", authorization: "Bearer two" }],
  ])("is refused at every route: %s", async (_, headers) => {
    expect(app.routes.length).toBeGreaterThan(80);
    for (const { method, path } of app.routes) {
      const { status, headers: answered } = await call(method, path, headers as Record<string, string>);
      expect([method, path, status, answered.get("www-authenticate")?.slice(0, 6)]).toEqual([
        method,
        path,
        401,
        "Bearer",
      ]);
    }
  });
});

describe("a route that states no need", () => {
  const { access } = createAccess({
    authenticate: async () => Promise.reject(new Error("not called")),
    authenticateAdmin: async () => Promise.reject(new Error("not called")),
    base: () => "",
    identityOf: () => ({ name: "", canonical: "", key_sha256: "" }),
    members: null,
    oauth: false,
    idempotency: {
      callerReplacing: () => Promise.reject(),
    },
  });

  test("is found in the app and in plugins of it, also if it has other hooks", () => {
    const said = () =>
      new Elysia()
        .use(access)
        .get("/a", () => "", { needs: "public" })
        .post("/b", () => "", { needs: "named", beforeHandle: () => {} })
        .get("/c", () => "", { credential_in_arguments: "reader" });
    expect(() => checkNeeds(mountedRoutes(said()))).not.toThrow();
    const planted = new Elysia({ name: "planted" }).use(access).get("/planted", () => "", {
      beforeHandle: () => {},
    });
    expect(() => checkNeeds(mountedRoutes(said().use(planted)))).toThrow(
      "GET /planted does not state what it needs",
    );
  });

  test("keeps the service from starting", async () => {
    const get = Elysia.prototype.get;
    // Plants a route in one feature.
    Elysia.prototype.get = function (this: Elysia, ...route: Parameters<typeof get>) {
      if (route[0] === "/.well-known/jwks.json") get.call(this, "/planted", () => "");
      return get.apply(this, route);
    } as typeof get;
    try {
      const failed = await newApp().catch(String);
      expect(failed).toContain("GET /planted does not state what it needs");
    } finally {
      Elysia.prototype.get = get;
    }
  });
});
