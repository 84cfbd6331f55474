/** `wharf doctor` for a database in Postgres: what it finds, and what it advises. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { FakeClock } from "../support/clock.ts";
import { isoTime, systemClock } from "../../src/core/clock.ts";
import { default_config } from "../../src/core/settings.ts";
import { checkPostgres, checkProtection } from "../../src/doctor/postgres.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";

describe.skipIf(lacks_postgres)("the doctor, with Postgres", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const configOf = (schema: string, more: object = {}) => ({
    ...default_config,
    database: `${server.url}?schema=${schema}`,
    ...more,
  });
  const examine = async (schema: string, more: object = {}, clock: { now(): number } = systemClock) =>
    (await checkPostgres(configOf(schema, more), clock as typeof systemClock)).findings;

  test("finds nothing wrong with an instance, and knows the key that it signs with", async () => {
    const data_dir = newDirectory();
    const service = await startSource({ database: configOf("sound").database, data_dir });
    const found = await checkPostgres(configOf("sound"), systemClock);
    expect(found.findings.map(({ check, status }) => [check, status])).toEqual([
      ["database", "ok"],
      ["encryption", "ok"],
      ["connections", "ok"],
      ["clock", "ok"],
      ["schema", "ok"],
    ]);
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    expect(keys.map(({ kid }) => kid)).toContain(found.kid!);
    await service.stop();
    removeDirectory(data_dir);
  });

  test("says that a server does not answer, without the password", async () => {
    const database = "postgres://wharf:secret@127.0.0.1:1/wharf";
    const { findings } = await checkPostgres({ ...default_config, database }, systemClock);
    expect(findings).toMatchObject([{ check: "database", status: "failed", remedy: expect.any(String) }]);
    expect(JSON.stringify(findings)).toContain("postgres://wharf@127.0.0.1:1/wharf cannot be reached");
    expect(JSON.stringify(findings)).not.toContain("secret");
  });

  test.each([
    ["connections", "warning", "max_connections", { database_connections: 150 }, systemClock],
    ["clock", "failed", "chrony", {}, new FakeClock()],
    ["schema", "warning", "next start", {}, systemClock],
  ] as const)("finds a fault: %s", async (check, status, advice, more, clock) => {
    const found = (await examine("empty", more, clock)).find((finding) => finding.check === check);
    expect(found).toMatchObject({ status });
    expect(found!.remedy).toContain(advice);
  });

  test("looks for the backups of this database where they are made at intervals", async () => {
    const data_dir = newDirectory();
    const backup_dir = newDirectory();
    const service = await startSource({ database: configOf("saved").database, data_dir });
    await service.stop();
    const sql = new Bun.SQL(server.url, { max: 1 });
    const [{ identity }] = await sql.unsafe("SELECT identity FROM saved.schema_version");
    await sql.close();
    const finding = async (backup_every_seconds: number) =>
      (await examine("saved", { backup_every_seconds, backup_dir })).find(({ check }) => check === "backups");
    const at = isoTime(Date.now() - 60_000).replace(/[-:]|\.\d+/g, "");
    await Bun.write(join(backup_dir, `wharf-${"0".repeat(8)}-${at}.db`), "");
    expect(await finding(3_600)).toMatchObject({
      status: "failed",
      found: `There is no backup in ${backup_dir}.`,
    });
    expect(await finding(0)).toBeUndefined();
    await Bun.write(join(backup_dir, `wharf-${identity}-${at}.db`), "");
    expect(await finding(3_600)).toMatchObject({ status: "ok" });
    for (const directory of [data_dir, backup_dir]) removeDirectory(directory);
  });

  test("says that a newer program wrote the schema", async () => {
    const data_dir = newDirectory();
    const service = await startSource({ database: configOf("newer").database, data_dir });
    await service.stop();
    const sql = new Bun.SQL(server.url, { max: 1 });
    await sql.unsafe("UPDATE newer.schema_version SET version = 1000");
    await sql.close();
    const found = (await examine("newer")).find(({ check }) => check === "schema");
    expect(found).toMatchObject({ status: "failed", remedy: expect.stringContaining("newer program") });
    removeDirectory(data_dir);
  });

  test("names what differs from the schema of the version, and leaves nothing in the database", async () => {
    const data_dir = newDirectory();
    const service = await startSource({ database: configOf("changed").database, data_dir });
    await service.stop();
    const sql = new Bun.SQL(server.url, { max: 1 });
    const schemas = () => sql`SELECT nspname FROM pg_namespace ORDER BY nspname`.values();
    const before = await schemas();
    const finding = async () => (await examine("changed")).find(({ check }) => check === "schema")!;
    await sql.unsafe("ANALYZE changed.posts; CREATE TABLE changed.of_another_program (n INTEGER)");
    expect(await finding()).toMatchObject({ status: "ok" });
    await sql.unsafe(`
      DROP INDEX changed.posts_numbered;
      ALTER TABLE changed.names ALTER COLUMN acts DROP DEFAULT;
      ALTER TABLE changed.reports DROP COLUMN reasons;
      CREATE FUNCTION changed.planted() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER planted BEFORE INSERT ON changed.posts FOR EACH ROW EXECUTE FUNCTION changed.planted();
      ALTER TABLE changed.mcp_sessions DISABLE TRIGGER USER;`);
    const { status, found, remedy } = await finding();
    expect(status).toBe("failed");
    for (const named of [
      "missing column reports.reasons",
      "missing index posts.posts_numbered",
      "foreign trigger posts.planted",
      "changed column names.acts",
      "changed trigger mcp_sessions.mcp_sessions_counted",
    ])
      expect(found).toContain(named);
    expect(remedy).toContain("CREATE UNIQUE INDEX posts_numbered ON posts");
    expect(await schemas()).toEqual(before);
    await sql.close();
    removeDirectory(data_dir);
  });

  test("says that the server is a standby", async () => {
    await server.crash();
    await server.startAsStandby();
    const found = (await examine("empty")).find(({ check }) => check === "database");
    expect(found).toMatchObject({ status: "failed", remedy: expect.stringContaining("primary") });
  });

  test.each([
    ["postgres://wharf@127.0.0.1/wharf", "ok"],
    ["postgres://wharf@db.example/wharf", "warning"],
    ["postgres://wharf@db.example/wharf?sslmode=require", "warning"],
    ["postgres://wharf@db.example/wharf?sslmode=verify-full", "ok"],
  ] as const)("judges how a connection to %s is protected", (url, status) => {
    expect(checkProtection(url)).toMatchObject({ check: "encryption", status });
  });
});
