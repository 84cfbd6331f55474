/** What a node reads of the changes of others: whatever else runs in the server, and in whichever order transactions end. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Storage } from "../../../src/core/storage.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { postgres_limits } from "../../../src/storage/postgres/limits.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";

const limits = postgres_limits as { -readonly [Name in keyof typeof postgres_limits]: number };
const as_shipped = { ...limits };

describe.skipIf(lacks_postgres)("the changes of other nodes", () => {
  let server: PostgresServer;
  let schemas = 0;
  let engine: Storage<Record<string, never>>;
  let topics: (string | null)[];
  const clients: Bun.SQL[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    schemas++;
    engine = await openPostgres({
      place: { url: place(), listen_url: null, connections_max: 4, prepares: true },
      commands: {},
      searches: {},
      chores: [],
      directory: tmpdir(),
      orderingOf: () => ({}),
      log: createLog(systemClock, "warn", () => undefined),
    });
    topics = [];
    engine.onChange("notify", (topic) => void topics.push(topic));
  });
  afterEach(async () => {
    Object.assign(limits, as_shipped);
    await engine.close();
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  const place = () => `${server.url}?schema=changes${schemas}`;
  /** A client with one connection, for tables of the test. */
  function client(): Bun.SQL {
    const opened = new Bun.SQL(server.url, {
      max: 1,
      connection: { search_path: `changes${schemas}` },
    } as Bun.SQL.PostgresOrMySQLOptions);
    clients.push(opened);
    return opened;
  }
  const record = (sql: Bun.SQL, topic: string) => sql`INSERT INTO changed_topics (topic) VALUES (${topic})`;

  test("announces what a slow transaction has changed, although a later one ended first", async () => {
    const [slow, fast] = [client(), client()];
    await slow`BEGIN`;
    await slow`SAVEPOINT part`;
    await record(slow, "slow");
    await slow`RELEASE part`;
    await record(fast, "fast");
    await engine.fresh!();
    expect(topics).toEqual(["fast"]);
    await record(fast, "faster");
    await engine.fresh!();
    await slow`COMMIT`;
    await engine.fresh!();
    await engine.fresh!();
    expect(topics).toEqual(["fast", "faster", "slow"]);
  });

  test("reads each change once while a foreign transaction stays open, in another database, too", async () => {
    const [writer, foreign] = [client(), client()];
    await writer`DROP DATABASE IF EXISTS elsewhere`;
    await writer`CREATE DATABASE elsewhere`;
    const elsewhere = new Bun.SQL(server.url.replace(/postgres$/, "elsewhere"), { max: 1 });
    clients.push(elsewhere);
    for (const other of [foreign, elsewhere]) {
      await other`BEGIN`;
      await other`SELECT pg_current_xact_id()`;
    }
    await engine.fresh!();
    const commits = 2_000;
    await writer.unsafe(
      `DO $$ BEGIN FOR i IN 1..${commits} LOOP INSERT INTO changed_topics (topic) VALUES ('room:' || i); COMMIT; END LOOP; END $$`,
    );
    const readings = 50;
    for (let i = 0; i < readings; i++) await engine.fresh!();
    expect(topics).toHaveLength(commits);
    await engine.close();
    // A connection reports what it has read when it ends, at the latest.
    const open = () =>
      writer`SELECT 1 FROM pg_stat_activity WHERE application_name = 'wharf'`.then((rows) => rows.length);
    while ((await open()) > 0) await Bun.sleep(10);
    const [read] = await writer`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables
      WHERE relname = 'changed_topics' AND schemaname = ${`changes${schemas}`}`;
    // Once by the readings, and once more if records are deleted meanwhile.
    expect(read.rows).toBeLessThanOrEqual(3 * commits);
  });

  test("takes more changes than it can take in for a change of anything", async () => {
    limits.changes_rows_max = 10;
    const writer = client();
    await writer`INSERT INTO changed_topics (topic) SELECT 'room:' || i FROM generate_series(1, 10) AS i`;
    await engine.fresh!();
    expect(topics).toHaveLength(10);
    await writer`INSERT INTO changed_topics (topic) SELECT 'room:' || i FROM generate_series(1, 11) AS i`;
    await engine.fresh!();
    expect(topics.slice(10)).toEqual([null]);
  });
});
