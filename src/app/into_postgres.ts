/**
 * Fills an empty database in Postgres from a backup or an export: makes a data directory of it first, by the same rules, and copies
 * that.
 */

import { SQLiteError } from "bun:sqlite";
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { behindSqlite, isThere } from "../core/failures.ts";
import { importInto, type Imported } from "../storage/export/import.ts";
import { makeDirectory } from "../storage/sqlite/durable.ts";
import { lock } from "../storage/sqlite/lock.ts";
import { copyToPostgres, refuseUsed } from "./copy.ts";
import { restore, separateIn, type Restored } from "./restore.ts";
import type { Runtime } from "../core/runtime.ts";

interface Places {
  /** The URL of the database. */
  database: string;
  /** Where the directory is made that is copied; it is removed afterwards. */
  data_dir: string;
}

const work_prefix = "into-postgres-";
const workLock = (data_dir: string): string => join(data_dir, "into-postgres.lock");

/** Locks what is made in `data_dir` on the way. Returns a function that unlocks it. Throws a user-facing error if another process makes something there. */
function lockWork(data_dir: string): () => void {
  try {
    return lock(workLock(data_dir), 0);
  } catch (error) {
    if (!(error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")))
      throw behindSqlite(error, workLock(data_dir));
    throw new Error(`Another restore or import uses ${data_dir}. Wait for it, or name another --data-dir.`, {
      cause: error,
    });
  }
}

/** Removes what was made on the way, also by a process that was killed: it holds all texts. */
function removeWork(data_dir: string): void {
  for (const name of readdirSync(data_dir)) {
    if (name.startsWith(work_prefix)) rmSync(join(data_dir, name), { recursive: true, force: true });
  }
}

/** Calls `make` with a new directory, and copies the instance that is in it then. Throws a user-facing error, and then the database is as it was. */
async function copying<Made>(
  { database, data_dir }: Places,
  make: (directory: string) => Promise<Made>,
): Promise<Made> {
  // A database that is in use is refused at once, not after the work.
  await refuseUsed(database);
  const is_new = !isThere(data_dir);
  makeDirectory(data_dir);
  const unlock = lockWork(data_dir);
  try {
    removeWork(data_dir);
    const directory = mkdtempSync(join(data_dir, work_prefix));
    const made = await make(directory);
    await copyToPostgres(directory, database);
    return made;
  } finally {
    removeWork(data_dir);
    rmSync(workLock(data_dir));
    unlock();
    if (is_new && readdirSync(data_dir).length === 0) rmdirSync(data_dir);
  }
}

/** Restores the backup `file`, plain or compressed. The database is a copy: it signs with a new key. */
export const restoreIntoPostgres = (file: string, places: Places, deps: Runtime): Promise<Restored> =>
  copying(places, (directory) => restore(file, directory, deps));

/** Imports an export. `onRow` is called with the number of rows so far. */
export const importIntoPostgres = (
  chunks: AsyncIterable<Uint8Array>,
  onRow: (count: number) => void,
  places: Places,
  deps: Runtime,
): Promise<Imported> =>
  copying(places, async (directory) => {
    const imported = await importInto(directory, chunks, onRow);
    await separateIn(directory, deps);
    return imported;
  });
