/** Which web pages may call: private and public services, allowed origins, and the forms of pages. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RoomList } from "../../src/api/rooms/rooms.ts";
import { createOriginRules } from "../../src/web/origin_rules.ts";
import { default_config } from "../../src/core/settings.ts";
import { get, post, send, type Answer } from "../support/http.ts";
import { handshake, message } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { signedIn, type Browser } from "../support/sign_in.ts";
import { startSource, type TestService, type TestSettings } from "../support/service.ts";

const json = { "content-type": "application/json" };
const form_type = { "content-type": "application/x-www-form-urlencoded" };
const opening = JSON.stringify({ goal: "From elsewhere", name: "Eve" });
const opening_form = "goal=From+elsewhere&name=Eve";
const ping = JSON.stringify(message("ping"));
const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "x-wf-key" };

interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The call does not end by itself, or it changes the answers of other calls. */
  once?: true;
}

/** A call of every kind. */
const calls: Call[] = [
  { method: "GET", path: "/api/meet/rooms" },
  { method: "GET", path: "/api/meet/rooms/origins" },
  { method: "HEAD", path: "/api/meet/rooms" },
  { method: "POST", path: "/api/meet/rooms", headers: json, body: opening, once: true },
  {
    method: "POST",
    path: "/api/meet/rooms",
    headers: { "content-type": "text/plain" },
    body: opening,
    once: true,
  },
  { method: "POST", path: "/api/name/whoami" },
  { method: "PUT", path: "/api/locker/a", headers: json, body: '{"value":"x"}' },
  { method: "DELETE", path: "/api/mailbox" },
  { method: "GET", path: "/api/meet/rooms/origins/stream", once: true },
  { method: "GET", path: "/api/meet/rooms/origins?wait_seconds=50&since=2100-01-01T00:00:00Z", once: true },
  { method: "GET", path: "/meet", headers: { accept: "text/html" } },
  { method: "POST", path: "/meet", headers: form_type, body: opening_form, once: true },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/assets/x/style.css" },
  { method: "GET", path: "/nowhere" },
  { method: "POST", path: "/mcp", headers: json, body: ping },
  {
    method: "POST",
    path: "/mcp/meet",
    headers: { ...json, accept: "application/json, text/event-stream" },
    body: ping,
  },
  { method: "GET", path: "/mcp", headers: { accept: "text/event-stream" } },
  { method: "GET", path: "/mcp", headers: { accept: "text/html" } },
  { method: "DELETE", path: "/mcp", headers: { "mcp-session-id": "x" } },
  { method: "OPTIONS", path: "/api/meet/rooms", headers: preflight },
  { method: "OPTIONS", path: "/mcp", headers: preflight },
  { method: "OPTIONS", path: "/nowhere", headers: preflight },
];
const repeatable = calls.filter(({ once }) => !once);

const corsHeaders = ({ headers }: Answer<string>): string[] =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

const totalRooms = async (url: string): Promise<number | null> =>
  (await get<RoomList>(`${url}/api/meet/rooms`)).body.total;

