/** Calls of the typed client to a real service: repeated calls, streams that resume, aborts, base paths, and Node. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import {
  createClient,
  orThrow,
  UnexpectedAnswer,
  WharfProblem,
  type Client,
} from "../../src/client/client.ts";
import { startForwarder, type Forwarder } from "../support/forwarder.ts";
import { claim } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let network: Forwarder;
let api: Client;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());
beforeEach(async () => {
  network = await startForwarder(service.url);
  api = createClient({ url: network.url });
});
afterEach(() => network.stop());

const newRoom = async (goal: string, url = service.url): Promise<{ room: string }> => {
  const { slug } = await orThrow(
    createClient({ url }).post("/api/meet/rooms", { body: { goal, name: "Ada" } }),
  );
  return { room: slug };
};
const speak = (path: { room: string }, body: string) =>
  orThrow(
    createClient({ url: service.url }).post("/api/meet/rooms/{room}/posts", {
      path,
      body: { name: "Bob", body },
    }),
  );
/** The error of a call that throws, or null. */
const failureOf = (call: Promise<unknown>): Promise<Error | null> =>
  call.then(
    () => null,
    (error: Error) => error,
  );
const bodiesOf = async (path: { room: string }) =>
  (await orThrow(createClient({ url: service.url }).get("/api/meet/rooms/{room}", { path }))).posts.map(
    ({ body }) => body,
  );

test("repeats a post whose answer was lost, and the service stores it once", async () => {
  const path = await newRoom("Lost answers");
  network.loseAnswers(2);
  const post = { path, body: { name: "Ada", body: "once" } };
  const { status, headers } = await api.post("/api/meet/rooms/{room}/posts", post);
  expect([status, headers.get("idempotency-replayed")]).toEqual([201, "true"]);
  expect(await bodiesOf(path)).toEqual(["once"]);
});

test("repeats a call no more often than `retries` says", async () => {
  const path = await newRoom("Too many losses");
  network.loseAnswers(3);
  expect(await failureOf(api.get("/api/meet/rooms/{room}", { path }))).toBeInstanceOf(Error);
  expect(network.connections()).toBe(3);
  const cautious = createClient({ url: network.url, retries: 0 });
  network.loseAnswers(1);
  expect(await failureOf(cautious.get("/api/meet/rooms/{room}", { path }))).toBeInstanceOf(Error);
  expect((await cautious.get("/api/meet/rooms/{room}", { path })).status).toBe(200);
});

test("does not repeat a final answer, however long it may wait", async () => {
  let calls = 0;
  const counting = (url: string, init: RequestInit) => {
    calls++;
    return fetch(url, init);
  };
  const patient = createClient({ url: service.url, fetch: counting, retry_after_seconds_max: Infinity });
  const missing = { path: { room: "nowhere" } };
  expect((await patient.get("/api/meet/rooms/{room}", missing)).status).toBe(404);
  expect((await patient.get("/api/meet/rooms")).status).toBe(200);
  expect(calls).toBe(2);
  const stream = patient.follow("/api/meet/rooms/{room}/stream", missing);
  expect(await failureOf(stream.next())).toBeInstanceOf(WharfProblem);
  expect(calls).toBe(3);
});

test("does not repeat a write that reads no Idempotency-Key", async () => {
  const who = await claim(service.url, "Writer");
  const writer = createClient({ url: network.url, ...who });
  network.loseAnswers(1);
  const slot = { path: { slot: "notes/today" }, body: { value: "x", expected_version: 0 } };
  expect(await failureOf(writer.put("/api/locker/{slot}", slot))).toBeInstanceOf(Error);
  expect(network.connections()).toBe(1);
  // The slot is there, under the name with a slash.
  const { data } = await writer.get("/api/locker/{slot}", { path: { slot: "notes/today" } });
  expect(data).toMatchObject({ slot: "notes/today", value: "x" });
});

test("waits as Retry-After says and sends the call again, unless that takes too long", async () => {
  const limited = await startSource({ rate_limit: true, pace: null });
  const waits: (string | null)[] = [];
  const fetchWithClock = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (response.status === 429) {
      waits.push(response.headers.get("retry-after"));
      limited.clock.advance(1);
    }
    return response;
  };
  const client = createClient({ url: limited.url, fetch: fetchWithClock });
  const path = { room: "busy" };
  await client.post("/api/meet/rooms", { body: { goal: "Busy", name: "Ada" } });
  for (let i = 0; i < 60; i++) {
    const post = { path, body: { name: "Ada", body: "hello" } };
    expect((await client.post("/api/meet/rooms/{room}/posts", post)).status).toBe(201);
  }
  expect(waits).toEqual(["1"]);
  limited.clock.advance(60);
  for (let i = 0; i < 19; i++) await newRoom("More", limited.url);
  const { error } = await client.post("/api/meet/rooms", { body: { goal: "Too many", name: "Eve" } });
  expect(error?.code).toBe("rate_limited");
  expect(waits).toHaveLength(2);
  expect(Number(waits[1])).toBeGreaterThan(30);
  await limited.stop();
});

