/** One process a data directory: a lock that the kernel lets go of, however the process ends. */

import { Database, SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { makeDirectory } from "./durable.ts";

export const lockFile = (directory: string): string => join(directory, "wharf.lock");

/** Makes the directory where there is none, and takes it or throws an error for people. The answer lets go of it. */
export function lockDirectory(directory: string): () => void {
  let database: Database | undefined;
  try {
    makeDirectory(directory);
    database = new Database(lockFile(directory), { create: true });
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is ever written here: without this a journal stays behind when the process is killed.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw new Error(refusal(directory, error), { cause: error });
  }
  return () => database.close();
}

function refusal(directory: string, error: unknown): string {
  if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) {
    return `Another wharf is using ${directory}. Stop it, or start this one with another --data-dir.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `The data directory ${directory} cannot be used: ${reason}. Start with another --data-dir.`;
}
