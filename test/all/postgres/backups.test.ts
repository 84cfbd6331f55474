/** Backups at intervals by several nodes of a database, and by a copy of it, in one directory. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock } from "../../support/clock.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  type SourceService,
  type TestSettings,
} from "../../support/service.ts";

describe.skipIf(lacks_postgres)("backups of a database in Postgres", () => {
  const data_dir = newDirectory();
  const folder = join(data_dir, "elsewhere");
  let server: PostgresServer;
  let services: SourceService[] = [];
  let nodes = 0;
  beforeAll(async () => {
    server = await startPostgres();
    mkdirSync(folder);
  });
  afterEach(async () => {
    for (const service of services) await service.stop();
    services = [];
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(data_dir);
  });

  const at = (name: string): string => server.url.replace("/postgres", `/${name}`);
  async function start(name: string, settings: TestSettings = {}): Promise<SourceService> {
    const own = { data_dir: join(data_dir, `${++nodes}`), database: at(name), database_connections: 4 };
    const service = await startSource({ ...own, ...settings }, new FakeClock(), nodes);
    services.push(service);
    return service;
  }
  /** Runs a statement, and returns the first value of its answer. */
  async function ask(name: string, statement: string): Promise<unknown> {
    const sql = new Bun.SQL(at(name), { max: 1 });
    const [row] = await sql.unsafe(statement);
    await sql.close();
    return row && Object.values(row as object)[0];
  }
  const identityOf = async (name: string): Promise<string> =>
    (await ask(name, "SELECT identity FROM schema_version")) as string;

  test("a start leaves what another node may be writing, and removes what is older than a day", async () => {
    await ask("postgres", "CREATE DATABASE nodes");
    await start("nodes");
    const identity = await identityOf("nodes");
    const [late, early] = ["20260301T110000Z", "20260227T110000Z"].map(
      (time) => `wharf-${identity}-${time}.db`,
    ) as [string, string];
    const own = join(data_dir, "own");
    for (const directory of [folder, join(own, "backups")]) {
      mkdirSync(directory, { recursive: true });
      for (const name of [
        `${late}.partial`,
        `${late}.zst.partial`,
        `${early}.partial`,
        `${early}.partial-wal`,
      ])
        writeFileSync(join(directory, name), "half");
    }
    await start("nodes", { backup_dir: folder });
    expect(readdirSync(folder).sort()).toEqual([`${late}.partial`, `${late}.zst.partial`]);
    // Nobody else writes into its data directory.
    await start("nodes", { data_dir: own });
    expect(readdirSync(join(own, "backups"))).toEqual([]);
  });

  test("a copy has an identity of its own, so that the names of its backups are others", async () => {
    await ask("postgres", "CREATE DATABASE original");
    await (await start("original")).stop();
    services = [];
    const original = await identityOf("original");
    for (const name of ["copied", "moved"])
      await ask("postgres", `CREATE DATABASE ${name} TEMPLATE original`);
    const identities = await Promise.all(
      ["copied", "copied", "copied"].map((name) => start(name).then(() => identityOf(name))),
    );
    const [copied] = identities;
    expect(copied).toMatch(/^[0-9a-f]{8}$/);
    expect(copied).not.toBe(original);
    await start("copied");
    expect([...identities, await identityOf("copied")]).toEqual(Array(4).fill(copied));
    await start("moved", { moved: true });
    await start("original");
    expect([await identityOf("moved"), await identityOf("original")]).toEqual([original, original]);
  });
});
