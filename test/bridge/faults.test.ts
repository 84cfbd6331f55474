/** The bridge while connections are lost, answers are lost, sessions end and the service restarts: each call is answered once, and done once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bridge_limits } from "../../src/bridge/limits.ts";
import { startBridge, type LocalClient, type Said } from "../support/bridge.ts";
import { FakeClock } from "../support/clock.ts";
import { startForwarder, type Forwarder } from "../support/forwarder.ts";
import { freePort } from "../support/free_port.ts";
import { get } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { beginSession, handshake } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";

const updated = "notifications/resources/updated";
const isUpdate = ({ method }: Said) => method === updated;

let service: SourceService;
let forwarder: Forwarder;
beforeAll(async () => {
  service = await startSource();
  forwarder = await startForwarder(service.url);
});
afterAll(async () => {
  forwarder.stop();
  await service.stop();
});

const bodiesIn = async (room: Opened): Promise<string[]> =>
  (await get<{ posts: { body: string }[] }>(`${room.api}?since=0`)).body.posts.map(({ body }) => body);

async function begun(): Promise<LocalClient> {
  const client = startBridge(`${forwarder.url}/mcp`);
  await client.begin();
  // Now it knows the tools, and its stream is open.
  const room = await open(service.url, "Begun");
  await client.ask("resources/subscribe", { uri: uriOf(room) });
  await client.call("meet_speak", { room: room.slug, name: "Ada", body: "Hello." });
  await client.next(isUpdate);
  await client.ask("resources/unsubscribe", { uri: uriOf(room) });
  client.said.length = 0;
  return client;
}

test("a call whose answer is lost is done once and answered once", async () => {
  const room = await open(service.url, "Lost answers");
  const client = await begun();
  for (const body of ["one", "two"]) {
    // After an outage the bridge reads the tools again, whose list must not be the answer that is lost.
    await client.call("meet_rooms", {});
    forwarder.loseAnswers(1);
    const { result } = await client.call("meet_speak", { room: room.slug, name: "Ada", body });
    expect(result!.structuredContent).toMatchObject({ replayed: true });
  }
  await client.call("meet_rooms", {});
  const opening = { goal: "Opened once", name: "Ada" };
  forwarder.loseAnswers(1);
  expect((await client.call("meet_open", opening)).result!.structuredContent).toMatchObject({
    room: "opened-once",
  });
  expect((await client.call("meet_open", opening)).result!.structuredContent).toMatchObject({
    room: expect.stringMatching(/^opened-once-./),
  });
  expect(await bodiesIn(room)).toEqual(["one", "two"]);
  await client.end();
  expect(client.said.filter(({ id }) => id !== undefined)).toHaveLength(7);
});

test("a call of a former tool, which is not listed, is done once too", async () => {
  const [ada, bob] = [await claim(service.url, "Poster"), await claim(service.url, "Holder")];
  const { id } = await postJob(service.url, ada);
  await callJob(service.url, bob, id, "claim");
  const client = startBridge(`${forwarder.url}/mcp`, { headers: bob.pair });
  await client.begin();
  await client.call("job_extend", { id });
  forwarder.loseAnswers(1);
  const { result } = await client.call("job_release", { id });
  expect(result!.structuredContent).toEqual({ id, released: true, replayed: true });
  await client.end();
});

test("a call with a once of its own keeps it", async () => {
  const room = await open(service.url, "Own once");
  const client = await begun();
  const args = { room: room.slug, name: "Ada", body: "Mine.", once: "0123456789abcdef0123456789abcdef" };
  await client.call("meet_speak", args);
  expect((await client.call("meet_speak", args)).result!.structuredContent).toMatchObject({ replayed: true });
  expect(await bodiesIn(room)).toEqual(["Mine."]);
  await client.end();
});

test("a call whose first try is still running is answered when that has ended", async () => {
  const room = await open(service.url, "Twice at once");
  const client = await begun();
  const args = { room: room.slug, name: "Ada", body: "Once.", once: "fedcba9876543210fedcba9876543210" };
  const said = await Promise.all(Array.from({ length: 8 }, () => client.call("meet_speak", args)));
  for (const { result } of said) expect(result!.structuredContent).toMatchObject({ n: 1 });
  expect(await bodiesIn(room)).toEqual(["Once."]);
  await client.end();
});

test("a call that waits is resumed, and misses nothing that came meanwhile", async () => {
  const room = await open(service.url, "Resumed");
  const client = await begun();
  const speaking = client.call("meet_speak", {
    room: room.slug,
    name: "Ada",
    body: "é".repeat(4000),
    wait_seconds: 50,
  });
  while (service.open().waits < 1) await Bun.sleep(5);
  const waiting = client.ask("tools/call", {
    name: "wait",
    arguments: { rooms: { [room.slug]: "now" }, wait_seconds: 50 },
    _meta: { progressToken: "waiting" },
  });
  while (service.open().waits < 2) await Bun.sleep(5);
  // When its progress has come, the bridge knows where to resume.
  service.clock.advance(15);
  await client.next(({ method }) => method === "notifications/progress");
  forwarder.cut();
  await speak(room, "Meanwhile.");
  expect((await waiting).result!.structuredContent).toMatchObject({
    posts: { [room.slug]: [{ body: "Meanwhile." }] },
  });
  expect((await speaking).result!.structuredContent).toMatchObject({ replies: [{ body: "Meanwhile." }] });
  expect(await bodiesIn(room)).toHaveLength(2);
  await client.end();
});

test("notifications continue after the connection is lost, and name what changed meanwhile", async () => {
  const room = await open(service.url, "Followed on");
  const client = await begun();
  await client.ask("resources/subscribe", { uri: uriOf(room) });
  for (const body of ["one", "two"]) {
    forwarder.cut();
    await speak(room, body);
    expect((await client.next(isUpdate)).params).toEqual({ uri: uriOf(room) });
  }
  await client.end();
});

test("a connection that is silent is taken for lost", async () => {
  const room = await open(service.url, "Silent");
  const clock = new FakeClock();
  const client = startBridge(`${forwarder.url}/mcp`, { clock });
  await client.begin();
  const reading = client.call("meet_read", { room: room.slug, since: 0, wait_seconds: 50 });
  while (service.open().waits === 0) await Bun.sleep(5);
  forwarder.swallow();
  await speak(room, "Into the void.");
  forwarder.heal();
  clock.advance(bridge_limits.silent_stream_seconds_max - 1);
  expect(client.notes).toEqual([]);
  clock.advance(1);
  const pauses = setInterval(() => clock.advance(bridge_limits.pause_ms_max / 1_000), 2);
  expect((await reading).result!.structuredContent).toMatchObject({ posts: [{ body: "Into the void." }] });
  clearInterval(pauses);
  await client.end();
});

test("what cannot be brought to the service is refused after a while, and says so", async () => {
  const clock = new FakeClock();
  const nowhere = await startForwarder(service.url);
  nowhere.stop();
  const client = startBridge(`${nowhere.url}/mcp`, { clock });
  const answered = client.ask("ping");
  const pauses = setInterval(() => clock.advance(bridge_limits.pause_ms_max / 1_000), 2);
  const { error } = await answered;
  clearInterval(pauses);
  expect(error!.message).toContain("cannot be reached (ECONNREFUSED). The call may have taken effect");
  expect(clock.monotonic()).toBeGreaterThan(bridge_limits.away_seconds_max * 1_000);
  expect(client.notes).toEqual([expect.stringContaining("cannot be reached (ECONNREFUSED). Trying again.")]);
  await client.end();
});

test("waits while a proxy says that the service is away", async () => {
  let is_away = true;
  const proxy = Bun.serve({
    port: 0,
    fetch: ({ url, method, headers, body }) =>
      is_away
        ? new Response("<h1>Bad Gateway</h1>", { status: 502 })
        : fetch(service.url + new URL(url).pathname, { method, headers, body }),
  });
  const client = startBridge(`${proxy.url.origin}/mcp`);
  const answered = client.ask("ping");
  while (client.notes.length === 0) await Bun.sleep(5);
  is_away = false;
  expect((await answered).result).toEqual({} as never);
  expect(client.notes).toEqual([
    expect.stringContaining("answers 502. Trying again."),
    "The service answers again.",
  ]);
  await client.end();
  await proxy.stop(true);
});

describe("a session that has ended", () => {
  let small: SourceService;
  beforeAll(async () => {
    small = await startSource({ rate_limit: true, mcp_sessions_by_address: 1 });
  });
  afterAll(() => small.stop());

  test("is begun again, with its subscriptions, and the client notices nothing", async () => {
    const room = await open(small.url, "Session");
    const client = startBridge(`${small.url}/mcp`);
    await client.begin();
    await client.ask("resources/subscribe", { uri: uriOf(room) });
    const waiting = client.call("meet_read", { room: room.slug, since: 0, wait_seconds: 50 });
    while (small.open().waits === 0) await Bun.sleep(5);
    await beginSession(`${small.url}/mcp`);
    expect((await client.call("meet_read", { room: room.slug })).result!.structuredContent).toMatchObject({
      room: { goal: "Session" },
    });
    await speak(room, "News.");
    expect((await client.next(isUpdate)).params).toEqual({ uri: uriOf(room) });
    expect((await waiting).result!.structuredContent).toMatchObject({ posts: [{ body: "News." }] });
    await client.end();
    const answers = client.said.filter(({ id }) => id !== undefined);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test("a session that has ended is begun again for a client that has no stream", async () => {
  const small = await startSource({ rate_limit: true, mcp_sessions_by_address: 1 });
  const client = startBridge(`${small.url}/mcp`);
  await client.ask("initialize", handshake);
  await beginSession(`${small.url}/mcp`);
  expect((await client.ask("ping")).result).toEqual({} as never);
  await client.end();
  await small.stop();
});

describe("a restart of the service", () => {
  test("is noticed neither by a session nor by a listener", async () => {
    const data_dir = newDirectory();
    const port = await freePort();
    const before = await startSource({ data_dir, port });
    const room = await open(before.url, "Restart");
    const [session, plain] = [startBridge(`${before.url}/mcp`), startBridge(`${before.url}/mcp`)];
    await session.begin();
    await session.ask("resources/subscribe", { uri: uriOf(room) });
    const filter = { notifications: { resourceSubscriptions: [uriOf(room)] } };
    const listened = plain.askModern("subscriptions/listen", filter);
    await plain.next(({ method }) => method !== undefined);
    await before.stop();

    const spoken = session.call("meet_speak", { room: room.slug, name: "Ada", body: "Into the restart." });
    const after = await startSource({ data_dir, port }, undefined, 2);
    expect((await spoken).result!.isError).toBeUndefined();
    await session.next(isUpdate);
    await plain.next(isUpdate);
    await speak(room, "After it.");
    expect((await session.next(isUpdate)).params).toEqual({ uri: uriOf(room) });
    expect((await plain.next(isUpdate)).params).toMatchObject({ uri: uriOf(room) });
    expect(await bodiesIn(room)).toEqual(["Into the restart.", "After it."]);
    await plain.end();
    await session.end();
    expect(plain.said.filter(({ id }) => id !== undefined)).toEqual([]);
    void listened;
    await after.stop();
    removeDirectory(data_dir);
  });
});
