/**
 * Under `--read members`, a caller without the key of a claimed name gets nothing but what is listed here: a walk over every
 * route, tool, resource, prompt and completion, at every MCP address and in both eras of the protocol. No byte of an answer is a
 * text of the instance. The same walk with a member's key gets in.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { App } from "../../src/app/app.ts";
import { withoutId } from "../support/http.ts";
import { createTestApp } from "../support/app.ts";
import { openStorage, type AppStorage } from "../../src/app/storage.ts";
import { createLog } from "../../src/core/log.ts";
import { FakeClock } from "../support/clock.ts";
import { handshake, message, modern, type Rpc } from "../support/mcp_messages.ts";
import { mistyped } from "../support/names.ts";
import { newDirectory, removeDirectory, type TestSettings } from "../support/service.ts";

/** What stays public, and why. Everything else needs a member. */
const public_routes = new Set([
  // Monitors.
  "GET /healthz",
  "GET /readyz",
  // The page that says so needs its style.
  "GET /assets/:digest/:name",
  "GET /favicon.ico",
  // Nobody could become a member, or one again, without these.
  "POST /api/name",
  "POST /api/name/recover",
  "POST /api/name/revoke",
  "GET /claim",
  "POST /claim",
  "GET /claim/key",
  "POST /claim/key",
  // Where members sign in, and out.
  "GET /signin",
  "POST /signin",
  "POST /signout",
  // The keys, and the verification of receipts.
  "GET /.well-known/jwks.json",
  "GET /receipt/key",
  "GET /receipt/key.pem",
  "GET /receipt/verify",
  "POST /receipt/verify",
  "GET /receipt",
  "GET /receipt.md",
  "POST /receipt",
  // The beacon.
  "GET /api/beacon",
  "GET /api/beacon.md",
  "GET /api/beacon/:round",
  "GET /api/beacon/toss",
  "GET /api/beacon/days/:day",
  "GET /beacon",
  "GET /beacon.md",
  "GET /beacon/:round",
]);

/** Planted in every text of the instance that a caller can write. */
const canary = "zqcanary";
const clock = new FakeClock();
const directory = newDirectory();
let storage: AppStorage;
let app: App;
let key: string;
let suspended_key: string;
let room: { slug: string; host_key: string };
let post_id: string;
let job_id: string;
let receipt: string;

const fetched = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  of: App = app,
) =>
  of.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        host: "localhost",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );

async function made<Body>(method: string, path: string, body: unknown): Promise<Body> {
  const response = await fetched(method, path, key ? { "x-wf-key": key } : {}, body);
  expect([path, response.ok]).toEqual([path, true]);
  return (await response.json()) as Body;
}

const log = createLog(clock, "debug", () => {});
const newApp = (settings: TestSettings = {}): Promise<App> =>
  createTestApp(storage, clock, log, { read: "members", ...settings });

beforeAll(async () => {
  storage = await openStorage(directory, clock, log, { max_bytes: 2 ** 40, min_free_bytes: 0 });
  app = await newApp();
  const name = `Ada ${canary}`;
  const claimed = await made<{ key: string; receipt: string }>("POST", "/api/name", { name });
  key = claimed.key;
  receipt = claimed.receipt;
  suspended_key = (await made<{ key: string }>("POST", "/api/name", { name: "Mallory" })).key;
  const suspended = await app.fetchForOwner(
    new Request("http://localhost/api/admin/names/Mallory/suspend", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reason: "spam" }),
    }),
  );
  expect(suspended.status).toBe(200);
  room = await made("POST", "/api/meet/rooms", { goal: `goal ${canary}`, name });
  const said = { name, body: `body ${canary}, @${name}` };
  post_id = (await made<{ id: string }>("POST", `/api/meet/rooms/${room.slug}/posts`, said)).id;
  await made("PUT", "/api/locker/slot", { value: `value ${canary}`, public: true });
  const job = { title: `title ${canary}`, detail: `detail ${canary}`, tags: [canary] };
  await made("POST", `/api/meet/rooms/${room.slug}/leases`, {
    paths: [canary],
    ttl_seconds: 60,
    purpose: `purpose ${canary}`,
  });
  job_id = (await made<{ id: string }>("POST", "/api/jobs", job)).id;
});
afterAll(async () => {
  app.close();
  await storage.close();
  removeDirectory(directory);
});

