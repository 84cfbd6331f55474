/** The migration of a database that nodes of an earlier release use meanwhile. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacks_binary } from "../../support/binary.ts";
import { get } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { startBinary } from "../../support/service.ts";

describe.skipIf(lacks_postgres || lacks_binary)("a migration", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("is made again if it was in a circle of waits with a write", async () => {
    const database = `${server.url}?schema=again`;
    await (await startBinary({ database })).stop();
    const sql = new Bun.SQL(server.url, { max: 2, connection: { search_path: "again" } });
    await sql`DROP INDEX sessions_of_network, rooms_unlisted`;
    await sql`UPDATE schema_version SET version = 34`;
    const writer = await sql.reserve();
    await writer`BEGIN`;
    await writer`LOCK TABLE rooms IN ROW EXCLUSIVE MODE`;
    const starting = startBinary({ database });
    const isWaiting = async () => {
      const [row] =
        await sql`SELECT COUNT(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'rooms'::regclass`;
      return (row as { count: number }).count > 0;
    };
    while (!(await isWaiting())) await Bun.sleep(10);
    // The migration has waited for longer, so that Postgres ends it.
    await writer`LOCK TABLE sessions IN ROW EXCLUSIVE MODE`;
    await writer`COMMIT`;
    await writer.release();
    const service = await starting;
    expect((await get(`${service.url}/readyz`)).status).toBe(200);
    const [stored] = await sql`SELECT version FROM schema_version`;
    expect((stored as { version: number }).version).toBeGreaterThan(34);
    await service.stop();
    await sql.close();
  });
});
