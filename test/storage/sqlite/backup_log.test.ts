/** Backups of a database whose log begins again while it is copied, because all of it was in the database file. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { backupTo } from "../../../src/storage/sqlite/backup.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let folder: string;
beforeAll(() => void (folder = newDirectory()));
afterAll(() => removeDirectory(folder));

/** A database of 200 rows, each in a page of its own, whose log has an older state of each first, and is in the file. */
function checkpointed(file: string): Database {
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT, ballast BLOB)");
  const insert = database.prepare("INSERT INTO texts (text, ballast) VALUES ('first', zeroblob(3500))");
  for (let i = 0; i < 200; i++) insert.run();
  insert.finalize();
  database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  for (const text of ["older", "acknowledged"]) database.run("UPDATE texts SET text = ?1", [text]);
  database.query("PRAGMA wal_checkpoint(PASSIVE)").get();
  return database;
}

test.each([
  [
    "by a write",
    (database: Database) =>
      database.run("INSERT INTO texts (text, ballast) VALUES ('new', zeroblob(2400000))"),
  ],
  ["by a checkpoint", (database: Database) => database.query("PRAGMA wal_checkpoint(TRUNCATE)").get()],
])("a backup has the latest state of each row, though the log begins again %s", async (how, beginAgain) => {
  const source = join(folder, `${how}.db`);
  const file = `${source}.backup`;
  using database = checkpointed(source);
  let has_begun_again = false;
  const onProgress = () => {
    // After the first part of the log, which has all older states.
    if (has_begun_again || !existsSync(`${file}.partial-wal`)) return;
    has_begun_again = true;
    beginAgain(database);
  };
  await backupTo(source, file, { onProgress });
  expect(has_begun_again).toBe(true);
  using copy = new Database(file, { readonly: true });
  const texts = copy.query("SELECT DISTINCT text FROM texts WHERE id <= 200").values();
  expect(texts).toEqual([["acknowledged"]]);
});