/** The credentials that must not get in. */
const outsiders: [string, () => Record<string, string>, status: number][] = [
  ["no credential", () => ({}), 401],
  ["a wrong key", () => ({ "x-wf-key": "wrong" }), 401],
  ["a name without its key", () => ({ "x-wf-name": `Ada ${canary}` }), 401],
  ["a wrong bearer key", () => ({ authorization: "Bearer wrong" }), 401],
  ["an unknown key", () => ({ authorization: `Bearer ${mistyped(key)}` }), 401],
  ["a password for a proxy", () => ({ authorization: `Basic ${btoa("me:secret")}` }), 401],
  ["a wrong key by Basic", () => ({ authorization: `Basic ${btoa("Ada:wfk_wrong")}` }), 401],
  ["a key under another name by Basic", () => ({ authorization: `Basic ${btoa(`Eve:${key}`)}` }), 401],
  ["a cookie of no session", () => ({ cookie: `wharf=wfs_${"0".repeat(49)}` }), 401],
  ["a key as the cookie", () => ({ cookie: `wharf=${key}` }), 401],
  ["a host key", () => ({ "x-meet-key": room.host_key }), 401],
  ["the key of a suspended name", () => ({ "x-wf-key": suspended_key }), 403],
  [
    "the key of a suspended name by Basic",
    () => ({ authorization: `Basic ${btoa(`:${suspended_key}`)}` }),
    403,
  ],
];

/** Every byte of an answer that a caller sees. A stream is read until its first event. */
async function bytesOf(response: Response): Promise<string> {
  const head = JSON.stringify([...response.headers]);
  if (response.headers.get("content-type") !== "text/event-stream") return head + (await response.text());
  const reader = response.body!.getReader();
  const first = await reader.read();
  await reader.cancel();
  return head + new TextDecoder().decode(first.value);
}

/** Bodies that the schemas accept. */
const bodies: Record<string, () => unknown> = {
  "/api/meet/rooms": () => ({ goal: "Another", name: `Ada ${canary}` }),
  "/api/meet/rooms/:room/posts": () => ({ name: `Ada ${canary}`, body: "more" }),
  "/api/meet/rooms/:room/close": () => ({}),
  "/api/meet/rooms/:room/pace": () => ({ pace: "none" }),
  "/api/meet/rooms/:room/members": () => ({ name: `Ada ${canary}` }),
  "/api/meet/rooms/:room/leases": () => ({ paths: [canary], ttl_seconds: 60 }),
  "/api/meet/rooms/:room/leases/extend": () => ({ fence: 1, ttl_seconds: 60 }),
  "/api/meet/rooms/:room/leases/release": () => ({ fence: 1 }),
  "/api/meet/rooms/:room/leases/break": () => ({ paths: [canary] }),
  "/api/meet/rooms/:room/leases/check": () => ({ paths: [canary] }),
  "/api/name": () => ({ name: "" }),
  "/api/name/recover": () => ({ name: "Ada", recovery_code: "none" }),
  "/api/name/revoke": () => ({ key: "none" }),
  "/api/locker/*": () => ({ value: "text" }),
  "/api/jobs": () => ({ title: "A job", detail: "To be done." }),
  "/api/jobs/:id/deliver": () => ({ result: "done" }),
  "/api/jobs/:id/review": () => ({ verdict: "accepted" }),
  "/api/mailbox/ack": () => ({ through: 0 }),
  "/api/mailbox/reached": () => ({ through: 1, by: "watch" }),
  "/api/mailbox/delivery": () => ({ shown: true }),
  "/api/mailbox/webhook": () => ({ url: "https://127.0.0.1/hook" }),
  "/receipt/verify": () => ({ receipt: "none" }),
  "/api/meet/rooms/:room/posts/:id/report": () => ({ reason: "spam" }),
  "/mcp": () => message("ping"),
  "/mcp/meet": () => message("ping"),
  "/mcp/meet/:room": () => message("ping"),
};

