/** /_dev/faults and /_dev/log: errors, delays and cut connections that a test asks for, and the requests that came. */

import { describe, expect, test } from "bun:test";
import { request as nodeRequest } from "node:http";
import { dev_errors } from "../../src/dev/errors.ts";
import { devState, startDev } from "../support/dev.ts";
import { call, get, post, send } from "../support/http.ts";
import { message } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { lacks } from "../support/programs.ts";

interface Logged {
  n: number;
  method: string;
  path: string;
  route: string | null;
  query: string;
  status: number | null;
  headers: Record<string, string>;
  body_bytes: number | null;
  faulted?: string;
}

const addFault = (url: string, fault: object) =>
  post<{ id: string; code: string }>(`${url}/_dev/faults`, fault);
const logOf = async (url: string, query: Record<string, string> = {}) =>
  (await get<{ requests: Logged[]; next_since: number }>(`${url}/_dev/log?${new URLSearchParams(query)}`))
    .body;
const goal = { goal: "Which harbour is best?", name: "ana" };
const rooms = (url: string) => `${url}/api/meet/rooms`;

describe("a fault with a status", () => {
  test("answers so many times with a problem, and nothing runs", async () => {
    const { url } = await startDev();
    const fault = { route: "POST /api/meet/rooms", status: 503, times: 2, retry_after_seconds: 7 };
    const added = await addFault(url, fault);
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ id: "fault-1", ...fault, happened: 0 } as never);
    for (let i = 0; i < 2; i++) {
      const { status, headers, body } = await post(rooms(url), goal);
      expect(status).toBe(503);
      expect(headers.get("retry-after")).toBe("7");
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({
        status: 503,
        code: "fault_injected",
        retryable: true,
        type: `${url}/problems/fault_injected`,
      });
    }
    expect((await get<{ rooms: unknown[] }>(rooms(url))).body.rooms).toEqual([]);
    expect((await post(rooms(url), goal)).status).toBe(201);
  });

  test("happens until it is deleted with times 0", async () => {
    const { url } = await startDev();
    const { body } = await addFault(url, { route: "* *", status: 418, times: 0 });
    for (let i = 0; i < 5; i++) expect((await get(rooms(url))).status).toBe(418);
    expect((await get(`${url}/healthz`)).status).toBe(418);
    expect((await call("DELETE", `${url}/_dev/faults/${body.id}`)).body).toEqual({ deleted: body.id });
    expect((await get(rooms(url))).status).toBe(200);
    const gone = await call("DELETE", `${url}/_dev/faults/${body.id}`);
    expect([gone.status, gone.body.code]).toEqual([404, "fault_not_found"]);
  });

  test("meets the calls of its route only", async () => {
    const { url } = await startDev();
    const { body } = await post<{ slug: string }>(rooms(url), goal);
    const posts = `${rooms(url)}/${body.slug}/posts`;
    await addFault(url, { route: "POST /api/meet/rooms/{room}/posts", status: 500 });
    expect((await get(`${rooms(url)}/${body.slug}`)).status).toBe(200);
    expect((await post(posts, { name: "bo", body: "North." })).status).toBe(500);
    expect((await post(posts, { name: "bo", body: "North." })).status).toBe(201);
    await addFault(url, { route: `* /api/meet/rooms/${body.slug}`, status: 500 });
    expect((await get(rooms(url))).status).toBe(200);
    expect((await get(`${rooms(url)}/${body.slug}`)).status).toBe(500);
  });
});

test("a delay runs the request later, and a reset ends it", async () => {
  const { url } = await startDev();
  await addFault(url, { route: "POST /api/meet/rooms", delay_ms: 150 });
  const begun = performance.now();
  expect((await post(rooms(url), goal)).status).toBe(201);
  expect(performance.now() - begun).toBeGreaterThan(145);
  await addFault(url, { route: "POST /api/meet/rooms", delay_ms: 60_000 });
  const late = post(rooms(url), goal);
  while ((await devState(url)).requests < 2) await Bun.sleep(1);
  expect((await post(`${url}/_dev/reset`)).body).toMatchObject({ requests: 0, faults: [] });
  expect((await late).body).toMatchObject({ status: 503, code: "stopping" });
  expect((await get<{ rooms: unknown[] }>(rooms(url))).body.rooms).toEqual([]);
});

