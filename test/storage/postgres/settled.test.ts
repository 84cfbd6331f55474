/** Which rows the indexing of texts may read: those that no row with a lower number can still come before. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Pool } from "../../../src/storage/postgres/pool.ts";
import { settledIn } from "../../../src/storage/postgres/settled.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";

describe.skipIf(lacks_postgres)("the last settled number of a table", () => {
  let server: PostgresServer;
  let sql: Bun.SQL;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres();
    sql = new Bun.SQL(server.url, { max: 4 });
    pool = new Pool({ url: server.url, listen_url: null, connections_max: 2, prepares: true }, "test");
    await sql`CREATE TABLE jobs (seq BIGSERIAL PRIMARY KEY)`;
  });
  afterAll(async () => {
    await Promise.all([pool.close(), sql.close()]);
    await server.stop();
  });
  const settled = (after: number) => settledIn(pool)("jobs", after);

  test("is the one before, while a transaction has an earlier number; and no writer waits meanwhile", async () => {
    const slow = await sql.reserve();
    await slow`BEGIN`;
    await slow`INSERT INTO jobs DEFAULT VALUES`;
    const writer = await sql.reserve();
    await writer`SET lock_timeout = '100ms'`;
    const answered = { yet: false };
    const answer = settled(0).finally(() => (answered.yet = true));
    while (!answered.yet) await writer`INSERT INTO jobs DEFAULT VALUES`;
    expect(await answer).toBe(0);

    await slow`COMMIT`;
    const [{ last }] = await sql`SELECT MAX(seq)::int AS last FROM jobs`;
    expect(await settled(0)).toBe(last);
    expect(await settled(last)).toBe(last);
    void slow.release();
    void writer.release();
  });
});