/** The path of a route with the ids of what exists. */
const filled = (path: string): string =>
  path
    .replace("posts/:id", `posts/${post_id}`)
    .replace("/jobs/:id", `/jobs/${job_id}`)
    .replace(":room", room.slug)
    .replace(":post", "1")
    .replace(":day", "2026-01-01")
    .replace(":round", "5")
    .replace(":section", "rooms")
    .replace(":code", "internal")
    .replace(":slot", "slot")
    .replace(":name", encodeURIComponent(`Ada ${canary}`))
    .replace(":owner", encodeURIComponent(`Ada ${canary}`))
    .replace("*", "slot")
    .replace(/:\w+/g, "5");

const accepts = ["application/json", "text/html", "text/markdown", "text/event-stream", "*/*"];

/** The routes of admins take other credentials: test/admin has them. */
const routesOf = ({ routes }: App) => routes.filter(({ path }) => !/^\/(?:api\/)?admin(?:\/|$)/.test(path));

/** The calls that are answered otherwise than with a plain refusal of this status, and those whose answer has a text of the instance. */
async function openTo(headers: Record<string, string>, status = 401, of: App = app): Promise<string[]> {
  const found: string[] = [];
  for (const { method, path } of routesOf(of)) {
    for (const sent of method === "GET" ? ["GET", "HEAD"] : [method]) {
      for (const accept of accepts) {
        const body = /^(?:POST|PUT|PATCH)$/.test(sent) ? bodies[path]?.() : undefined;
        const response = await fetched(sent, filled(path), { accept, ...headers }, body, of);
        const is_refused =
          response.status === status &&
          (status !== 401 ||
            /^(?:Basic|Bearer) realm=/.test(response.headers.get("www-authenticate") ?? "")) &&
          response.headers.get("cache-control") === "no-store";
        const has_text = (await bytesOf(response)).includes(canary);
        if (has_text || !(is_refused || public_routes.has(`${method} ${path}`)))
          found.push([sent, path, accept, response.status].join());
      }
    }
  }
  return found;
}

describe("a caller without a member's key", () => {
  test.each(outsiders)(
    "is refused at every route, without a text of the instance: %s",
    async (_, headersOf, status) => {
      expect(routesOf(app).length).toBeGreaterThan(80);
      const routes = new Set(routesOf(app).map(({ method, path }) => `${method} ${path}`));
      expect([...public_routes].filter((route) => !routes.has(route))).toEqual([]);
      expect(await openTo(headersOf(), status)).toEqual([]);
    },
  );

  test("is let in by a planted route that is public, which the walk finds", async () => {
    const get = Elysia.prototype.get;
    Elysia.prototype.get = function (this: Elysia, ...route: Parameters<typeof get>) {
      const publicAccess = () => ({ needs: "public" }) as object;
      if (route[0] === "/receipt") {
        get.call(this, "/planted", () => "nothing", publicAccess());
        get.call(this, "/receipt/planted", () => canary, publicAccess());
      }
      return get.apply(this, route);
    } as typeof get;
    const planted = await newApp().finally(() => (Elysia.prototype.get = get));
    try {
      const found = (await openTo({}, 401, planted)).map((line) => line.split(",").slice(0, 2).join(" "));
      expect(new Set(found)).toEqual(
        new Set(["GET /planted", "HEAD /planted", "GET /receipt/planted", "HEAD /receipt/planted"]),
      );
    } finally {
      planted.close();
    }
  });

  test.each(outsiders.slice(0, 3))(
    "learns nothing from OPTIONS, a cache or another form: %s",
    async (_, headersOf) => {
      const etag = (await fetched("GET", `/api/meet/rooms/${room.slug}`, { "x-wf-key": key })).headers.get(
        "etag",
      )!;
      const paths = [
        `/api/meet/rooms/${room.slug}`,
        `/meet/r/${room.slug}`,
        `/api/meet/rooms/${room.slug}.md`,
      ];
      for (const path of paths) {
        // The instance has it in its cache.
        await (await fetched("GET", path, { "x-wf-key": key })).text();
        const conditional = await fetched("GET", path, { "if-none-match": etag, ...headersOf() });
        expect([path, conditional.status]).toEqual([path, 401]);
        const options = await fetched("OPTIONS", path, {
          origin: "https://elsewhere.example",
          ...headersOf(),
        });
        expect((await bytesOf(options)).includes(canary)).toBe(false);
        const missing = await fetched("OPTIONS", path.replace(room.slug, "no-such-room"), headersOf());
        expect([missing.status, missing.headers.get("allow")]).toEqual([204, missing.headers.get("allow")]);
      }
    },
  );

  test("cannot tell a room that exists from one that does not", async () => {
    for (const [there, not] of [
      [`/api/meet/rooms/${room.slug}`, "/api/meet/rooms/no-such-room"],
      [`/mcp/meet/${room.slug}/server-card`, "/mcp/meet/no-such-room/server-card"],
      [`/api/name/${encodeURIComponent(`Ada ${canary}`)}`, "/api/name/nobody"],
    ] as const) {
      const [one, other] = await Promise.all([fetched("GET", there), fetched("GET", not)]);
      expect(withoutId((await one.json()) as object)).toEqual(withoutId((await other.json()) as object));
    }
  });
});

