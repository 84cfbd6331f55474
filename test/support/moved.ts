/** Moves what a test has made as files of SQLite into the engine under test. */

import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { copyToPostgres } from "../../src/app/copy.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { databaseOf, is_on_postgres } from "./postgres.ts";

/**
 * If the engine under test is Postgres: brings the database in `directory` to the current schema, copies it into the database that a
 * service in `directory` will use, and removes the file. Otherwise it stays as it is.
 */
export async function moveToEngine(directory: string): Promise<void> {
  if (!is_on_postgres) return;
  const file = join(directory, "wharf.db");
  const database = new Database(file);
  database.transaction(() => migrate(database))();
  database.close();
  await copyToPostgres(directory, databaseOf(directory).database!);
  for (const name of ["wharf.db", "wharf.id"]) rmSync(join(directory, name), { force: true });
}