test("follows a room, and resumes after the last event when the connection was cut", async () => {
  const path = await newRoom("Followed");
  await speak(path, "one");
  const seen: string[] = [];
  for await (const { event, data } of api.follow("/api/meet/rooms/{room}/stream", {
    path,
    query: { since: "0" },
  })) {
    if (event !== "post") break;
    seen.push(data.body!);
    if (data.body === "one") {
      network.cut();
      await speak(path, "two");
      await speak(path, "three");
    }
    if (data.body === "three") break;
  }
  expect(seen).toEqual(["one", "two", "three"]);
  expect(network.connections()).toBe(2);
});

test("ends with the stream of a room that closes, and of one that is closed already", async () => {
  const opened = await orThrow(api.post("/api/meet/rooms", { body: { goal: "Ending", name: "Ada" } }));
  const path = { room: opened.slug };
  const headers = { "x-meet-key": opened.host_key! };
  const { closed_at } = await orThrow(api.post("/api/meet/rooms/{room}/close", { path, headers }));
  const followed: unknown[] = [];
  const from = async (since: string) => {
    for await (const { event } of api.follow("/api/meet/rooms/{room}/stream", { path, query: { since } })) {
      followed.push(event);
    }
  };
  await from("0");
  await from(closed_at);
  expect(followed).toEqual(["closed"]);
});

test("throws the problem of a stream that is refused", async () => {
  const stream = api.follow("/api/meet/rooms/{room}/stream", { path: { room: "nowhere" } });
  const error = await failureOf(stream.next());
  expect(error).toBeInstanceOf(WharfProblem);
  expect((error as WharfProblem).problem).toMatchObject({ status: 404, code: "room_not_found" });
  const mailbox = createClient({ url: service.url }).follow("/api/mailbox/stream");
  expect(await failureOf(mailbox.next())).toMatchObject({ problem: { code: "credential_required" } });
});

test("ends a wait and a stream when the signal aborts", async () => {
  const path = await newRoom("Aborted");
  const controller = new AbortController();
  const { signal } = controller;
  const query = { since: "0", wait_seconds: 50 };
  const waiting = api.get("/api/meet/rooms/{room}", { path, query, signal });
  const following = api.follow("/api/meet/rooms/{room}/stream", { path, signal }).next();
  while (network.connections() < 2) await Bun.sleep(5);
  controller.abort();
  for (const ended of await Promise.allSettled([waiting, following])) {
    expect(ended).toMatchObject({ status: "rejected", reason: { name: "AbortError" } });
  }
});

test("returns from a wait when somebody posts", async () => {
  const path = await newRoom("Waiting");
  const waiting = api.get("/api/meet/rooms/{room}", { path, query: { since: "0", wait_seconds: 50 } });
  while (network.connections() < 1) await Bun.sleep(5);
  await speak(path, "here");
  expect((await orThrow(waiting)).posts.map(({ body }) => body)).toEqual(["here"]);
});

test("`orThrow` throws a problem, and an answer that is not of a service is an error", async () => {
  const missing = orThrow(api.get("/api/meet/rooms/{room}", { path: { room: "nowhere" } }));
  expect((await failureOf(missing))?.message).toMatch(/^room_not_found: /);
  const proxy = Bun.serve({ port: 0, fetch: () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
  const behind = createClient({ url: proxy.url.href, retries: 0 });
  expect((await failureOf(behind.get("/api/meet/rooms")))?.message).toContain("status 502 without a problem");
  await proxy.stop(true);
});

/** Answers each path of a server. Any other path is noted in `reached`. */
function startOther(answers: Record<string, () => Response>) {
  const reached: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (answers[pathname]) return answers[pathname]();
      reached.push(`${request.method} ${pathname}${search}`);
      return fetch(service.url + pathname + search, request);
    },
  });
  return { url: server.url.origin, reached, stop: () => server.stop(true) };
}
const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });

test("follows a redirect of a read within the origin, and ends after five", async () => {
  const other = startOther({
    "/api/beacon": () => redirect("/moved"),
    "/moved": () => redirect("/api/beacon?fields=lean", 308),
    "/api/jobs": () => redirect("/api/meet/rooms"),
    "/api/meet/rooms": () => redirect("/healthz"),
  });
  const client = createClient({ url: other.url, retries: 5 });
  expect((await failureOf(client.get("/api/beacon")))?.message).toMatch(
    /a redirect to .* Is a Wharf service there\?$/,
  );
  // What it leads to is not the list of jobs.
  expect(await failureOf(client.get("/api/jobs"))).toBeInstanceOf(UnexpectedAnswer);
  expect(other.reached).toEqual(["GET /healthz"]);
  await other.stop();
});

