/** What two nodes of one Postgres share, of which one has a clock that is two hours ahead: leases, repeated calls, notes. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeanRead } from "../../../src/api/rooms/lean.ts";
import type { Present } from "../../../src/api/rooms/present.ts";
import { postgres_limits } from "../../../src/storage/postgres/limits.ts";
import { FakeClock } from "../../support/clock.ts";
import { fakeWall, lacksFaketime } from "../../support/faketime.ts";
import { get, post } from "../../support/http.ts";
import { callJob, postJob, readJob, readMailbox } from "../../support/jobs.ts";
import { claim } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { open, speak } from "../../support/rooms.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  startSource,
  type TestService,
} from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";

let server: PostgresServer;
beforeAll(async () => {
  if (!lacks_postgres) server = await startPostgres();
});
afterAll(() => server?.stop());

describe.skipIf(lacks_postgres || lacksFaketime("two nodes with different clocks"))("two nodes", () => {
  const directory = newDirectory();
  let a: TestService;
  let b: TestService;
  beforeAll(async () => {
    const wall = fakeWall(directory);
    wall.set("+2h");
    const database = `${server.url}?schema=shared`;
    a = await startBinary({ database });
    b = await startBinary({ database }, wall.environment);
  });
  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()]);
    removeDirectory(directory);
  });

  test("refuse a job that is held at the other, until the same moment by the time of the database", async () => {
    const [poster, holder, next] = [
      await claim(a.url, "Poster"),
      await claim(a.url, "Holder"),
      await claim(b.url, "Next"),
    ];
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { id } = await postJob(one.url, poster);
      const { status, body } = await callJob(one.url, holder, id, "claim");
      expect(status).toBe(200);
      const hour_ms = 3_600_000;
      expect(Math.abs(Date.parse(body.you_hold_it_until) - Date.now() - hour_ms)).toBeLessThan(60_000);
      expect((await callJob(other.url, next, id, "claim")).status).toBe(409);
      const { until } = await readJob(one.url, id);
      expect(await readJob(other.url, id)).toMatchObject({ state: "held", held_by: "Holder", until });
      expect((await callJob(other.url, holder, id, "extend")).status).toBe(200);
    }
  });

  test("repeat a call with an idempotency key that came to the other", async () => {
    const key = { "idempotency-key": "3f1c2f5e-7b43-4c4e-9a64-2a54f1c1b7aa" };
    const openAt = ({ url }: TestService) =>
      post<{ slug: string; host_key: string }>(`${url}/api/meet/rooms`, { goal: "Once", name: "Ada" }, key);
    const [first, ...again] = [await openAt(a), await openAt(b), await openAt(a)];
    for (const { body } of again)
      expect([body.slug, body.host_key]).toEqual([first!.body.slug, first!.body.host_key]);
  });

  test("wait on over a quiet post of the other, and return it with its next post", async () => {
    const room = await open(a.url, "Which node is quiet?");
    const address = `/api/meet/rooms/${room.slug}`;
    const query = "?since=0&wait_seconds=50&fields=lean";
    const waiting = Promise.all([
      get<LeanRead>(`${b.url}${address}${query}`),
      get<{ posts: Record<string, { n: number }[]> }>(
        `${b.url}/api/wait?room=${room.slug}:0&wait_seconds=50`,
      ),
    ]);
    while ((await get<Present>(`${a.url}${address}/present`)).body.others < 2);
    await post(`${a.url}${address}/posts`, { name: "Bob", body: "Thanks.", quiet: true });
    // The other node has read it, and its waits have seen it before the next post.
    while ((await get<LeanRead>(`${b.url}${address}?since=0&fields=lean`)).body.posts.length === 0);
    await speak(room, "Loud");
    const [read, news] = await waiting;
    const expected = [{ n: 1, quiet: true }, { n: 2 }];
    expect(read.body.posts).toMatchObject(expected);
    expect(news.body.posts[room.slug]).toMatchObject(expected);
  });

  test("wake a wait for a note that is written at the other", async () => {
    const who = await claim(a.url, "Waiting");
    const room = await open(a.url, "Who is there?");
    const waiting = readMailbox(b.url, who, "?wait_seconds=50");
    await speak(room, "@Waiting are you there?");
    expect((await waiting).notes).toMatchObject([{ seq: 1, kind: "room.mention" }]);
  });
});

test.skipIf(lacks_postgres)(
  "a node ends the lease of a job that another one gave, which is gone",
  async () => {
    const clock = new FakeClock();
    const start = () => startSource({ database: `${server.url}?schema=ended` }, clock);
    const [giving, staying] = [await start(), await start()];
    const [poster, holder] = [await claim(giving.url, "Poster"), await claim(giving.url, "Holder")];
    const { id } = await postJob(giving.url, poster);
    await callJob(giving.url, holder, id, "claim");
    await giving.stop();
    await clock.timerAt(3_600);
    clock.advance(3_600);
    // A stream settles nothing, as a read of the mailbox does.
    const stream = await readEvents(`${staying.url}/api/mailbox/stream?since=1`, poster.pair);
    expect((await stream.next())?.data).toMatchObject({ kind: "job.lapsed", job: id });
    await stream.close();
    await staying.stop();
  },
);

test.skipIf(lacks_postgres)("a node that does not know the time serves reads only, and says so", async () => {
  const limits = postgres_limits as { time_error_ms_max: number };
  const shipped = limits.time_error_ms_max;
  const service = await startSource({ database: `${server.url}?schema=timeless` });
  const room = await open(service.url, "What time is it?");
  try {
    // No reading is as exact as that.
    limits.time_error_ms_max = -1;
    while (!service.output().includes("storage.time_unknown")) await get(room.api);
    expect(await speak(room, "never")).toMatchObject({
      status: 503,
      body: { code: "storage_busy", detail: expect.stringContaining("time of the database") },
    });
    expect((await get(room.api)).status).toBe(200);
    expect(await get(`${service.url}/readyz`)).toMatchObject({
      status: 503,
      body: { checks: { writes: { status: "failing" }, database: { status: "ok" } } },
    });
  } finally {
    limits.time_error_ms_max = shipped;
  }
  while (!service.output().includes("storage.time_known")) await get(room.api);
  expect((await speak(room, "now")).status).toBe(201);
  await service.stop();
});
