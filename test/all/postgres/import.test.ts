/** Backups and exports go from one engine to the other: names open, receipts and days of the beacon verify. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "../../../src/storage/sqlite/lock.ts";
import { binary } from "../../support/binary.ts";
import { fixture_schemas, fixtureOf, placeFixture } from "../../support/fixtures.ts";
import { get, post } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

describe.skipIf(lacks_postgres)("a backup or an export", () => {
  const schema = fixture_schemas.at(-1)!;
  const { claimed, receipts, rooms } = fixtureOf(schema);
  let server: PostgresServer;
  let folder: string;
  /** What the original said of its beacon. */
  let known: string;
  let posts: unknown;
  beforeAll(async () => {
    server = await startPostgres();
    folder = newDirectory();
    known = at("known.jsonl");
    mkdirSync(at("original"));
    placeFixture(schema, at("original"));
    const service = await startBinary({ data_dir: at("original") });
    posts = await postsAt(service.url);
    const report = await run("beacon", "verify", "--all", "--json", "--url", service.url);
    const { statements } = JSON.parse(report) as { statements: string[] };
    expect(statements.length).toBeGreaterThan(5);
    await Bun.write(known, statements.join("\n"));
    await service.stop();
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(folder);
  });

  const at = (name: string): string => join(folder, name);
  const databaseOf = (name: string): string => `${server.url}?schema=${name}`;
  const postsAt = async (url: string) =>
    (await get<{ posts: unknown }>(`${url}/api/meet/rooms/${rooms.open}?proof=1`)).body.posts;

  async function start(args: string[], database?: string) {
    const child = Bun.spawn([binary(), ...args], {
      cwd: folder,
      env: { ...process.env, ...(database && { WHARF_DATABASE: database }) },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status: await child.exited, stdout, stderr };
  }
  async function run(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await start(args);
    expect([args, status, stderr]).toEqual([args, 0, ""]);
    return stdout;
  }
  async function runWith(database: string, ...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await start([...args, "--data-dir", at("nobody")], database);
    expect([args, status, stderr]).toEqual([args, 0, ""]);
    return stdout;
  }

  /** Starts a service on what was made, and compares it with the original. */
  async function expectContinues(settings: { database: string } | { data_dir: string }): Promise<void> {
    const service = await startBinary(settings);
    for (const { name, key } of [claimed.ada, claimed["Grace Hopper"]]) {
      const whoami = await post(`${service.url}/api/name/whoami`, {}, { authorization: `Bearer ${key}` });
      expect(whoami).toMatchObject({ status: 200, body: { name } });
    }
    for (const receipt of [claimed.ada.receipt, ...Object.values(receipts)]) {
      const { body } = await post(`${service.url}/receipt/verify`, { receipt });
      expect(body).toMatchObject({ verdict: "valid" });
    }
    expect(await postsAt(service.url)).toEqual(posts as object);
    // Ends with another status if something does not hold.
    await run("beacon", "verify", "--all", "--known", known, "--url", service.url);
    const room = `${service.url}/api/meet/rooms/${rooms.open}`;
    const { status, body } = await post<{ receipt: string }>(`${room}/posts?receipt=1`, {
      name: "x",
      body: "On.",
    });
    expect(status).toBe(201);
    // It may not be the only copy, so that it signs with a key of its own.
    const kidOf = (receipt: string) => Buffer.from(receipt.split(".")[0]!, "base64url").toString();
    expect(kidOf(body.receipt)).not.toBe(kidOf(receipts.post));
    await service.stop();
  }

  test("of a data directory fills an empty database, and no other", async () => {
    await run("backup", "one.backup", "--compress", "--data-dir", "original");
    await run("export", "one.jsonl", "--with-secrets", "--data-dir", "original");
    const [restored, imported] = ["restored", "imported"].map(databaseOf) as [string, string];
    const said = await runWith(restored, "restore", "one.backup");
    expect(said).toStartWith(`${server.url} is restored: `);
    expect(await runWith(imported, "import", "one.jsonl")).toEndWith(
      `rows are imported into ${server.url}.\n`,
    );
    for (const database of [restored, imported]) await expectContinues({ database });

    for (const args of [
      ["restore", "one.backup"],
      ["import", "one.jsonl"],
    ]) {
      const refused = await start([...args, "--data-dir", at("nobody")], restored);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toStartWith("wharf: The database in Postgres is not empty: ");
    }
    expect(existsSync(at("nobody")) ? readdirSync(at("nobody")) : []).toEqual([]);
  });

  test("of a database makes a directory, or fills another database", async () => {
    const origin = databaseOf("origin");
    await run("copy", "--from", "original", "--to", origin);
    await runWith(origin, "backup", "two.backup");
    await runWith(origin, "export", "two.jsonl", "--with-secrets");
    await run("restore", "two.backup", "--data-dir", "two");
    await run("import", "two.jsonl", "--data-dir", "three");
    for (const name of ["two", "three"]) await expectContinues({ data_dir: at(name) });
    await runWith(databaseOf("last"), "restore", "two.backup");
    await expectContinues({ database: databaseOf("last") });
  });

  test("that is damaged leaves the database empty", async () => {
    const database = databaseOf("damaged");
    await Bun.write(at("cut.jsonl"), (await Bun.file(at("one.jsonl")).text()).slice(0, -10));
    const refused = await start(["import", "cut.jsonl", "--data-dir", at("nobody")], database);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("Nothing was imported") });
    await runWith(database, "import", "one.jsonl");
  });

  test("removes what a killed one has left in the data directory, and is refused beside another", async () => {
    const data_dir = at("nobody");
    mkdirSync(join(data_dir, "into-postgres-killed"), { recursive: true });
    writeFileSync(join(data_dir, "into-postgres-killed/wharf.db"), "all texts");
    const unlock = lock(join(data_dir, "into-postgres.lock"), 0);
    const database = databaseOf("after_killed");
    const refused = await start(["import", "one.jsonl", "--data-dir", data_dir], database);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("Another restore or import uses");
    expect(readdirSync(data_dir).sort()).toEqual(["into-postgres-killed", "into-postgres.lock"]);
    unlock();
    await runWith(database, "import", "one.jsonl");
    expect(existsSync(data_dir) ? readdirSync(data_dir) : []).toEqual([]);
  });

  test("is made after one that was killed, whose copy the next start removes", async () => {
    const data_dir = at("node");
    mkdirSync(data_dir);
    for (const name of ["wharf.db.export.partial", "wharf-backup-1.tmp.partial", "wharf-backup-2.tmp"])
      writeFileSync(join(data_dir, name), "all texts");
    const service = await startBinary({ data_dir, database: databaseOf("node") });
    expect(readdirSync(data_dir).sort()).toEqual(["wharf.lock", "wharf.sock"]);
    // As if a process that does not belong to this node were exporting now.
    writeFileSync(join(data_dir, "wharf.db.export.partial"), "");
    await runWith(databaseOf("node"), "export", "killed.jsonl", "--data-dir", data_dir);
    expect((await Bun.file(at("killed.jsonl")).text()).trimEnd().split("\n").length).toBeGreaterThan(1);
    expect(readdirSync(data_dir).sort()).toEqual(["wharf.db.export.partial", "wharf.lock", "wharf.sock"]);
    await service.stop();
  });
});