test("follows no redirect of a write, and none to another origin: it says where that points", async () => {
  const target = startOther({});
  const other = startOther({
    "/api/name": () => redirect("/api/name/", 307),
    "/base/api/jobs": () => redirect(`${target.url}/new/api/jobs`, 301),
    "/base/api/mailbox/stream": () => redirect(`${target.url}/sign-in`),
  });
  const client = createClient({ url: `${other.url}/base`, key: "wfk_secret" });
  const post = createClient({ url: other.url, key: "wfk_secret" }).post("/api/name", {
    body: { name: "Ada" },
  });
  expect(await failureOf(post)).toMatchObject({
    name: "UnexpectedAnswer",
    status: 307,
    message: `POST ${other.url}/api/name: a redirect to ${other.url}/api/name/ was not followed. Is a Wharf service there?`,
  });
  expect((await failureOf(client.get("/api/jobs")))?.message).toBe(
    `GET ${other.url}/base/api/jobs: a redirect to ${target.url}/new/api/jobs was not followed: if the service has moved there, use ${target.url}/new as its address.`,
  );
  expect((await failureOf(client.follow("/api/mailbox/stream").next()))?.message).toContain(
    `a redirect to ${target.url}/sign-in was not followed. Is a Wharf service there?`,
  );
  expect([target.reached, other.reached]).toEqual([[], []]);
  await other.stop();
  await target.stop();
});

test("throws at an answer that the call does not have, and names the member that differs", async () => {
  let answer = new Response(null);
  const other = startOther({ "/api/mailbox/ack": () => answer });
  const client = createClient({ url: other.url, key: "wfk_secret" });
  const reasonOf = async (given: Response): Promise<string | undefined> => {
    answer = given;
    return (await failureOf(client.post("/api/mailbox/ack", { body: { through: 1 } })))?.message;
  };
  const html = new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html; charset=utf-8" } });
  expect(await reasonOf(html)).toContain("status 200 with text/html, which is no answer of this call");
  expect(await reasonOf(Response.json({}))).toMatch(/ with JSON that this call does not return: see \/\w+\./);
  expect(await reasonOf(Response.json({ through: "1", unread: 0 }))).toContain(": see /through.");
  expect(await reasonOf(Response.json([]))).toContain("with JSON that this call does not return.");
  expect(await reasonOf(new Response("{", { headers: { "content-type": "application/json" } }))).toContain(
    "without JSON",
  );
  expect(await reasonOf(new Response(null, { status: 204 }))).toContain(
    "status 204 is no answer of this call",
  );
  expect(await reasonOf(new Response("{}", { status: 500 }))).toContain("status 500 without a problem");
  await other.stop();
});

test("ignores events that it does not know, and throws at one that differs", async () => {
  const events = ["event: later\ndata: 1", 'event: closed\ndata: {"slug": "x"}'].join("\n\n");
  const other = startOther({
    "/api/meet/rooms/x/stream": () =>
      new Response(`${events}\n\n`, { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = createClient({ url: other.url }).follow("/api/meet/rooms/{room}/stream", {
    path: { room: "x" },
  });
  expect((await failureOf(stream.next()))?.message).toContain(
    "event closed with JSON that this call does not return",
  );
  await other.stop();
});

test("calls a service below a path, and encodes the parts of a path", async () => {
  const paths: string[] = [];
  const proxy = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname + search);
      return fetch(service.url + pathname.replace(/^\/wharf/, "") + search, request);
    },
  });
  const client = createClient({ url: `${proxy.url.href}wharf/` });
  const found = await client.get("/api/name/{name}", { path: { name: "a/b ?c" } });
  expect(found.error?.code).toBe("name_not_claimed");
  const query = { room: ["one:0", "two:now"], jobs: undefined, wait_seconds: 0 };
  await client.get("/api/wait", { query });
  expect(paths).toEqual([
    "/wharf/api/name/a%2Fb%20%3Fc",
    "/wharf/api/wait?room=one%3A0&room=two%3Anow&wait_seconds=0",
  ]);
  await proxy.stop(true);
});

test("runs on Node: calls, a problem, and a stream", async () => {
  const directory = newDirectory();
  const { success } = await Bun.build({
    entrypoints: [join(import.meta.dir, "node_program.ts")],
    outdir: directory,
    naming: "program.mjs",
    target: "node",
  });
  expect(success).toBe(true);
  const child = Bun.spawn(["node", join(directory, "program.mjs"), service.url], {
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(await new Response(child.stdout).text()).toBe(
    "opened node\ncode room_not_found\npost from Node\nclosed\n",
  );
  expect(await child.exited).toBe(0);
  removeDirectory(directory);
});
