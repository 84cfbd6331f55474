/** Ids of requests: in every answer, in problems and in the log; taken from a trusted proxy, otherwise made. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStorage } from "../../src/app/storage.ts";
import { newSecret } from "../../src/core/secrets.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { asOwner } from "../support/admin.ts";
import { startDev } from "../support/dev.ts";
import { call, get, post, send } from "../support/http.ts";
import { ask, askModern } from "../support/mcp_messages.ts";
import { rawRequest } from "../support/raw.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

/** An id that the service has made, with its prefix and its number. */
const made = /^[0-9a-f]{16}-[1-9]\d*$/;
const json = { "content-type": "application/json" };

let service: SourceService;
/** Queries throw while this is set. */
let is_broken = false;

beforeAll(async () => {
  service = await startSource({}, undefined, undefined, async (directory, clock, log) => {
    const storage = await openStorage(directory, clock, log);
    const read: typeof storage.read = (query) =>
      is_broken ? Promise.reject(new Error("The query broke.")) : storage.read(query);
    return new Proxy(storage, {
      get: (target, name: keyof typeof storage) => {
        const member: unknown = name === "read" ? read : target[name];
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  });
});
afterAll(() => service.stop());

describe("every answer has an id of its own", () => {
  test("with a body, without one, from a cache, as a page, as a stream, and from MCP", async () => {
    const { url } = service;
    const room = await open(url, "Ids");
    const first = await get(room.api);
    const etag = first.headers.get("etag")!;
    const stream = await readEvents(`${room.api}/stream`);
    const headers = [
      first.headers,
      (await get(room.api)).headers,
      (await send("GET", room.api, { "if-none-match": etag })).headers,
      (await send("HEAD", room.api)).headers,
      (await send("OPTIONS", room.api)).headers,
      (await send("GET", `${url}/meet`, { accept: "text/html" })).headers,
      (await send("GET", `${url}/healthz`)).headers,
      (await post(`${room.api}/posts`, { name: "ada", body: "hello" })).headers,
      (await ask(`${url}/mcp`, "tools/list")).headers,
      (await ask(`${url}/mcp`, "nothing")).headers,
      (await ask(`${url}/mcp`, "ping", {}, { "mcp-session-id": "none" })).headers,
      stream.response.headers,
      (await asOwner(service, "GET", "/readyz")).headers,
    ];
    await stream.close();
    const ids = headers.map((one) => one.get("x-request-id"));
    for (const id of ids) expect(id).toMatch(made);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id!.split("-")[0])).size).toBe(1);
  });

  test("before it has a route: a banned address, an unknown host, method and path, a large body, a bad address", async () => {
    const { url } = service;
    const raw = async (...lines: string[]) => {
      const { status, headers } = await rawRequest(url, [...lines, "Connection: close", "", ""]);
      return [status, /^x-request-id: (\S+)/im.exec(headers)?.[1]] as const;
    };
    await asOwner(service, "POST", "/api/admin/bans", { network: "203.0.113.0/24", reason: "floods" });
    const banned = await get(`${url}/api/meet/rooms`, { "x-forwarded-for": "203.0.113.9" });
    const refused = [
      [banned.status, banned.headers.get("x-request-id")] as const,
      await raw("GET / HTTP/1.1", "Host: elsewhere.example"),
      await raw("GET / HTTP/1.1", "Host: a b"),
      await raw("TRACE / HTTP/1.1", "Host: localhost"),
      await raw("GET /nowhere HTTP/1.1", "Host: localhost"),
      await raw("GET /%zz HTTP/1.1", "Host: localhost"),
      await raw("POST /api/meet/rooms HTTP/1.1", "Host: localhost", "Content-Length: 999999999"),
    ];
    expect(refused.map(([status]) => status)).toEqual([403, 421, 400, 501, 404, 400, 413]);
    for (const [, id] of refused) expect(id).toMatch(made);
  });
});

describe("the id of a request", () => {
  test("is in its problem", async () => {
    for (const path of ["/api/meet/rooms/nowhere", "/nowhere", "/api/meet/rooms?limit=x"]) {
      const { headers, body } = await get(service.url + path);
      expect(body.request_id).toBe(headers.get("x-request-id")!);
    }
  });

  test("is in the lines of the log and in what the caller reads if the service breaks", async () => {
    const { api, slug } = await open(service.url, "Broken");
    is_broken = true;
    const answer = await get(`${api}?since=2020-01-01T00:00:00.000Z`);
    const tool = await askModern(`${service.url}/mcp`, "tools/call", {
      name: "meet_read",
      arguments: { room: slug },
    });
    is_broken = false;
    const lines = service
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const idIn = (event: string) => lines.findLast((line) => line.event === event)?.request_id;
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: "internal", request_id: answer.headers.get("x-request-id") });
    expect(idIn("request.failed")).toBe(answer.headers.get("x-request-id")!);
    expect(idIn("mcp.failed")).toBe(tool.headers.get("x-request-id")!);
    expect(JSON.stringify(tool.body)).toContain(tool.headers.get("x-request-id")!);
  });

  test("is what a trusted proxy sends, unless it has another form or is a key", async () => {
    const key = newSecret("wfk_", seededRandom(5));
    const idFor = async (sent: string, url = service.url) =>
      (await send("GET", `${url}/api/meet/rooms`, { "x-request-id": sent })).headers.get("x-request-id");
    for (const id of ["a", "7f3c.9_B-1", "x".repeat(128)]) expect(await idFor(id)).toBe(id);
    for (const id of ["x".repeat(129), "a b", "a,b", 'a"b', "é", key]) expect(await idFor(id)).toMatch(made);
    const alone = await startSource({ trusted_proxies: [] });
    expect(await idFor("mine", alone.url)).toMatch(made);
    expect(alone.output()).not.toContain("proxy.not_trusted");
    await alone.stop();
  });
});

test("the service of development repeats the ids with its seed, and after a reset", async () => {
  const idsOf = async (url: string) =>
    [await get(`${url}/api/meet/rooms`), await post(`${url}/api/meet/rooms`, {})].map(({ headers }) =>
      headers.get("x-request-id"),
    );
  const [one, same, other] = [await startDev(), await startDev(), await startDev({ seed: 2 })];
  const ids = await idsOf(one.url);
  expect(await idsOf(same.url)).toEqual(ids);
  expect(await idsOf(other.url)).not.toEqual(ids);
  await call("POST", `${one.url}/_dev/reset`, undefined, json);
  expect(await idsOf(one.url)).toEqual(ids);
});