const addresses = () => ["/mcp", "/mcp/meet", `/mcp/meet/${room.slug}`];

/** Every call that a client can make at an address, with the tools, resources and prompts that members are shown. */
async function callsAt(address: string, of: App = app): Promise<[string, Record<string, unknown>][]> {
  const listed = async (method: string) => {
    const response = await fetched("POST", address, { "x-wf-key": key }, message(method), of);
    return ((await response.json()) as { result: Record<string, { name: string }[]> }).result;
  };
  const { tools } = await listed("tools/list");
  const { prompts } = await listed("prompts/list");
  const uri = `meet://room/${room.slug}`;
  const member = { key, name: `Ada ${canary}` };
  const everything = {
    room: room.slug,
    goal: "g",
    body: "b",
    question: "q",
    id: job_id,
    slot: "slot",
    receipt,
    wait_seconds: 0,
  };
  const argument = { name: "room", value: "" };
  return [
    ["initialize", handshake],
    ["ping", {}],
    ["server/discover", {}],
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri }],
    ["resources/subscribe", { uri }],
    ["subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }],
    ["prompts/list", {}],
    ["logging/setLevel", { level: "debug" }],
    ["notifications/initialized", {}],
    ["no/such/method", {}],
    ...prompts!.map(({ name }): [string, Record<string, unknown>] => [
      "prompts/get",
      { name, arguments: { room: room.slug } },
    ]),
    ["completion/complete", { ref: { type: "ref/prompt", name: "join_room" }, argument }],
    ["completion/complete", { ref: { type: "ref/resource", uri: "meet://room/{room}" }, argument }],
    ...tools!.flatMap(({ name }): [string, Record<string, unknown>][] => [
      ["tools/call", { name, arguments: everything }],
      // A key among the arguments does not stand in for one in the headers.
      ["tools/call", { name, arguments: { ...everything, ...member } }],
    ]),
  ];
}

describe("an MCP client without a member's key", () => {
  test.each(outsiders)("is refused every call in both eras: %s", async (_, headersOf, status) => {
    for (const address of addresses()) {
      const calls = await callsAt(address);
      expect(calls.length).toBeGreaterThan(25);
      for (const [method, params] of calls) {
        const current = modern(method, params);
        for (const [headers, body] of [
          [{}, message(method, params)],
          [{}, [message(method, params)]],
          [current.headers, current.body],
        ] as const) {
          const response = await fetched("POST", address, { ...headers, ...headersOf() }, body);
          expect([address, method, response.status]).toEqual([address, method, status]);
          expect(response.headers.get("www-authenticate")).toBe(
            status === 401 ? 'Bearer realm="wharf"' : null,
          );
          expect(response.headers.has("mcp-session-id")).toBe(false);
          expect((await bytesOf(response)).includes(canary)).toBe(false);
        }
      }
    }
  });

  test("gets 401 in a session that a member began", async () => {
    const begun = await fetched("POST", "/mcp", { "x-wf-key": key }, message("initialize", handshake));
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
    expect(session["mcp-session-id"]).not.toBeNull();
    const stream = { accept: "text/event-stream", ...session };
    expect((await fetched("GET", "/mcp", stream)).status).toBe(401);
    expect((await fetched("POST", "/mcp", session, message("tools/list"))).status).toBe(401);
    expect((await fetched("DELETE", "/mcp", session)).status).toBe(401);
    expect((await fetched("DELETE", "/mcp", { ...session, "x-wf-key": key })).status).toBe(204);
  });
});

