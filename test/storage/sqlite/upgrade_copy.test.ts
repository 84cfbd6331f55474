/** The copy before an upgrade, failed upgrades, and databases of a newer build. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../../src/core/log.ts";
import { migrations } from "../../../src/storage/migrations.ts";
import { DiskBudget } from "../../../src/storage/sqlite/disk_budget.ts";
import { copyBeforeUpgrade } from "../../../src/storage/sqlite/upgrade_copy.ts";
import { FakeClock } from "../../support/clock.ts";
import { copyDirectory, fileHashes } from "../../support/directories.ts";
import { clockAfter, fixtureOf, placeFixture } from "../../support/fixtures.ts";
import { get } from "../../support/http.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";

const clock = new FakeClock();
const silent = createLog(clock, "error", () => {});
const latest = migrations.length;
const copyOf = (schema: number) => `wharf.db.before-${String(schema).padStart(2, "0")}`;

let directory: string;
let file: string;
beforeEach(() => {
  directory = newDirectory();
  file = join(directory, "wharf.db");
});
afterEach(() => removeDirectory(directory));

const copies = () => readdirSync(directory).filter((name) => name.includes("before"));

/** All rows of all tables, by table. */
function contentOf(path: string): Record<string, unknown[]> {
  const database = new Database(path, { readonly: true });
  const tables = database
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .values()
    .flat() as string[];
  const content = tables.map((table) => [table, database.query(`SELECT * FROM "${table}"`).values()]);
  const version = database.query("PRAGMA user_version").values();
  database.close();
  return { ...Object.fromEntries(content), version };
}

/** Leaves the database as a kill does: the last write is in the log alone. */
function writeToLog(): void {
  const before = newDirectory();
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("UPDATE rooms SET goal = 'In the log alone.'");
  copyDirectory(directory, before, ["wharf.db", "wharf.db-wal"]);
  database.close();
  copyDirectory(before, directory);
  removeDirectory(before);
}

async function refusalOfStart(): Promise<string> {
  try {
    await (await startSource({ data_dir: directory })).stop();
  } catch (error) {
    return (error as Error).message;
  }
  return "started";
}

describe("a start with an older database", () => {
  test("copies it first, with what its log holds, readable for its user only", async () => {
    placeFixture(latest - 1, directory);
    writeToLog();
    const fixture = fixtureOf(latest - 1);
    const service = await startSource({ data_dir: directory }, clockAfter(fixture));
    const { body } = await get<{ room: { goal: string } }>(
      `${service.url}/api/meet/rooms/${fixture.rooms.open}`,
    );
    expect(body.room.goal).toBe("In the log alone.");
    await service.stop();
    expect(copies()).toEqual([copyOf(latest - 1)]);
    const copy = join(directory, copyOf(latest - 1));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const content = contentOf(copy);
    expect(content.version).toEqual([[latest - 1]]);
    expect(JSON.stringify(content.rooms)).toContain("In the log alone.");
    for (const text of ["storage.copied_before_upgrade", "storage.upgraded", copy])
      expect(service.output()).toContain(text);
  });

  test("keeps the copies of the last two versions, and copies nothing when the schema is current", async () => {
    for (const [i, schema] of [latest - 3, latest - 2, latest - 1].entries()) {
      for (const name of readdirSync(directory).filter((name) => !name.includes("before")))
        removeDirectory(join(directory, name));
      placeFixture(schema, directory);
      writeFileSync(join(directory, `${copyOf(1)}.partial`), "cut off");
      await (await startSource({ data_dir: directory }, clockAfter(fixtureOf(schema)))).stop();
      const stored = [latest - 3, latest - 2, latest - 1].slice(Math.max(0, i - 1), i + 1);
      expect(copies().sort()).toEqual(stored.map(copyOf));
    }
    const before = fileHashes(directory)[copyOf(latest - 1)];
    await (await startSource({ data_dir: directory }, clockAfter(fixtureOf(latest - 1)))).stop();
    expect(fileHashes(directory)[copyOf(latest - 1)]).toBe(before!);
  });

  test("is refused, and changes nothing, if there is no room for the copy", () => {
    placeFixture(latest - 1, directory);
    const before = fileHashes(directory);
    expect(() => copyBeforeUpgrade(file, latest - 1, silent, () => 1_000_000)).toThrow(
      `must be upgraded from schema version ${latest - 1} to ${latest}, and the copy ${file}.before-${latest - 1} cannot be ` +
        "made first: it needs 18 MB, but 1 MB of the disk are free. Nothing has been changed.",
    );
    expect(fileHashes(directory)).toEqual(before);
  });

  test("leaves the rows as they were if a migration fails", async () => {
    const made = 23;
    placeFixture(made, directory);
    const database = new Database(file);
    // An index that the next migration drops after it has changed rows.
    const { sql } = database.query("SELECT sql FROM sqlite_schema WHERE name = 'rooms_closed'").get() as {
      sql: string;
    };
    database.run("DROP INDEX rooms_closed");
    database.close();
    const before = contentOf(file);
    const says = await refusalOfStart();
    expect(says).toContain(`from schema version ${made} failed at version 24: no such index: rooms_closed`);
    expect(contentOf(file)).toEqual(before);
    expect(contentOf(join(directory, copyOf(made)))).toEqual(before);
    const repaired = new Database(file);
    repaired.run(sql);
    repaired.close();
    const service = await startSource({ data_dir: directory }, clockAfter(fixtureOf(made)));
    expect((await get(`${service.url}/api/meet/rooms`)).status).toBe(200);
    await service.stop();
  });

  test("does not count the copy as used by the service", () => {
    placeFixture(latest - 1, directory);
    const usedBytes = () => {
      const budget = new DiskBudget(file, { max_bytes: 1e9, min_free_bytes: 0 }, clock);
      budget.measure({ bytes: statSync(file).size, free_bytes: 0 });
      return budget.use.used_bytes;
    };
    const before = usedBytes();
    writeFileSync(join(directory, copyOf(latest - 1)), readFileSync(file));
    expect(usedBytes()).toBe(before);
  });

  test("can be repeated with the copy in place of the database", async () => {
    placeFixture(latest - 1, directory);
    const before = contentOf(file);
    // The fixture was made in another directory, and a copy would get an identity of its own.
    const settings = { data_dir: directory, moved: true };
    await (await startSource(settings, clockAfter(fixtureOf(latest - 1)))).stop();
    writeFileSync(file, readFileSync(join(directory, copyOf(latest - 1))));
    expect(contentOf(file)).toEqual(before);
    await (await startSource(settings, clockAfter(fixtureOf(latest - 1)))).stop();
    expect(contentOf(file).version).toEqual([[latest]]);
  });
});

test.each(["", " with a log"])(
  "a newer database%s is refused, both versions are named, and no byte changes",
  async (log) => {
    placeFixture(latest, directory);
    const database = new Database(file);
    database.run(`PRAGMA user_version = ${latest + 7}`);
    database.close();
    if (log) writeToLog();
    expect(existsSync(`${file}-wal`)).toBe(log !== "");
    const before = fileHashes(directory);
    expect(await refusalOfStart()).toBe(
      `The database has schema version ${latest + 7}; this build knows versions up to ${latest}. Run the newer build that wrote it.`,
    );
    expect(fileHashes(directory)).toEqual(before);
  },
);
