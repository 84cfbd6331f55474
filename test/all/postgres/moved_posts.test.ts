/** The migration that changes all posts is done completely or not at all, although nodes are killed while it runs. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { first_postgres_version, postgres_migrations } from "../../../src/storage/migrations.ts";
import { lacks_binary } from "../../support/binary.ts";
import { runUntil } from "../../support/killed.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";
import { startBinary } from "../../support/service.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 5);
const posts = Number(process.env.WHARF_TEST_OPERATIONS ?? 100_000);
/** The schema version before that migration. */
const version = 26;

describe.skipIf(lacks_postgres || lacks_binary)("posts in Postgres", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test(`keep what they are in a migration that is killed ${kills} times`, async () => {
    const { below } = testRandom("moved posts in Postgres");
    const sql = new SQL(server.url, { max: 1 });
    for (const text of postgres_migrations.slice(0, version + 1 - first_postgres_version)) {
      await sql.unsafe(text);
    }
    await sql.unsafe(`INSERT INTO schema_version (id, version, identity) VALUES (1, ${version}, 'abcdef01')`);
    const created = "2026-03-01T12:00:00.000Z";
    await sql.unsafe(
      "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, posts, last_active, changed) " +
        `VALUES ('a-room', 'A goal', 'Ada', 0, 'public', '', '${created}', ${posts}, '${created}', '${created}')`,
    );
    await sql.unsafe(
      "INSERT INTO posts (id, room, ts, name, claimed, body, salt, n) " +
        "SELECT '019ca945-0a00-7000-8000-' || lpad(to_hex(i), 12, '0'), 1, " +
        `to_char(to_timestamp(1772366400 + i / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ` +
        `'Ada', 0, 'Post ' || i, md5(i::text), i FROM generate_series(1, ${posts}) AS i`,
    );
    const [before] = await sql.unsafe(
      "SELECT COUNT(*) AS count, md5(string_agg(concat_ws(' ', n, id, ts, salt, body), ',' ORDER BY n)) AS hash FROM posts",
    );
    const statusOf = async () =>
      (await sql.unsafe("SELECT version FROM schema_version"))[0].version as number;
    const statuses: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await runUntil(["serve", "--port", "0", "--database", server.url], Bun.sleep(100 + below(350)));
      statuses.push(await statusOf());
    }
    await (await startBinary({ database: server.url })).stop();
    const [after] = await sql.unsafe(
      "SELECT COUNT(*) AS count, md5(string_agg(concat_ws(' ', n, id::text, " +
        `to_char(to_timestamp(ts / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ` +
        "replace(salt::text, '-', ''), body), ',' ORDER BY n)) AS hash FROM posts",
    );
    expect(after).toEqual(before);
    console.log(`${statuses.filter((status) => status === version).length} of ${kills} kills before its end`);
    await sql.close();
  }, 600_000);
});