/** How each client names a connection that was cut. */
const clients: Record<string, (url: string, method: string, body?: string) => Promise<unknown>> = {
  // On a connection that it has used before, fetch repeats a GET by itself.
  fetch: (url, method, body) =>
    fetch(url, { method, keepalive: false, ...(body !== undefined && { body, headers: json }) }),
  "node:http": (url, method, body) =>
    new Promise((resolve, reject) => {
      const sent = nodeRequest(url, { method, headers: body === undefined ? {} : json }, resolve);
      sent.on("error", reject).end(body);
    }),
  async curl(url, method, body) {
    const data = body === undefined ? [] : ["-d", body, "-H", "content-type: application/json"];
    const curl = Bun.spawn(["curl", "-sS", "-X", method, ...data, url], {
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await curl.exited) !== 0) throw Object.assign(new Error("curl failed"), { code: curl.exitCode });
  },
};
const json = { "content-type": "application/json" };

const lacks_curl = lacks("a connection that is cut, for curl", "curl");

describe("a fault that cuts the connection", () => {
  for (const [name, ask] of Object.entries(clients)) {
    test.skipIf(name === "curl" && lacks_curl)(
      `is no answer for ${name}, before the request runs and after it`,
      async () => {
        const { url } = await startDev();
        const count = async () => (await get<{ rooms: unknown[] }>(rooms(url))).body.rooms.length;
        const error = expect.objectContaining({ code: name === "curl" ? 56 : "ECONNRESET" });
        for (const [when, made] of [
          ["before", 0],
          ["after", 1],
        ] as const) {
          await addFault(url, { route: "POST /api/meet/rooms", drop: true, when });
          const cut = ask(rooms(url), "POST", JSON.stringify(goal)).catch((failure: unknown) => failure);
          expect(await cut).toEqual(error);
          expect(await count()).toBe(made);
        }
        await addFault(url, { route: "GET /api/meet/rooms", drop: true });
        expect(await ask(rooms(url), "GET").catch((failure: unknown) => failure)).toEqual(error);
      },
    );
  }

  test("is no answer to HEAD either", async () => {
    const { url } = await startDev();
    await addFault(url, { route: "HEAD /api/meet/rooms", drop: true });
    const error = await fetch(rooms(url), { method: "HEAD", keepalive: false }).catch(
      (failure: unknown) => failure,
    );
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("meets streams and MCP calls", async () => {
    const { url } = await startDev();
    const { body } = await post<{ slug: string }>(rooms(url), goal);
    await addFault(url, { route: "GET /api/meet/rooms/{room}/stream", drop: true });
    const failed = (error: unknown) => error;
    const stream = fetch(`${rooms(url)}/${body.slug}/stream`, { keepalive: false });
    expect(await stream.catch(failed)).toBeInstanceOf(Error);
    await addFault(url, { route: "POST /mcp", drop: true });
    expect(await post(`${url}/mcp`, message("tools/list")).catch(failed)).toBeInstanceOf(Error);
    await addFault(url, { route: "POST /mcp", status: 429 });
    expect((await post(`${url}/mcp`, message("tools/list"))).status).toBe(429);
    expect((await post(`${url}/mcp`, message("tools/list"))).status).toBe(200);
    expect((await devState(url)).open.streams).toBe(0);
  });
});

describe("refuses a fault", () => {
  const refused: [string, object, string, string][] = [
    ["of no kind", { route: "GET /api/meet/rooms" }, "invalid_fields", "must have one of status"],
    [
      "of two kinds",
      { route: "GET /api/meet/rooms", status: 500, drop: true },
      "invalid_fields",
      "must have one of",
    ],
    ["without a route", { status: 500 }, "invalid_fields", "/route: is required"],
    [
      "for a path alone",
      { route: "/api/meet/rooms", status: 500 },
      "invalid_fields",
      "must be a method and a path",
    ],
    ["for no route", { route: "GET /api/meet/room", status: 500 }, "invalid_fields", "is no route"],
    [
      "for a method that the path lacks",
      { route: "PUT /api/meet/rooms", status: 500 },
      "invalid_fields",
      "is no route",
    ],
    ["with a status of success", { route: "* *", status: 200 }, "invalid_fields", "from 400 to 599"],
    [
      "with when, but no drop",
      { route: "* *", status: 500, when: "before" },
      "invalid_fields",
      "belongs to drop",
    ],
    ["with a mistyped field", { route: "* *", statuss: 500 }, "unknown_field", "did you mean status"],
    [
      "with an unknown field",
      { route: "* *", status: 500, probability: 1 },
      "unknown_field",
      "is not known here",
    ],
  ];
  for (const [what, fault, code, detail] of refused) {
    test(what, async () => {
      const { url } = await startDev();
      const { status, body } = await addFault(url, fault);
      expect(status).toBe(422);
      expect(body).toMatchObject({ code, detail: expect.stringContaining(detail) });
      expect((await get(`${url}/_dev/faults`)).body).toEqual({ faults: [] });
    });
  }
});

describe("the log", () => {
  test("has the requests in their order, and none below /_dev", async () => {
    const { url } = await startDev();
    const { body } = await post<{ slug: string }>(rooms(url), goal);
    await get(`${rooms(url)}/${body.slug}?limit=3`);
    await get(`${url}/nothing`);
    await addFault(url, { route: "GET /healthz", status: 500 });
    await get(`${url}/healthz`);
    const { requests, next_since } = await logOf(url);
    expect(
      requests.map(({ n, method, path, route, query, status }) => [n, method, path, route, query, status]),
    ).toEqual([
      [1, "POST", "/api/meet/rooms", "/api/meet/rooms", "", 201],
      [2, "GET", `/api/meet/rooms/${body.slug}`, "/api/meet/rooms/{room}", "limit=3", 200],
      [3, "GET", "/nothing", null, "", 404],
      [4, "GET", "/healthz", "/healthz", "", 500],
    ]);
    expect(requests[0]).toMatchObject({
      at: "2030-01-01T00:00:00.000Z",
      body_bytes: JSON.stringify(goal).length,
      headers: { "content-type": "application/json" },
    });
    expect(requests[3]).toMatchObject({ faulted: "fault-1", body_bytes: 0 });
    expect(next_since).toBe(4);
    expect((await logOf(url, { since: "3" })).requests.map(({ n }) => n)).toEqual([4]);
    expect((await logOf(url, { route: "GET /api/meet/rooms/{room}" })).requests.map(({ n }) => n)).toEqual([
      2,
    ]);
    expect((await logOf(url, { route: "GET *" })).requests).toHaveLength(3);
    expect((await devState(url)).requests).toBe(4);
    expect((await call("DELETE", `${url}/_dev/log`)).body).toEqual({ deleted: 4 });
    await get(`${url}/healthz`);
    expect((await logOf(url)).requests.map(({ n }) => n)).toEqual([5]);
  });

  test("has no key, wherever one was sent", async () => {
    const { url } = await startDev();
    const { key, recovery_code, pair, bearer } = await claim(url, "ana");
    const basic = { authorization: `Basic ${btoa(`ana:${key}`)}` };
    const others = [{ "user-agent": `x ${key}` }, { cookie: `key=${key}` }];
    for (const headers of [pair, bearer, basic, ...others] as Record<string, string>[]) {
      await get(`${url}/api/mailbox`, headers);
    }
    await get(`${url}/api/names/${key}?key=${key}`);
    const encoded = key.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    await get(`${url}/api/names/${encoded}?key=${encodeURIComponent(encoded)}`);
    await get(`${url}/nothing/${recovery_code}`);
    const text = JSON.stringify(await logOf(url));
    for (const secret of [
      key,
      key.slice(4),
      recovery_code,
      recovery_code.slice(4),
      encoded,
      btoa(`ana:${key}`),
    ]) {
      expect(text).not.toContain(secret);
    }
    expect((await logOf(url)).requests).toHaveLength(9);
  });

  test("holds the latest thousand", async () => {
    const { url } = await startDev();
    for (let i = 0; i < 1010; i++) await send("GET", `${url}/healthz`);
    const { requests } = await logOf(url);
    expect([requests.length, requests[0]!.n, requests.at(-1)!.n]).toEqual([1000, 11, 1010]);
  });
});

test("what does not exist below /_dev is 404 and names what there is", async () => {
  const { url } = await startDev();
  const { status, body, headers } = await get(`${url}/_dev/clocks`);
  expect([status, body.code, headers.get("cache-control")]).toEqual([404, "path_not_found", "no-store"]);
  expect(body.hint).toContain("POST /_dev/clock");
  const wrong = await get(`${url}/_dev/clock`);
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect((await send("HEAD", `${url}/_dev`)).status).toBe(200);
  expect((await get(`${url}/_devices`)).body.hint).not.toContain("/_dev/");
});

test("a page explains each problem of these calls", async () => {
  const { url } = await startDev();
  const { body } = await get<{ type: string }>(`${url}/_dev/clocks`);
  expect(body.type).toBe(`${url}/problems/path_not_found`);
  for (const code of Object.keys(dev_errors)) {
    expect((await send("GET", `${url}/problems/${code}`)).status).toBe(200);
  }
});

test("web pages of this machine may read the answers, also those of faults", async () => {
  const { url } = await startDev();
  await addFault(url, { route: "GET /api/meet/rooms", status: 503 });
  const page = { origin: "http://localhost:5173" };
  for (const path of ["/_dev", "/api/meet/rooms", "/api/meet/rooms"]) {
    const { headers } = await get(`${url}${path}`, page);
    expect(headers.get("access-control-allow-origin")).toBe(page.origin);
  }
  expect((await get(`${url}/_dev`, { origin: "http://example.com" })).status).toBe(403);
});
