/** Lets a database of an older release give free pages back to the disk: its file could only grow. */

import { SQLiteError, type Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { freeSpace } from "./disk_budget.ts";

/** The file is copied twice: to a temporary file and through the log. */
const needed_factor = 3;

/**
 * Writes a database without pointer maps again, with them (https://www.sqlite.org/pragma.html#pragma_auto_vacuum). Runs once in
 * the life of a database, and takes some seconds for a gigabyte. Without enough space it stays as it is, and its free pages are
 * used again but not given back.
 */
export function makeShrinkable(database: Database, file: string): void {
  const { auto_vacuum } = database.query("PRAGMA auto_vacuum").get() as { auto_vacuum: number };
  if (auto_vacuum !== 0) return;
  const { free_bytes } = freeSpace(dirname(file), 0);
  if (free_bytes !== null && free_bytes < needed_factor * statSync(file).size) return;
  try {
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("VACUUM");
    database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  } catch (error) {
    // A full disk, or another process that reads: the next start tries again.
    if (!(error instanceof SQLiteError)) throw error;
  }
}
