/** The version of SQLite that the program uses: its own, or the version of the system on macOS. */

import { Database } from "bun:sqlite";

export function sqliteVersion(): string {
  using database = new Database(":memory:");
  return database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()!.version;
}
