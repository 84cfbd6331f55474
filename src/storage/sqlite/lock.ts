/** One process a data directory: a lock that the kernel lets go of, however the process ends. */

import { Database, SQLiteError } from "bun:sqlite";
import { join } from "node:path";

/** Takes the directory or throws. The answer lets go of it. */
export function lockDirectory(directory: string): () => void {
  const database = new Database(join(directory, "wharf.lock"), { create: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!(error instanceof SQLiteError) || !error.code?.startsWith("SQLITE_BUSY")) throw error;
    throw new Error(
      `Another wharf is using ${directory}. Stop it, or start this one with another --data-dir.`,
      { cause: error },
    );
  }
  return () => database.close();
}
