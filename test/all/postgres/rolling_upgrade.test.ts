/** A rolling upgrade over Postgres: a node of a newer schema joins while one of the older works, across one migration. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../../src/storage/migrations.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startBinary, startProgram } from "../../support/service.ts";
import { expectReadAtOnce, expectSeenAtOther } from "../../support/two_nodes.ts";

const root = join(import.meta.dir, "../../..");
const next = String(migrations.length + 1).padStart(4, "0");

/** Makes the source of the next release in `folder`: with one more migration, which adds a column to each table that posts need. */
function makeNextRelease(folder: string): void {
  for (const name of ["src", "views", "docs", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const sql = ["rooms", "posts", "names", "answers", "counters", "changes"].map(
    (table) => `ALTER TABLE ${table} ADD COLUMN made_up TEXT;\n`,
  );
  const storage = join(folder, "src/storage");
  writeFileSync(
    join(storage, `migrations/${next}_made_up.sql`),
    "ALTER TABLE posts ADD COLUMN made_up TEXT;\n",
  );
  writeFileSync(join(storage, `migrations/postgres/${next}_made_up.sql`), sql.join(""));
}

describe.skipIf(lacks_postgres)("a rolling upgrade", () => {
  let server: PostgresServer;
  const folder = newDirectory();
  beforeAll(async () => {
    server = await startPostgres();
    makeNextRelease(folder);
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(folder);
  });

  test("a node of the newer schema joins one of the older, and both work; the older does not start again", async () => {
    const settings = { database: server.url };
    const older = await startBinary(settings);
    // Statements that the older has prepared are prepared for the older schema.
    await expectReadAtOnce(() => older.url, 5);
    const newer = await startProgram([process.execPath, join(folder, "src/main.ts")], settings);
    const urls = [older.url, newer.url];
    await expectReadAtOnce((i) => urls[i % 2]!, 50);
    await expectSeenAtOther(older.url, newer.url, { posts: 200, writers: 16 });
    await expectSeenAtOther(newer.url, older.url, { posts: 200, writers: 16 });
    await older.stop();
    expect(startBinary(settings)).rejects.toThrow("Run the newer build");
    await expectReadAtOnce(() => newer.url, 5);
    await newer.stop();
  }, 120_000);
});
