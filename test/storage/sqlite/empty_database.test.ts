/** The empty schema that the build makes for new databases, and the database for `wharf dev`. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { emptyDatabase } from "../../../src/storage/sqlite/empty_database.ts";
import { emptyDatabase as ofTheBuild } from "../../../src/storage/sqlite/empty_database.ts" with { type: "macro" };
import { migrations } from "../../../src/storage/migrations.ts";
import { migrate, schemaVersion } from "../../../src/storage/sqlite/migrate.ts";

function open(bytes: string): Database {
  return Database.deserialize(Bun.gunzipSync(Buffer.from(bytes, "base64")));
}

/** A database whose migrations have run one after another. */
function migratedStepwise(): Database {
  const database = new Database(":memory:");
  for (let version = 1; version <= migrations.length; version++) migrate(database, version);
  return database;
}

/** The rows of every table that has rows of its own. */
function rowsOf(database: Database): Record<string, unknown[]> {
  const tables = database
    .query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .values()
    .flat() as string[];
  return Object.fromEntries(
    tables.map((table) => [table, database.query(`SELECT * FROM "${table}"`).values()]),
  );
}

test("a new database is as if its migrations had run one after another", () => {
  const made = new Database(":memory:");
  migrate(made);
  const expected = migratedStepwise();
  expect(schemaVersion(made)).toBe(migrations.length);
  expect(schemaOf(made)).toEqual(schemaOf(expected));
  expect(rowsOf(made)).toEqual(rowsOf(expected));
  expect(made.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("a database that has tables but no version is migrated, not taken for a new one", () => {
  const database = new Database(":memory:");
  database.run("CREATE TABLE rooms (id TEXT)");
  expect(() => migrate(database)).toThrow("failed at version 1");
});

function schemaOf(database: Database): unknown[] {
  return database.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
}

test.each([
  ["now", () => emptyDatabase()],
  ["by the build", () => ofTheBuild()],
])("the empty database made %s is one whose migrations have run", (_, bytes) => {
  const migrated = migratedStepwise();
  const made = open(bytes());
  expect(schemaVersion(made)).toBe(schemaVersion(migrated));
  expect(schemaOf(made)).toEqual(schemaOf(migrated));
  expect(made.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("the empty database has no rows but those that migrations insert", () => {
  const migrated = new Database(":memory:");
  // As every new database: its file can shrink.
  migrated.run("PRAGMA auto_vacuum = INCREMENTAL");
  migrate(migrated);
  const made = open(emptyDatabase());
  expect(Buffer.from(made.serialize())).toEqual(Buffer.from(migrated.serialize()));
});
