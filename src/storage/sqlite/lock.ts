/** A lock that allows one process for each data directory. The kernel releases it when the process ends. */

import { Database, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./durable.ts";
import { messageOf } from "../../core/log.ts";

export const lockFile = (directory: string): string => join(directory, "wharf.lock");

/** Creates the directory if absent and locks it. Returns a function that unlocks it. Throws a user-facing error. */
export function lockDirectory(directory: string): () => void {
  let database: Database | undefined;
  // All files of the directory are for this user alone, also those that SQLite creates.
  process.umask(0o077);
  try {
    makeDirectory(directory);
    database = new Database(lockFile(directory), { create: true });
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is written here. In any other journal mode a killed process leaves a journal file.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw new Error(refusal(directory, error), { cause: error });
  }
  return () => database.close();
}

/** Whether a process uses the directory now. Changes nothing. */
export function isLocked(directory: string): boolean {
  if (!existsSync(lockFile(directory))) return false;
  const database = new Database(lockFile(directory), { readwrite: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

function refusal(directory: string, error: unknown): string {
  if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) {
    return `Another wharf is using ${directory}. Stop it, or start this one with another --data-dir.`;
  }
  const reason = messageOf(error);
  return `The data directory ${directory} cannot be used: ${reason}. Start with another --data-dir.`;
}