describe("with --oauth, an MCP client without a member's key", () => {
  let open: App;
  beforeAll(async () => (open = await newApp({ oauth: true })));
  afterAll(() => open.close());

  const account = "http://localhost/mcp/account";
  const challenge =
    'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp/account", scope="wharf"';
  /** What says only what an address offers, and what belongs to no request. */
  const open_methods = new Set([
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "resources/templates/list",
    "prompts/list",
  ]);
  /** Credentials that are none for this service. */
  const is_ignored = new Set([
    "no credential",
    "a password for a proxy",
    "a cookie of no session",
    "a key as the cookie",
    "a host key",
  ]);
  type Answered = Rpc<{ isError?: boolean; content?: { text: string }[] }>;

  /** The answers to a message in both eras, as a batch, and for a client that takes a stream and its progress. */
  async function answersTo(
    address: string,
    [method, params]: [string, Record<string, unknown>],
    credential: Record<string, string>,
  ): Promise<{ response: Response; bytes: string; rpc: Answered }[]> {
    const current = modern(method, params);
    const streamed = { accept: "application/json, text/event-stream" };
    const progress = message(method, { ...params, _meta: { progressToken: 1 } });
    const sent: [Record<string, string>, unknown][] = [
      [{}, message(method, params)],
      [{}, [message(method, params)]],
      [streamed, progress],
      [current.headers, current.body],
    ];
    return Promise.all(
      sent.map(async ([headers, body]) => {
        const response = await fetched("POST", address, { ...headers, ...credential }, body, open);
        const text = await response.text();
        const bytes = JSON.stringify([...response.headers]) + text;
        const json = text.startsWith("{") || text.startsWith("[") ? text : /^data: (\{.*)$/m.exec(text)?.[1];
        return { response, bytes, rpc: [JSON.parse(json ?? "{}")].flat()[0] as Answered };
      }),
    );
  }

  test.each(outsiders)(
    "sees at /mcp what there is, and is led to /mcp/account: %s",
    async (what, headersOf, status) => {
      for (const address of addresses()) {
        const calls = await callsAt(address, open);
        expect(calls.length).toBeGreaterThan(25);
        for (const call of calls) {
          const [method] = call;
          for (const { response, bytes, rpc } of await answersTo(address, call, headersOf())) {
            const said = [address, method, response.status, rpc];
            expect(bytes).not.toContain(canary);
            expect(response.headers.has("mcp-session-id")).toBe(false);
            // A session does not begin in a batch.
            const is_in_batch = method === "initialize" && rpc.error !== undefined;
            if (method === "tools/call" && rpc.result) {
              expect([...said, rpc.result.isError]).toEqual([...said, true]);
              if (is_ignored.has(what)) expect(rpc.result.content![0]!.text).toContain(account);
            } else if (!is_ignored.has(what)) {
              expect([...said, response.status]).toEqual([...said, status]);
            } else if (open_methods.has(method) && !is_in_batch) {
              expect([...said, rpc.result !== undefined || rpc.error!.code === -32601]).toEqual([
                ...said,
                true,
              ]);
            } else if (method !== "notifications/initialized") {
              expect([...said, rpc.error !== undefined]).toEqual([...said, true]);
              const is_refused = rpc.error!.message.includes(account);
              expect([...said, is_refused || rpc.error!.code !== -32602]).toEqual([...said, true]);
            }
            if (is_ignored.has(what)) {
              expect([...said, response.status === 401]).toEqual([...said, false]);
              expect(response.headers.has("www-authenticate")).toBe(false);
            }
          }
        }
      }
    },
  );

  test("is refused every method that reads, in the words of an error", async () => {
    const uri = `meet://room/${room.slug}`;
    const argument = { name: "room", value: "" };
    const reading: [string, Record<string, unknown>][] = [
      ["resources/list", {}],
      ["resources/read", { uri }],
      ["prompts/get", { name: "join_room", arguments: { room: room.slug } }],
      ["completion/complete", { ref: { type: "ref/prompt", name: "join_room" }, argument }],
    ];
    const subscribing: [string, Record<string, unknown>][] = [
      ["resources/subscribe", { uri }],
      ["resources/unsubscribe", { uri }],
    ];
    for (const address of addresses()) {
      for (const [method, params] of [...reading, ...subscribing]) {
        const response = await fetched("POST", address, {}, message(method, params), open);
        const { error } = (await response.json()) as Answered;
        expect([method, response.status, error!.message]).toEqual([
          method,
          200,
          expect.stringContaining(account),
        ]);
      }
      const listening = { notifications: { resourceSubscriptions: [uri] } };
      for (const [method, params] of [...reading, ["subscriptions/listen", listening] as const]) {
        const { headers, body } = modern(method, params);
        const response = await fetched("POST", address, headers, body, open);
        const { error } = (await response.json()) as Answered;
        expect([method, response.status, error!.message]).toEqual([
          method,
          200,
          expect.stringContaining(account),
        ]);
      }
    }
  });

  test("cannot tell a room that exists from one that does not", async () => {
    const argument = { name: "room", value: room.slug };
    for (const [method, paramsOf] of [
      ["initialize", () => handshake],
      ["tools/list", () => ({})],
      ["prompts/list", () => ({})],
      ["resources/read", (slug: string) => ({ uri: `meet://room/${slug}` })],
      ["prompts/get", (slug: string) => ({ name: "join_room", arguments: { room: slug } })],
      ["completion/complete", () => ({ ref: { type: "ref/prompt", name: "join_room" }, argument })],
      ["tools/call", (slug: string) => ({ name: "meet_read", arguments: { room: slug } })],
    ] as const) {
      const [there, not] = await Promise.all(
        [room.slug, "no-such-room"].map(async (slug) => {
          const response = await fetched(
            "POST",
            `/mcp/meet/${slug}`,
            {},
            message(method, paramsOf(slug)),
            open,
          );
          return [response.status, await response.json()];
        }),
      );
      expect([method, there]).toEqual([method, not]);
    }
    for (const accept of accepts) {
      for (const ending of ["", ".md", "/server-card"]) {
        const [there, not] = await Promise.all(
          [room.slug, "no-such-room"].map((slug) =>
            fetched("GET", `/mcp/meet/${slug}${ending}`, { accept }, undefined, open),
          ),
        );
        expect([accept, ending, there!.status]).toEqual([accept, ending, not!.status]);
        const is_document = ending !== "" || accept === "text/html";
        expect([accept, ending, there!.status]).toEqual([accept, ending, is_document ? 401 : 405]);
        expect(await bytesOf(there!)).not.toContain(canary);
      }
    }
  });

  test("has no session, and cannot use one that a member began", async () => {
    const begun = await fetched("POST", "/mcp", { "x-wf-key": key }, message("initialize", handshake), open);
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
    expect(session["mcp-session-id"]).not.toBeNull();
    const uri = `meet://room/${room.slug}`;
    const following = message("resources/subscribe", { uri });
    expect((await fetched("POST", "/mcp", { ...session, "x-wf-key": key }, following, open)).status).toBe(
      200,
    );
    const stream = { accept: "text/event-stream", ...session };
    for (const more of [{}, { "last-event-id": "1" }] as Record<string, string>[])
      expect((await fetched("GET", "/mcp", { ...stream, ...more }, undefined, open)).status).toBe(404);
    for (const method of ["tools/list", "ping", "resources/subscribe", "initialize"])
      expect((await fetched("POST", "/mcp", session, message(method, { uri }), open)).status).toBe(404);
    const waiting = { name: "wait", arguments: { wait_seconds: 50 } };
    const streams = { accept: "application/json, text/event-stream" };
    const called = await fetched(
      "POST",
      "/mcp",
      { ...session, ...streams },
      message("tools/call", waiting),
      open,
    );
    expect(await called.text()).toContain('"isError":true');
    expect((await fetched("DELETE", "/mcp", session, undefined, open)).status).toBe(404);
    expect((await fetched("DELETE", "/mcp", { ...session, "x-wf-key": key }, undefined, open)).status).toBe(
      204,
    );
  });

  test.each(outsiders)(
    "gets 401 and the way to sign in at /mcp/account: %s",
    async (what, headersOf, status) => {
      const error = is_ignored.has(what) ? "" : ', error="invalid_token"';
      for (const call of await callsAt("/mcp/account", open)) {
        for (const { response, bytes } of await answersTo("/mcp/account", call, headersOf())) {
          expect([call[0], response.status]).toEqual([call[0], status]);
          expect(response.headers.get("www-authenticate")).toBe(status === 401 ? challenge + error : null);
          expect(bytes).not.toContain(canary);
        }
      }
    },
  );

  test("is refused as before everywhere else, and a browser gets the form to sign in", async () => {
    const found = (await openTo({}, 401, open)).filter((line) => {
      const [method, path, , status] = line.split(",") as [string, string, string, string];
      // The routes of the sign-in have tests of their own.
      if (/^\/(?:oauth\/|\.well-known\/o)/.test(path)) return false;
      // Answered, but with no text of the instance.
      if (/^\/mcp(?:\/meet(?:\/:room)?)?$/.test(path)) return !(method === "POST" || /^40[05]$/.test(status));
      return !(path === "/mcp/account" && status === "401");
    });
    expect(found).toEqual([]);
    const of_sign_in = routesOf(open).filter(({ path }) => /^\/(?:oauth\/|\.well-known\/o)/.test(path));
    expect(of_sign_in.length).toBeGreaterThan(5);
    for (const { method, path } of of_sign_in)
      expect(await bytesOf(await fetched(method, path, {}, undefined, open))).not.toContain(canary);
    for (const path of ["/mcp", "/mcp/account"]) {
      const page = await fetched("GET", path, { accept: "text/html" }, undefined, open);
      expect([path, page.status, page.headers.get("content-type")]).toEqual([
        path,
        401,
        "text/html; charset=utf-8",
      ]);
      expect(await page.text()).toContain('action="http://localhost/signin"');
    }
  });

  test("is a member with a key in the headers, at every address", async () => {
    for (const address of [...addresses(), "/mcp/account"]) {
      const calls: [string, Record<string, unknown>][] = [
        ["resources/read", { uri: `meet://room/${room.slug}` }],
        ["tools/call", { name: "meet_read", arguments: { room: room.slug } }],
      ];
      for (const call of calls) {
        for (const { response, bytes } of (
          await answersTo(address, call, { authorization: `Bearer ${key}` })
        ).toSpliced(1, 1)) {
          expect([address, call[0], response.status]).toEqual([address, call[0], 200]);
          expect(bytes).toContain(canary);
          expect(response.headers.get("vary")).toContain("Authorization");
        }
      }
      const begun = await fetched(
        "POST",
        address,
        { "x-wf-key": key },
        message("initialize", handshake),
        open,
      );
      expect(begun.headers.has("mcp-session-id")).toBe(true);
    }
  });
});

describe("a member", () => {
  const ways: [string, () => Record<string, string>][] = [
    ["name and key", () => ({ "x-wf-name": `Ada ${canary}`, "x-wf-key": key })],
    ["bearer", () => ({ authorization: `Bearer ${key}` })],
    ["basic", () => ({ authorization: `Basic ${btoa(`Ada ${canary}:${key}`)}` })],
  ];

  test.each(ways)("gets in at every route that reads: %s", async (_, headersOf) => {
    const shown: string[] = [];
    for (const { method, path } of routesOf(app)) {
      if (method !== "GET") continue;
      const accept = path.startsWith("/mcp") ? "text/html" : "*/*";
      const query = path === "/receipt/verify" ? "?r=none" : path === "/api/wait" ? "?wait_seconds=0" : "";
      const response = await fetched("GET", filled(path) + query, { accept, ...headersOf() });
      expect([path, [401, 403, 500].includes(response.status)]).toEqual([path, false]);
      if ((await bytesOf(response)).includes(canary)) shown.push(path);
    }
    // So the texts that others must not see are there to be seen.
    expect(shown.length).toBeGreaterThan(20);
  });

  test.each(ways)("gets an answer to every MCP call: %s", async (_, headersOf) => {
    for (const address of addresses()) {
      for (const method of ["initialize", "ping", "tools/list", "resources/list", "prompts/list"]) {
        const params = method === "initialize" ? handshake : {};
        const response = await fetched("POST", address, headersOf(), message(method, params));
        expect([address, method, response.status]).toEqual([address, method, 200]);
        if (method === "initialize" || method === "ping") continue;
        const current = modern(method, params);
        const newer = await fetched("POST", address, { ...current.headers, ...headersOf() }, current.body);
        expect([address, method, newer.status]).toEqual([address, method, 200]);
      }
    }
  });
});
