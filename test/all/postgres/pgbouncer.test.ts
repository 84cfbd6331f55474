/** Two nodes behind PgBouncer in transaction mode, which passes no hints on and knows no prepared statements. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { openPostgres } from "../../../src/storage/postgres/engine.ts";
import { postgres_limits } from "../../../src/storage/postgres/limits.ts";
import { freePort } from "../../support/free_port.ts";
import { started } from "../../support/leftovers.ts";
import { expectOneWinner, expectQuotas } from "../../support/node_races.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { lacks } from "../../support/programs.ts";
import { startBinary } from "../../support/service.ts";
import { expectNothingLost, expectReadAtOnce, expectSeenAtOther } from "../../support/two_nodes.ts";

const posts = 300;

describe.skipIf(lacks_postgres || lacks("PgBouncer", "pgbouncer"))("behind PgBouncer", () => {
  let server: PostgresServer;
  let folder: string;
  let pooler: Bun.Subprocess;
  let pooled_url: string;
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(join(tmpdir(), "wharf-pgbouncer-"));
    const port = await freePort();
    const { port: server_port } = new URL(server.url);
    writeFileSync(
      join(folder, "pgbouncer.ini"),
      `[databases]
postgres = host=127.0.0.1 port=${server_port} user=wharf
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
logfile = ${join(folder, "log")}
`,
    );
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
    for (const path of user ? [folder, join(folder, "pgbouncer.ini")] : [])
      chownSync(path, user!.uid, user!.gid);
    pooler = Bun.spawn(["pgbouncer", "-q", join(folder, "pgbouncer.ini")], {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "ignore"],
    });
    started.push(pooler);
    pooled_url = `postgres://wharf@127.0.0.1:${port}/postgres`;
    for (;;) {
      const sql = new Bun.SQL(pooled_url, { max: 1, prepare: false });
      const is_ready = await sql.unsafe("SELECT 1").then(
        () => true,
        () => false,
      );
      await sql.close();
      if (is_ready || pooler.exitCode !== null) break;
    }
    expect(pooler.exitCode).toBeNull();
  });
  afterAll(async () => {
    pooler.kill("SIGKILL");
    await pooler.exited;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (settings: object = {}) =>
    startBinary({
      database: pooled_url,
      database_listen: server.url,
      database_prepares: false,
      ...settings,
    });

  test(`two nodes race, read what the other has written, and lose nothing when they are killed`, async () => {
    const nodes = [await start(), await start()];
    const urlOf = (i: number): string => nodes[i % 2]!.url;
    await expectOneWinner(urlOf);
    await expectQuotas(urlOf);
    await expectReadAtOnce(urlOf, posts / 10);
    await expectSeenAtOther(urlOf(0), urlOf(1), { posts, writers: 16 });
    await Promise.all(nodes.map((node) => node.stop()));
    console.log(await expectNothingLost(start, { writers: 16, kills: 2 }));
  }, 3_600_000);

  test("a statement that takes too long is ended there, too, and ?schema= is refused with what to do", async () => {
    const limits = postgres_limits as { statement_seconds_max: number };
    const shipped = limits.statement_seconds_max;
    const openAt = (url: string) =>
      openPostgres({
        place: { url, listen_url: null, connections_max: 4, prepares: false },
        ...{ commands: {}, searches: {}, chores: [], directory: tmpdir(), orderingOf: () => ({}) },
        log: createLog(systemClock, "error", () => undefined),
      });
    const refused = openAt(`${pooled_url}?schema=wharf`);
    expect(refused).rejects.toThrow("PgBouncer takes no ?schema=");
    await refused.catch(() => undefined);
    const node = await openAt(pooled_url);
    limits.statement_seconds_max = 0.2;
    const slow = node.read((tx) => tx.get("SELECT pg_sleep(60)"));
    expect(slow).rejects.toMatchObject({ code: "storage_busy" });
    await slow.catch(() => undefined);
    limits.statement_seconds_max = shipped;
    expect(await node.read((tx) => tx.get("SELECT 1 AS one"))).toEqual({ one: 1 });
    await node.close();
  }, 60_000);
});
