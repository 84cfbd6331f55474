/** Budgets by address: of requests, searches, streams, waits, MCP sessions and listens, over real HTTP and sockets. */

import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { FakeClock } from "../support/clock.ts";
import { get, post, send } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { ask, beginSession, following, listen, modern } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  type SourceService,
  type TestSettings,
} from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { callTool, codeOf } from "../support/tools.ts";

let service: SourceService;
let room: OpenedRoom;
afterEach(() => service.stop());

/** A service with a room and unused budgets. Requests come from the address in `from`. */
async function start(settings: TestSettings): Promise<void> {
  service = await startSource({ rate_limit: true, ...settings });
  const { url } = service;
  room = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Busy", name: "x" }, from("203.0.113.99")))
    .body;
}
const from = (address: string) => ({ "x-forwarded-for": address });
const ada = from("192.0.2.1");
const bob = from("192.0.2.2");
const problem = (code: string) => ({ status: 429, body: { code, retryable: true } });

describe("requests", () => {
  test("are limited to 3,000 a minute by address, whatever they request and however they are answered, then get 429", async () => {
    await start({ reads_per_minute_by_address: 9 });
    const { url, clock } = service;
    const first = await get(room.api, ada);
    expect(first.headers.get("ratelimit-policy")).toBe('"reads-by-address";q=9;w=60');
    expect(first.headers.get("ratelimit")).toBe('"reads-by-address";r=8;t=7');
    const etag = first.headers.get("etag")!;
    const not_modified = await send("GET", room.api, { ...ada, "if-none-match": etag });
    expect([not_modified.status, not_modified.headers.get("ratelimit")]).toEqual([
      304,
      '"reads-by-address";r=7;t=14',
    ]);
    const head = await send("HEAD", room.api, ada);
    expect([head.status, head.headers.get("ratelimit")]).toEqual([200, '"reads-by-address";r=6;t=20']);
    expect((await get(`${url}/api/nowhere`, ada)).status).toBe(404);
    expect((await send("GET", room.url, ada)).status).toBe(200);
    expect((await send("OPTIONS", room.api, ada)).status).toBe(204);
    expect((await post(`${url}/api/name/whoami`, undefined, ada)).status).toBe(401);
    expect((await callTool(url, "meet_read", { room: room.slug }, ada)).isError).toBeUndefined();
    expect((await send("GET", room.api, { ...ada, host: "elsewhere.example" })).status).toBe(421);

    const refused = await get(room.api, ada);
    expect(refused).toMatchObject(problem("rate_limited"));
    expect(refused.headers.get("retry-after")).toBe("7");
    expect(refused.headers.get("ratelimit")).toBe('"reads-by-address";r=0;t=60');
    expect((await send("HEAD", room.api, ada)).status).toBe(429);
    expect((await send("GET", room.url, { ...ada, accept: "text/html" })).status).toBe(429);
    expect((await post(`${url}/mcp`, { jsonrpc: "2.0", id: 1, method: "tools/list" }, ada)).status).toBe(429);
    expect((await get(room.api, bob)).status).toBe(200);
    clock.advance(7);
    expect((await get(room.api, ada)).status).toBe(200);
    expect((await get(room.api, ada)).status).toBe(429);
  });

  test("count once more for every further 64 KB of their answer", async () => {
    await start({ reads_per_minute_by_address: 100, rate_limit: true });
    const body = "x".repeat(4_000);
    for (let i = 0; i < 50; i++) await post(`${room.api}/posts`, { name: `Ada ${i}`, body }, bob);
    const leftFor = async (headers: Record<string, string>) =>
      Number(/r=(\d+)/.exec((await get(`${room.api}?limit=1`, headers)).headers.get("ratelimit")!)![1]);
    expect(await leftFor(ada)).toBe(99);
    const whole = await fetch(room.api, { headers: { ...ada, "accept-encoding": "identity" } });
    const { length } = await whole.bytes();
    expect(length).toBeGreaterThan(200_000);
    expect(await leftFor(ada)).toBe(97 - Math.floor(length / 65_536));
    // What is sent beyond the budget is refilled first.
    for (let i = 0; i < 30; i++) await get(room.api, { ...ada, "accept-encoding": "identity" });
    expect((await get(room.api, ada)).status).toBe(429);
    expect(await leftFor(from("192.0.2.3"))).toBe(99);
  });

  test("are limited to 3,000 by default", async () => {
    await start({});
    for (let sent = 0; sent < 3_000; sent += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${room.api}?since=2030-01-01T00:00:00Z`, { headers: ada })),
      );
      for (const answer of answers) expect((await answer.text(), answer.status)).toBe(200);
    }
    expect((await get(room.api, ada)).status).toBe(429);
  });

  test("are delayed by a second each for a caller with more than 300 refusals, and for no other", async () => {
    await start({ reads_per_minute_by_address: 1 });
    const { clock } = service;
    const refuse = async (headers = ada) => (await get(room.api, headers)).status;
    expect(await refuse()).toBe(200);
    for (let sent = 0; sent < 300; sent++) expect(await refuse()).toBe(429);
    let answered = 0;
    const late = [1, 2, 3].map(() => refuse().finally(() => answered++));
    // The service handles each of Bob's calls after the waiting ones.
    expect([await refuse(bob), await refuse(bob)]).toEqual([200, 429]);
    expect(answered).toBe(0);
    for (let tries = 0; tries < 50; tries++) {
      clock.advance(1);
      await refuse(bob);
    }
    expect(await Promise.all(late)).toEqual([429, 429, 429]);
  });

  test("are not limited with --no-rate-limit", async () => {
    await start({
      rate_limit: false,
      reads_per_minute_by_address: 1,
      searches_per_minute_by_address: 1,
      streams_by_address: 1,
      listens_by_address: 1,
      mcp_sessions_by_address: 1,
    });
    for (let n = 0; n < 3; n++) {
      const answer = await get(`${service.url}/api/meet/rooms?q=busy&limit=1`, ada);
      expect([answer.status, answer.headers.has("ratelimit")]).toEqual([200, false]);
    }
    const streams = await Promise.all([1, 2, 3].map(() => readEvents(`${room.api}/stream`, ada)));
    for (const stream of streams) expect((await stream.close(), stream.response.status)).toBe(200);
    const sessions = await Promise.all([1, 2, 3].map(() => beginSession(`${service.url}/mcp`)));
    for (const session of sessions) {
      expect((await ask(`${service.url}/mcp`, "tools/list", {}, session)).status).toBe(200);
    }
  });

  test("are counted by IPv6 /64, and by /48 with eight times the quota; a refused call counts for neither", async () => {
    await start({ reads_per_minute_by_address: 2 });
    const read = async (address: string) => (await get(room.api, from(address))).status;
    const here = async () => [await read("2001:db8:1:1::1"), await read("2001:db8:1:1:ff::2")];
    expect(await here()).toEqual([200, 200]);
    expect(await here()).toEqual([429, 429]);
    for (let subnet = 2; subnet <= 8; subnet++) {
      for (let n = 1; n <= 2; n++) expect(await read(`2001:db8:1:${subnet}::${n}`)).toBe(200);
    }
    const refused = await get(room.api, from("2001:db8:1:9::1"));
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([
      429,
      '"reads-by-network";q=16;w=60',
    ]);
    expect(await read("2001:db8:2:1::1")).toBe(200);
  });

  test("are limited to 1,000 concurrent slow ones by address", async () => {
    await start({ open_requests_by_address: 3 });
    const { hostname, port } = new URL(service.url);
    const sockets: Socket[] = [];
    const begin = async (address: string) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      const head = ["POST /api/name HTTP/1.1", "host: localhost", "content-type: application/json"];
      socket.write(
        [...head, "content-length: 100", `x-forwarded-for: ${address}`, "", '{"name":'].join("\r\n"),
      );
      // The bytes arrive in order: once a later request has been answered this one has been seen.
      await new Promise((done) => socket.once("connect", done));
    };
    for (let n = 0; n < 3; n++) await begin("192.0.2.1");
    let refused = await get(room.api, ada);
    while (refused.status === 200) refused = await get(room.api, ada);
    expect(refused).toMatchObject(problem("too_many_open"));
    expect(refused.headers.get("ratelimit-policy")).toBe(
      '"open-requests-by-address";q=3;qu="concurrent-requests"',
    );
    expect(refused.headers.get("retry-after")).toBe("10");
    expect((await get(room.api, bob)).status).toBe(200);
    sockets.pop()!.destroy();
    let status = 429;
    while (status === 429) ({ status } = await get(room.api, ada));
    expect(status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

test("limits searches to 60 a minute by address, over HTTP, on pages and by tools together", async () => {
  await start({ searches_per_minute_by_address: 5 });
  const { url, clock } = service;
  const searches: (() => Promise<{ status: number }>)[] = [
    () => send("GET", `${url}/api/meet/rooms?q=busy&limit=1`, ada),
    () => send("GET", `${url}/meet?q=busy`, ada),
    () => send("GET", `${url}/api/jobs?q=busy`, ada),
    () => send("GET", `${url}/jobs?q=busy`, ada),
  ];
  for (const search of searches) expect((await search()).status).toBe(200);
  expect((await callTool(url, "meet_rooms", { query: "busy" }, ada)).isError).toBeUndefined();
  for (const search of searches) expect((await search()).status).toBe(429);
  expect(codeOf(await callTool(url, "meet_rooms", { query: "busy" }, ada))).toBe("rate_limited");
  expect(codeOf(await callTool(url, "jobs_list", { query: "busy" }, ada))).toBe("rate_limited");
  const refused = await get(`${url}/api/meet/rooms?q=busy`, ada);
  expect(refused).toMatchObject(problem("rate_limited"));
  expect(refused.headers.get("ratelimit-policy")).toBe('"searches-by-address";q=5;w=60');
  expect(refused.headers.get("retry-after")).toBe("12");
  // Calls that search nothing continue, and so do other callers.
  expect((await get(`${url}/api/meet/rooms?limit=1`, ada)).status).toBe(200);
  expect((await get(`${url}/api/meet/rooms?q=busy`, bob)).status).toBe(200);
  clock.advance(12);
  expect((await searches[0]!()).status).toBe(200);
});

describe("streams and waits", () => {
  test("are limited to 500 together by address; a further one gets 429 with what to do, until one ends", async () => {
    await start({ streams_by_address: 4 });
    const { url, clock } = service;
    const who = await claim(url, "Ada");
    const session = await beginSession(`${url}/mcp`);
    const of_room = await readEvents(`${room.api}/stream`, ada);
    const of_mailbox = await readEvents(`${url}/api/mailbox/stream`, { ...who.pair, ...ada });
    const of_session = await readEvents(`${url}/mcp`, { ...session, ...ada, accept: "text/event-stream" });
    const waiting = get(`${room.api}?since=2030-01-01T00:00:00Z&wait_seconds=50`, ada);
    await clock.timerAt(50);

    const wait = `${room.api}?since=2030-01-01T00:00:00Z&wait_seconds=20`;
    const refused = await get(wait, ada);
    expect(refused).toMatchObject(problem("too_many_open"));
    expect(refused.body.hint).toContain("Close a stream or let a wait end first");
    expect(refused.headers.get("ratelimit-policy")).toBe('"streams-by-address";q=4;qu="concurrent-requests"');
    expect(refused.headers.get("ratelimit")).toBe('"streams-by-address";r=0');
    expect(refused.headers.get("retry-after")).toBe("10");
    expect((await get(`${room.api}/stream`, ada)).status).toBe(429);
    expect((await get(`${url}/api/mailbox/stream`, { ...who.pair, ...ada })).status).toBe(429);
    expect((await get(`${url}/api/mailbox?wait_seconds=20`, { ...who.pair, ...ada })).status).toBe(429);
    const tool = await callTool(url, "meet_read", { room: room.slug, wait_seconds: 20 }, ada);
    expect(codeOf(tool)).toBe("too_many_open");
    const other_session = await beginSession(`${url}/mcp`);
    const stream = { ...other_session, ...ada, accept: "text/event-stream" };
    expect((await get(`${url}/mcp`, stream)).status).toBe(429);
    // Calls that do not wait continue, and so do other callers.
    expect((await get(room.api, ada)).status).toBe(200);
    const of_bob = await readEvents(`${room.api}/stream`, bob);
    expect(of_bob.response.status).toBe(200);

    clock.advance(50);
    expect((await waiting).status).toBe(200);
    const again = await readEvents(`${url}/mcp`, stream);
    expect(again.response.status).toBe(200);
    for (const open of [of_room, of_mailbox, of_session, of_bob, again]) await open.close();
  });

  test("count the second stream of a session instead of its first", async () => {
    await start({ streams_by_address: 1 });
    const session = { ...(await beginSession(`${service.url}/mcp`)), ...ada, accept: "text/event-stream" };
    const first = await readEvents(`${service.url}/mcp`, session);
    const second = await readEvents(`${service.url}/mcp`, session);
    expect(second.response.status).toBe(200);
    expect(await first.next()).toBeNull();
    await second.close();
  });

  test("stop counting however they end", async () => {
    await start({ streams_by_address: 1 });
    const { url } = service;
    const path = new URL(room.api).pathname;
    const wait = "?since=2030-01-01T00:00:00Z&wait_seconds=50";
    const { hostname, port } = new URL(url);
    /** Sends a request and disconnects before any answer. */
    const leave = (target: string, method = "GET") =>
      new Promise<void>((done) => {
        const socket = connect(Number(port), hostname);
        socket.on("close", () => done());
        socket.write(
          `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 192.0.2.1\r\n\r\n`,
          () => socket.destroy(),
        );
      });
    for (let n = 0; n < 20; n++) {
      await leave(`${path}/stream`);
      await leave(`${path}${wait}`);
      await leave(`${path}/stream`, "HEAD");
      await send("HEAD", `${room.api}/stream`, ada);
      expect((await get(`${room.api}/stream?since=wrong`, ada)).status).toBe(422);
      expect((await get(`${url}/api/meet/rooms/nowhere${wait}`, ada)).status).not.toBe(200);
    }
    let open = await readEvents(`${room.api}/stream`, ada);
    while (open.response.status === 429) open = await readEvents(`${room.api}/stream`, ada);
    expect(open.response.status).toBe(200);
    // Closing the room ends its stream.
    await post(`${room.api}/close`, undefined, { ...bob, "x-meet-key": room.host_key! });
    while ((await open.next()) !== null);
    const next = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Next", name: "x" }, bob)).body;
    const after = await readEvents(`${next.api}/stream`, ada);
    expect(after.response.status).toBe(200);
    await after.close();
  });
});

test("limits listens to 200 by address, and answers 429 with what to do to a further one", async () => {
  await start({ listens_by_address: 2 });
  const mcp = `${service.url}/mcp`;
  const uri = `meet://room/${room.slug}`;
  const open = [await listen(mcp, [uri]), await listen(mcp, [uri])];
  const { body, headers } = modern("subscriptions/listen", following([uri]), "third");
  const refused = await post<{ id: unknown; error: { message: string } }>(mcp, body, headers);
  expect([refused.status, refused.body.id]).toEqual([429, "third"]);
  expect(refused.body.error.message).toContain("too_many_open");
  expect(refused.body.error.message).toContain("Close one first");
  expect(refused.headers.get("ratelimit-policy")).toBe('"listens-by-address";q=2;qu="concurrent-requests"');
  const of_bob = await readEvents(mcp, { ...headers, ...bob }, JSON.stringify(body));
  expect(of_bob.response.status).toBe(200);
  await of_bob.close();
  await open.pop()!.close();
  let status = 429;
  while (status === 429) {
    const again = await listen(mcp, [uri]);
    ({ status } = again.response);
    await again.close();
  }
  expect(status).toBe(200);
  for (const stream of open) await stream.close();
});

describe("MCP sessions", () => {
  const begin = async (headers: object) => {
    const { headers: answered } = await ask(
      `${service.url}/mcp`,
      "initialize",
      { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      headers as Record<string, string>,
    );
    return { "mcp-session-id": answered.get("mcp-session-id")! };
  };
  const status = async (session: Record<string, string>) =>
    (await ask(`${service.url}/mcp`, "tools/list", {}, session)).status;

  test("are limited to 200 by address; a further one ends the oldest of the same address, in use or not, and no other", async () => {
    await start({ mcp_sessions_by_address: 3 });
    const of_bob = await begin(bob);
    const first = await begin(ada);
    const own = [first, await begin(ada), await begin(ada)];
    const stream = await readEvents(`${service.url}/mcp`, { ...first, ...ada, accept: "text/event-stream" });
    for (const session of own) expect(await status(session)).toBe(200);
    const fourth = await begin(ada);
    expect(await status(first)).toBe(404);
    while ((await stream.next()) !== null);
    for (const session of [...own.slice(1), fourth, of_bob]) expect(await status(session)).toBe(200);
  });

  test("are counted over a restart", async () => {
    const data_dir = newDirectory();
    const settings = { rate_limit: true, mcp_sessions_by_address: 2, data_dir };
    service = await startSource(settings);
    const own = [await begin(ada), await begin(ada)];
    await service.stop();
    service = await startSource(settings, new FakeClock(), 2);
    own.push(await begin(ada));
    expect(await Promise.all(own.map(status))).toEqual([404, 200, 200]);
    await service.stop();
    removeDirectory(data_dir);
  });
});

test("counts the writes of claimed names by name", async () => {
  await start({});
  const { url } = service;
  const [poster, worker] = [await claim(url, "Poster"), await claim(url, "Worker")];
  const { id } = await postJob(url, poster);
  const claimed = await callJob(url, worker, id, "claim");
  expect([claimed.status, claimed.headers.get("ratelimit-policy")]).toEqual([
    200,
    '"writes-by-name";q=60;w=60',
  ]);
});
