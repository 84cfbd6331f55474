/** Every call to the database ends in a bounded time: with a lock that is held, a long statement, a full pool, a silent network. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chownSync } from "node:fs";
import { tmpdir } from "node:os";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Storage, Tx } from "../../../src/core/storage.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { postgres_limits } from "../../../src/storage/postgres/limits.ts";
import { startForwarder } from "../../support/forwarder.ts";
import { get, post } from "../../support/http.ts";
import {
  lacks_postgres,
  postgres_user,
  startPostgres,
  type PostgresServer,
} from "../../support/postgres_server.ts";
import { lacks } from "../../support/programs.ts";
import { startSource } from "../../support/service.ts";
import { smallDisk } from "../../support/small_disk.ts";

const commands = {
  count: async (tx: Tx, _input: null) =>
    (await tx.get<{ found: number }>("SELECT COUNT(*) AS found FROM rooms"))!.found,
  change: (tx: Tx, { slug }: { slug: string }) => tx.run("UPDATE rooms SET goal = 'x' WHERE slug = $1", slug),
  sleep: (tx: Tx, _input: null) => tx.get("SELECT pg_sleep(60)"),
  async idle(tx: Tx, _input: null) {
    await tx.get("SELECT 1");
    await Bun.sleep(1_000);
    return tx.get("SELECT 1");
  },
};
type Engine = Storage<typeof commands>;

const limits = postgres_limits as { -readonly [Name in keyof typeof postgres_limits]: number };
const as_shipped = { ...limits };
const no_mount = lacks("a full database", "mount", "umount");
const disk = no_mount ? undefined : smallDisk(32);
afterAll(() => disk?.unmount());
// Containers have the program and not the right to use it. That is no missing program.
const may_not_mount = !no_mount && !disk;
if (may_not_mount) console.log("NOT POSSIBLE HERE: a full database: this user may not mount a file system.");
const testWithMount = may_not_mount ? () => {} : test.skipIf(no_mount);

describe.skipIf(lacks_postgres)("with a database that does not answer in time", () => {
  let server: PostgresServer;
  let engine: Engine | undefined;
  let log = "";
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    log = "";
    schemas++;
  });
  afterEach(async () => {
    await engine?.close();
    engine = undefined;
    Object.assign(limits, as_shipped);
  });

  /** Opens with the shipped limits, because a busy machine may need long for that. */
  async function open(url = server.url): Promise<Engine> {
    engine = await openPostgres<typeof commands>({
      place: { url: `${url}?schema=late${schemas}`, listen_url: null, connections_max: 4, prepares: true },
      commands,
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: () => ({}),
      log: createLog(systemClock, "info", (line) => void (log += line), "json"),
    });
    return engine;
  }

  test("a write ends that waits for a lock, and the log says whose", async () => {
    const node = await open();
    const other = new Bun.SQL(server.url, { max: 1 });
    await other.unsafe(`BEGIN; LOCK TABLE late${schemas}.rooms`).simple();
    expect(await failureOf(node.write("change", { slug: "a" }))).toBe("storage_busy");
    await other.unsafe("ROLLBACK");
    await other.close();
    expect((await node.write("count", null)).result).toBe(0);
    expect(log).toContain("pg_blocking_pids");
  });

  test("a statement that takes too long ends, in a write and in a read", async () => {
    const node = await open();
    limits.statement_seconds_max = 0.2;
    expect(await failureOf(node.write("sleep", null))).toBe("storage_busy");
    expect(await failureOf(node.read((tx) => tx.get("SELECT pg_sleep(60)")))).toBe("storage_busy");
    Object.assign(limits, as_shipped);
    expect((await node.write("count", null)).result).toBe(0);
    expect(log).toContain("took too long");
  });

  test("the server ends a transaction in which a node is silent, and its locks", async () => {
    const node = await open();
    limits.idle_in_transaction_seconds_max = 0.2;
    expect(await failureOf(node.write("idle", null))).toBe("storage_failed");
    Object.assign(limits, as_shipped);
    expect((await node.write("count", null)).result).toBe(0);
  });

  test("a connection that is lost without a sign ends with the use of it", async () => {
    const node = await open();
    limits.use_seconds_max = 0.2;
    expect(await failureOf(node.read((tx) => tx.get("SELECT pg_sleep(60)")))).toBe("storage_failed");
    Object.assign(limits, as_shipped);
    expect((await node.write("count", null)).result).toBe(0);
  });

  test("a caller is refused when all connections are in use, and served when one is free", async () => {
    const node = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const users = Array.from({ length: 3 }, () => node.read(() => promise));
    expect(await failureOf(node.read(async () => null))).toBe("storage_busy");
    resolve();
    await Promise.all(users);
    expect(await node.read(async () => "served")).toBe("served");
  });

  test("requests are answered with 503 while nothing comes back, /readyz says so, and the node recovers", async () => {
    const line = await startForwarder(server.url);
    const database = `${line.url}?schema=silent`;
    const service = await startSource({ database, database_connections: 4 });
    const { url } = service;
    const room = { goal: "Still there?", name: "Ada" };
    const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, room);
    Object.assign(limits, { silence_ms_max: 300, connect_seconds_max: 0.3 });
    line.swallow();
    const read = () => get(`${url}/api/meet/rooms/${body.slug}`);
    // Those that come before the node knows, and those afterwards.
    const answers = await Promise.all([read(), read(), post(`${url}/api/meet/rooms`, room)]);
    for (const { status } of [...answers, await read()]) expect(status).toBe(503);
    expect((await get(`${url}/healthz`)).status).toBe(200);
    expect(await get(`${url}/readyz`)).toMatchObject({
      status: 503,
      body: { checks: { writes: { status: "failing", code: "storage_busy" } } },
    });
    expect(service.output()).toContain("storage.database_silent");
    Object.assign(limits, as_shipped);
    line.heal();
    while ((await read()).status !== 200);
    expect((await post(`${url}/api/meet/rooms`, room)).status).toBe(201);
    expect(service.output()).toContain("storage.database_answers");
    await service.stop();
    line.stop();
  });

  test("a write behind a foreign lock is refused within 5 seconds", () => {
    const { lock_seconds_max, lock_again_seconds_max, queue_wait_ms_max, group_wait_ms_max } = as_shipped;
    // Each attempt may wait for another node and then for the lock. The last one begins before `group_wait_ms_max`.
    const in_group = queue_wait_ms_max / 1_000 + 2 * lock_seconds_max;
    const singly = group_wait_ms_max / 1_000 + 2 * lock_again_seconds_max;
    expect(Math.max(in_group, singly)).toBeLessThan(5);
  });

  /** A machine that is busy needs some of the 5 seconds: the limits are a fifth of the shipped ones, whose sum is above. */
  test("callers behind a foreign lock get 503 before one does that waits for it for 5 seconds", async () => {
    const service = await startSource({ database: `${server.url}?schema=behind` });
    const { url } = service;
    const rooms = await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const room = { goal: `Behind a lock ${i}`, name: "Ada" };
        return (await post<{ slug: string }>(`${url}/api/meet/rooms`, room)).body.slug;
      }),
    );
    limits.lock_seconds_max = as_shipped.lock_seconds_max / 5;
    limits.lock_again_seconds_max = as_shipped.lock_again_seconds_max / 5;
    limits.group_wait_ms_max = as_shipped.group_wait_ms_max / 5;
    limits.queue_wait_ms_max = as_shipped.queue_wait_ms_max / 5;
    limits.reserve_seconds_max = as_shipped.reserve_seconds_max / 5;
    const other = new Bun.SQL(server.url, { max: 1 });
    await other.unsafe("BEGIN; LOCK TABLE behind.posts").simple();
    const waiter = new Bun.SQL(server.url, { max: 1 });
    const waiting = waiter.unsafe("BEGIN; SET lock_timeout = '5s'; LOCK TABLE behind.posts").simple();
    const late = waiting.then(
      () => "locked",
      () => "late",
    );
    // A wait for each room would take longer than the 5 seconds.
    const calls = Array.from({ length: 2 * rooms.length }, (_, i) => {
      const api = `${url}/api/meet/rooms/${rooms[i % rooms.length]}`;
      return i % 10 === 0
        ? get(`${api}?limit=${i + 1}`)
        : post(`${api}/posts`, { name: "Ada", body: `${i}` });
    });
    const statuses = Promise.all(calls).then((answers) => answers.map(({ status }) => status));
    const first: number[] | string = await Promise.race([statuses, late]);
    expect(Array.isArray(first) ? [...new Set(first)] : first).toEqual([503]);
    await other.unsafe("ROLLBACK");
    await waiting;
    await waiter.unsafe("ROLLBACK");
    Object.assign(limits, as_shipped);
    expect(
      (await post(`${url}/api/meet/rooms/${rooms[0]}/posts`, { name: "Ada", body: "Free." })).status,
    ).toBe(201);
    await Promise.all([other.close(), waiter.close(), service.stop()]);
  });

  describe("says whether writes work, by a write", () => {
    let other: Bun.SQL;
    beforeEach(() => {
      limits.probe_every_ms = 0;
      other = new Bun.SQL(server.url, { max: 1 });
    });
    afterEach(() => other.close());
    const works = { writes: { status: "ok" } };
    const fails = (code: string) => ({ writes: { status: "failing", code } });

    test("which a lock of another stops", async () => {
      const node = await open();
      expect(await node.health()).toMatchObject(works);
      await other.unsafe(`BEGIN; LOCK TABLE late${schemas}.posts`).simple();
      expect(await node.health()).toMatchObject(fails("storage_busy"));
      await other.unsafe("ROLLBACK");
      expect(await node.health()).toMatchObject(works);
      expect(log).toContain("storage.failing");
      expect(log).toContain("storage.recovered");
    });

    test("which a server refuses that is read-only", async () => {
      const node = await open();
      const until = async (status: string) => {
        while ((await node.health())["writes"]!.status !== status);
      };
      await other`ALTER SYSTEM SET default_transaction_read_only = on`;
      await other`SELECT pg_reload_conf()`;
      await until("failing");
      expect(await node.health()).toMatchObject(fails("storage_busy"));
      await other`ALTER SYSTEM RESET default_transaction_read_only`;
      await other`SELECT pg_reload_conf()`;
      await until("ok");
      expect(log).toContain("default_transaction_read_only is on");
    });

    test("which gets no connection while all are in use", async () => {
      const node = await open();
      const { promise, resolve } = Promise.withResolvers<void>();
      const users = Array.from({ length: 3 }, () => node.read(() => promise));
      expect(await node.health()).toMatchObject(fails("storage_busy"));
      resolve();
      await Promise.all(users);
      expect(await node.health()).toMatchObject(works);
    });

    testWithMount("which needs room on the disk", async () => {
      if (postgres_user) chownSync(disk!.directory, postgres_user.uid, postgres_user.gid);
      await other`CREATE TABLESPACE small LOCATION ${other.unsafe(`'${disk!.directory}'`)}`;
      await other`CREATE DATABASE small TABLESPACE small`;
      const url = server.url.replace(/postgres$/, "small");
      const filling = new Bun.SQL(url, { max: 1 });
      const node = await open(url);
      await filling`CREATE TABLE filled (text TEXT)`;
      await filling`ALTER TABLE filled ALTER text SET STORAGE PLAIN`;
      const fill = () => filling`INSERT INTO filled SELECT repeat('x', 8000) FROM generate_series(1, 50)`;
      while (
        await fill().then(
          () => true,
          () => false,
        )
      );
      expect(await node.health()).toMatchObject(fails("storage_full"));
      await filling`DROP TABLE filled`;
      await filling`CHECKPOINT`;
      expect(await node.health()).toMatchObject(works);
      await filling.close();
    });
  });

  test("a server that takes no writes any more is named as a standby", async () => {
    const node = await open();
    await server.crash();
    await server.startAsStandby();
    while (!log.includes("Name the primary")) await Bun.sleep(10);
    expect(await failureOf(node.write("change", { slug: "a" }))).toBe("storage_busy");
    expect(await node.health()).toMatchObject({ writes: { status: "failing", code: "storage_busy" } });
  });
});

/** The code of the error with which a call ends. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "none",
    (error: { code?: unknown }) => error.code,
  );