describe("a private service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startSource({ webhooks: true });
    await post(`${service.url}/api/meet/rooms`, { goal: "Origins", name: "Ada" });
  });
  afterAll(() => service.stop());

  test.each(calls)("refuses $method $path from pages of other origins with 403", async (sent) => {
    const { method, path, headers, body } = sent;
    const { port } = new URL(service.url);
    const foreign = [
      "https://evil.example",
      "null",
      "http://localhost:1",
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}@evil.example`,
      `http://evil.example:${port}`,
      `http://127.0.0.2:${port}`,
      `chrome-extension://127.0.0.1:${port}`,
      "nonsense",
    ];
    for (const origin of foreign) {
      const answer = await send(method, service.url + path, { ...headers, origin }, body);
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(corsHeaders(answer)).toEqual([]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.body).not.toContain("evil.example");
      if (method !== "HEAD") expect(answer.body).toContain("origin_refused");
    }
    expect(await totalRooms(service.url)).toBe(1);
  });

  test("answers a foreign page's MCP call in JSON-RPC, its other calls with problem details or a page", async () => {
    const origin = "https://evil.example";
    const rpc = await send("POST", `${service.url}/mcp`, { ...json, origin }, ping);
    expect(JSON.parse(rpc.body)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
    const problem = await get(`${service.url}/api/meet/rooms`, { origin });
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
    expect(problem.body.hint).toContain("--allowed-origin");
    const page = await send("GET", `${service.url}/meet`, { origin, accept: "text/html" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("serves its own pages and callers without an Origin, without CORS headers", async () => {
    const { port } = new URL(service.url);
    const own: Record<string, string>[] = [
      {},
      { origin: service.url },
      { origin: `https://127.0.0.1:${port}` },
    ];
    for (const { method, path, headers, body } of repeatable) {
      const plain = await send(method, service.url + path, headers, body);
      expect(corsHeaders(plain)).toEqual([]);
      expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
      for (const origin of own) {
        const answer = await send(method, service.url + path, { ...headers, ...origin }, body);
        expect([path, answer.status]).toEqual([path, plain.status]);
        expect(corsHeaders(answer)).toEqual([]);
      }
    }
  });

  test("sets a Referrer-Policy that keeps the Origin in its own forms and hides its addresses from other sites", async () => {
    // With no-referrer a browser sends `Origin: null` with a form (Fetch Standard, "append a request Origin header").
    const { headers } = await send("GET", `${service.url}/meet/r/origins`);
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });
});

describe("--allowed-origin", () => {
  let service: TestService;
  const allowed = "https://app.example";
  beforeAll(async () => {
    service = await startSource({ allowed_origins: [allowed, "http://localhost:6274"] });
    await post(`${service.url}/api/meet/rooms`, { goal: "Origins", name: "Ada" });
  });
  afterAll(() => service.stop());

  test("serves pages of an allowed origin, with CORS headers that name it", async () => {
    for (const { method, path, headers, body } of repeatable) {
      const plain = await send(method, service.url + path, headers, body);
      const answer = await send(method, service.url + path, { ...headers, origin: allowed }, body);
      expect([path, answer.status]).toEqual([path, plain.status]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(allowed);
      expect(answer.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("answers the preflight of an allowed origin only", async () => {
    const answer = await send("OPTIONS", `${service.url}/api/meet/rooms`, { ...preflight, origin: allowed });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain("POST");
    expect(answer.headers.get("access-control-allow-headers")).toContain("x-wf-key");
    const other = await send("OPTIONS", `${service.url}/api/meet/rooms`, {
      ...preflight,
      origin: "https://app.example.evil.example",
    });
    expect([other.status, corsHeaders(other)]).toEqual([403, []]);
  });

  test("sends Vary: Origin with every answer, and caches no CORS headers", async () => {
    for (const path of ["/api/meet/rooms/origins", "/api/meet/rooms", "/meet/r/origins", "/nowhere"]) {
      const first = await send("GET", service.url + path, { origin: allowed });
      const second = await send("GET", service.url + path, { origin: "http://localhost:6274" });
      const plain = await send("GET", service.url + path);
      expect(first.headers.get("access-control-allow-origin")).toBe(allowed);
      expect(second.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
      expect(corsHeaders(plain)).toEqual([]);
      for (const { headers } of [first, second, plain]) {
        expect(headers.get("vary")!.split(", ")).toContain("Origin");
      }
    }
    const etag = (await send("GET", `${service.url}/api/meet/rooms/origins`)).headers.get("etag")!;
    const known = await send("GET", `${service.url}/api/meet/rooms/origins`, {
      origin: allowed,
      "if-none-match": etag,
    });
    expect([known.status, known.headers.get("vary")]).toEqual([304, "Accept, Accept-Encoding, Origin"]);
    expect(known.headers.get("access-control-allow-origin")).toBe(allowed);
  });

  test("refuses forms from an allowed origin, because only its own pages may send them", async () => {
    const answer = await send("POST", `${service.url}/meet`, { ...form_type, origin: allowed }, opening_form);
    expect(answer.status).toBe(403);
  });
});

describe("a public service", () => {
  let service: TestService;
  const origin = "https://elsewhere.example";
  beforeAll(async () => {
    service = await startSource({ base_url: "https://wharf.example" });
    await post(`${service.url}/api/meet/rooms`, { goal: "Origins", name: "Ada" });
  });
  afterAll(() => service.stop());

  test("answers every API and MCP call with *, whatever its origin", async () => {
    const froms: Record<string, string>[] = [{}, { origin }, { origin: "null" }];
    const post_room: Call = { method: "POST", path: "/api/meet/rooms", headers: json, body: opening };
    for (const { method, path, headers, body } of [...repeatable, post_room]) {
      for (const from of froms) {
        const answer = await send(method, service.url + path, { ...headers, ...from }, body);
        expect([path, answer.status]).not.toEqual([path, 403]);
        expect(answer.headers.get("access-control-allow-origin")).toBe("*");
        expect(answer.headers.get("access-control-expose-headers")).toContain("RateLimit");
        expect(answer.headers.get("vary") ?? "").not.toContain("Origin");
      }
    }
  });

  test("answers a preflight with its methods and headers", async () => {
    const answer = await send("OPTIONS", `${service.url}/api/meet/rooms`, { ...preflight, origin });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain("POST");
    expect(answer.headers.get("access-control-allow-headers")).toContain("x-wf-key");
  });

  test("opens a stream for a page of another origin", async () => {
    const controller = new AbortController();
    const { headers, status } = await fetch(`${service.url}/api/meet/rooms/origins/stream`, {
      headers: { origin },
      signal: controller.signal,
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    controller.abort();
  });
});

describe.each([
  ["private", null],
  ["public", "https://wharf.example"],
])("the forms of a %s service", (_kind, base_url) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startSource({ base_url });
    await post(`${service.url}/api/meet/rooms`, { goal: "Forms", name: "Ada" });
  });
  afterAll(() => service.stop());

  const speak = (headers: Record<string, string>) =>
    send("POST", `${service.url}/meet/r/forms`, { ...form_type, ...headers }, "name=Ada&body=hello");
  const open = (headers: Record<string, string>) =>
    send("POST", `${service.url}/meet`, { ...form_type, ...headers }, "goal=Another&name=Ada");
  const posts = async () => (await get<{ total: number }>(`${service.url}/api/meet/rooms/forms`)).body.total;

  test("are accepted from its own pages", async () => {
    const { port } = new URL(service.url);
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "same-origin", origin: "null" },
      { "sec-fetch-site": "same-origin", origin: service.url },
      { origin: service.url },
      { origin: `https://127.0.0.1:${port}` },
      ...(base_url === null ? [] : [{ origin: base_url }]),
    ];
    for (const headers of own) {
      expect([headers, (await speak(headers)).status]).toEqual([headers, 303]);
      expect([headers, (await open(headers)).status]).toEqual([headers, 303]);
    }
  });

  test("are refused from other pages, and if the browser does not name the page", async () => {
    const before = [await posts(), await totalRooms(service.url)];
    const others: Record<string, string>[] = [
      {},
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site", origin: "null" },
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: "http://127.0.0.1" },
      { referer: `${service.url}/meet` },
    ];
    for (const headers of others) {
      for (const refused of [await speak(headers), await open(headers)]) {
        expect([headers, refused.status]).toEqual([headers, 403]);
        expect(refused.body).toContain("origin_refused");
      }
    }
    expect([await posts(), await totalRooms(service.url)]).toEqual(before);
    const page = await speak({ accept: "text/html" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.body).toContain("/api/meet/rooms");
  });
});

describe.each<[string, TestSettings]>([
  ["private", { allowed_origins: ["https://app.example"] }],
  ["public", { base_url: "https://wharf.example" }],
])("the session of a browser at a %s service", (_kind, settings) => {
  let service: TestService;
  let browser: Browser;
  let key: string;
  beforeAll(async () => {
    service = await startSource(settings);
    await post(`${service.url}/api/meet/rooms`, { goal: "Origins", name: "Ada" });
    const bob = await claim(service.url, "Bob");
    key = bob.key;
    browser = await signedIn(service.url, bob, settings.base_url ?? undefined);
  });
  afterAll(() => service.stop());

  /** What a page of another origin, of another port of this host or of an allowed origin sends. */
  const froms: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
    { origin: "https://app.example", "sec-fetch-site": "cross-site" },
    { origin: "null", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];

  test("writes nothing for a page of another origin", async () => {
    const writes: [string, string, string?][] = [
      ["POST", "/api/meet/rooms", opening],
      ["POST", "/api/name/whoami"],
      ["PUT", "/api/locker/a", '{"value":"x"}'],
      ["DELETE", "/api/mailbox"],
      ["POST", "/mcp", ping],
    ];
    for (const from of froms) {
      const sent = { cookie: browser.cookie, ...json, ...from };
      for (const [method, path, body] of writes) {
        const answer = await send(method, service.url + path, sent, body);
        expect([from, path, answer.status]).toEqual([from, path, 403]);
        expect(answer.body).toContain("origin_refused");
      }
      for (const path of [
        "/signout",
        "/me/sessions",
        "/me/grants",
        "/me/mailbox/delivery",
        "/meet",
        "/meet/r/origins",
        "/meet/r/origins/host",
      ]) {
        const answer = await send("POST", service.url + path, { ...sent, ...form_type }, "session=others");
        expect([from, path, answer.status]).toEqual([from, path, 403]);
        expect(answer.headers.has("set-cookie")).toBe(false);
      }
    }
    expect((await browser.get("/me")).status).toBe(200);
    expect(await totalRooms(service.url)).toBe(1);
  });

  test("opens no call of the admin API, whatever it is sent with", async () => {
    for (const from of froms) {
      const answer = await send("GET", `${service.url}/api/admin/tokens`, {
        cookie: browser.cookie,
        ...from,
      });
      expect([from, answer.status]).toEqual([from, 403]);
    }
    expect((await browser.get("/api/admin/tokens")).status).toBe(401);
  });

  test("is never offered to pages of other origins by CORS", async () => {
    for (const from of froms) {
      const answer = await send("GET", `${service.url}/api/meet/rooms`, { cookie: browser.cookie, ...from });
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("does not weaken the rule if a key is sent beside it", async () => {
    const sent = { cookie: browser.cookie, "x-wf-key": key, ...froms[1]! };
    expect((await send("POST", `${service.url}/api/name/whoami`, sent)).status).toBe(403);
  });
});

test("a service is public only if its base URL has a public host", async () => {
  const kinds: [string | null, boolean][] = [
    [null, false],
    ["https://wharf.example", true],
    ["http://wharf.example:8080/below", true],
    ["http://203.0.113.5", true],
    ["http://[2001:db8::1]:4273", true],
    ["http://localhost:4273", false],
    ["http://wharf.localhost", false],
    ["http://127.0.0.1:4273", false],
    ["http://0x7f.1:4273", false],
    ["http://[::1]", false],
    ["http://[::ffff:10.0.0.1]", false],
    ["http://10.1.2.3", false],
    ["http://172.16.0.1", false],
    ["http://172.32.0.1", true],
    ["http://192.168.1.5:4273", false],
    ["http://169.254.1.1", false],
    ["http://100.64.0.1", false],
    ["http://[fd00::1]", false],
    ["http://[fe80::1]", false],
    ["http://0.0.0.0:4273", false],
    ["https://nas.local", false],
    ["https://NAS.LOCAL.", false],
    ["https://nas.lan", false],
    ["https://wharf.corp.internal", false],
    ["http://nas", false],
    ["https://nas.local.example", true],
  ];
  for (const [base_url, is_public] of kinds) {
    const rules = createOriginRules({ ...default_config, base_url });
    const request = new Request("http://127.0.0.1:4273/api/meet/rooms", {
      headers: { host: "127.0.0.1:4273", origin: "https://elsewhere.example" },
    });
    let is_allowed = true;
    try {
      rules.check(request);
    } catch {
      is_allowed = false;
    }
    expect([base_url, is_allowed]).toEqual([base_url, is_public]);
  }
});

test("the preflight allows every header that an MCP client in a page sends", async () => {
  const service = await startSource({ allowed_origins: ["http://localhost:6274"] });
  const origin = "http://localhost:6274";
  const words = (list: string | null) => (list ?? "").split(", ");
  for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/a-room"]) {
    const sent =
      "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, " +
      "x-wf-key, x-wf-name";
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": sent,
    };
    const { headers } = await send("OPTIONS", service.url + path, preflight);
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(words(headers.get("access-control-allow-methods"))).toContain(method);
    }
    for (const header of words(sent)) {
      expect(words(headers.get("access-control-allow-headers"))).toContain(header);
    }
    const begun = await post(service.url + path, message("initialize", handshake), { origin });
    expect(begun.headers.get("access-control-allow-origin")).toBe(origin);
    for (const header of ["Mcp-Session-Id", "Mcp-Protocol-Version", "WWW-Authenticate"]) {
      expect(words(begun.headers.get("access-control-expose-headers"))).toContain(header);
    }
  }
  await service.stop();
});
