/** Statements whose results nobody needs: sent as one, in the order in which they were added. */

import { SQL, type ReservedSQL } from "bun";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { commit } from "../../../src/storage/postgres/commit.ts";
import { PendingWrites } from "../../../src/storage/postgres/pending_writes.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";

describe.skipIf(lacks_postgres)("pending writes", () => {
  let server: PostgresServer;
  let sql: SQL;
  let handle: ReservedSQL;
  let pending: PendingWrites;
  /** The statements that were sent. */
  let texts: string[];
  beforeAll(async () => {
    server = await startPostgres();
    sql = new SQL(server.url, { max: 1, bigint: true });
    await sql`CREATE TABLE boats (name TEXT PRIMARY KEY, crew INTEGER NOT NULL)`;
    await sql`CREATE TABLE ports (name TEXT PRIMARY KEY)`;
    await sql`CREATE TABLE changed_topics (topic TEXT NOT NULL)`;
  });
  afterAll(async () => {
    await sql.close();
    await server.stop();
  });
  beforeEach(async () => {
    await sql`TRUNCATE boats, ports, changed_topics`;
    handle = await sql.reserve();
    texts = [];
    pending = new PendingWrites(async (text, values) => {
      texts.push(text);
      return (await handle.unsafe(text, values)) as Record<string, unknown>[];
    });
    await handle`BEGIN`;
  });
  afterEach(async () => {
    await handle`ROLLBACK`;
    await handle.release();
  });

  const addBoat = (name: string, crew: number) =>
    pending.add("INSERT INTO boats (name, crew) SELECT $1, $2::int", [name, crew]);
  const changeCrew = (name: string, crew: number, rows: number) =>
    pending.add("UPDATE boats SET crew = $2::int WHERE name = $1", [name, crew], rows);
  const boats = () => handle`SELECT name, crew FROM boats ORDER BY name`;

  test("go to the database as one statement with the record of the topics", async () => {
    addBoat("Ada", 3);
    pending.add("INSERT INTO ports (name) SELECT $1", ["Ulm"]);
    const xid = await commit(handle, ["room:a", 'room:"b'], pending);
    expect(texts).toHaveLength(1);
    expect(xid).toMatch(/^\d+$/);
    expect([...(await boats())]).toEqual([{ name: "Ada", crew: 3 }]);
    expect([...(await handle`SELECT name FROM ports`)]).toEqual([{ name: "Ulm" }]);
    expect([...(await handle`SELECT topic FROM changed_topics ORDER BY topic`)]).toEqual([
      { topic: 'room:"b' },
      { topic: "room:a" },
    ]);
  });

  test("about the same table come one after the other", async () => {
    addBoat("Ada", 3);
    changeCrew("Ada", 4, 1);
    changeCrew("Ada", 5, 1);
    expect(await commit(handle, [], pending)).toBe(null);
    expect(texts).toHaveLength(3);
    expect([...(await boats())]).toEqual([{ name: "Ada", crew: 5 }]);
  });

  test("fail the transaction if one changes too few rows, and store nothing", async () => {
    addBoat("Ada", 3);
    pending.flush();
    changeCrew("Nobody", 4, 1);
    pending.add("INSERT INTO ports (name) SELECT $1", ["Ulm"]);
    const failure = await commit(handle, ["room:a"], pending).catch((error: unknown) => error);
    expect((failure as { errno: string }).errno).toBe("22012");
    expect([...(await boats())]).toEqual([]);
    expect([...(await handle`SELECT topic FROM changed_topics`)]).toEqual([]);
  });
});
