/** Locks that one process holds at a time, such as the lock of a data directory. The kernel releases them when the process ends. */

import { Database, SQLiteError } from "bun:sqlite";
import { constants } from "node:fs";
import { join } from "node:path";
import { behindSqlite, can } from "../../core/failures.ts";
import { withReason } from "../../core/log.ts";
import { makeDirectory } from "./durable.ts";

export const lockFile = (directory: string): string => join(directory, "wharf.lock");

/** Creates the directory if absent and locks it. Returns a function that unlocks it. Throws a user-facing error. */
export function lockDirectory(directory: string): () => void {
  // All files of the directory are for this user alone, also those that SQLite creates.
  process.umask(0o077);
  try {
    makeDirectory(directory);
    return lock(lockFile(directory), 0);
  } catch (error) {
    throw refusal(directory, error);
  }
}

/**
 * Locks `file`, which is created if absent. While another process holds the lock, this one stops for at most `wait_ms`. Returns a
 * function that unlocks it. Throws the error of SQLite, `SQLITE_BUSY` if the other process still holds the lock.
 */
export function lock(file: string, wait_ms: number): () => void {
  const database = new Database(file, { create: true });
  try {
    database.run(`PRAGMA busy_timeout = ${wait_ms}`);
    // Nothing is written here. In any other journal mode a killed process leaves a journal file.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  return () => database.close();
}

/** Whether a process uses the directory now; false if this user may not open its lock. Changes nothing. */
export function isLocked(directory: string): boolean {
  if (!can(lockFile(directory), constants.R_OK | constants.W_OK)) return false;
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

function refusal(directory: string, error: unknown): Error {
  if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) {
    const text = `Another wharf is using ${directory}. Stop it, or start this one with another --data-dir.`;
    return new Error(text, { cause: error });
  }
  return withReason(
    `The data directory ${directory} cannot be used`,
    behindSqlite(error, lockFile(directory)),
  );
}
