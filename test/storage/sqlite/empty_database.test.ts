/** The empty database that the build makes for `wharf dev`. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { emptyDatabase } from "../../../src/storage/sqlite/empty_database.ts";
import { emptyDatabase as ofTheBuild } from "../../../src/storage/sqlite/empty_database.ts" with { type: "macro" };
import { migrate, schemaVersion } from "../../../src/storage/sqlite/migrate.ts";

function open(bytes: string): Database {
  return Database.deserialize(Bun.gunzipSync(Buffer.from(bytes, "base64")));
}

function schemaOf(database: Database): unknown[] {
  return database.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
}

test.each([
  ["now", () => emptyDatabase()],
  ["by the build", () => ofTheBuild()],
])("the empty database made %s is one whose migrations have run", (_, bytes) => {
  const migrated = new Database(":memory:");
  migrate(migrated);
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
