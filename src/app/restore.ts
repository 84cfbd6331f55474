/** Restores a backup into a new data directory. */

import { Database } from "bun:sqlite";
import {
  createReadStream,
  createWriteStream,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { behindSqlite, checkReadable, isThere } from "../core/failures.ts";
import { withReason } from "../core/log.ts";
import { verify } from "../storage/sqlite/backup.ts";
import { becomeCopy } from "../storage/sqlite/copies.ts";
import { syncDirectory, syncFile } from "../storage/sqlite/durable.ts";
import { lockDirectory } from "../storage/sqlite/lock.ts";
import { refuseNewer } from "../storage/schema_version.ts";
import { differenceText } from "../storage/schema_difference.ts";
import { schemaVersion } from "../storage/sqlite/migrate.ts";
import { schemaDifference } from "../storage/sqlite/schema.ts";
import { refuseFull, removePartial } from "../storage/sqlite/unfinished.ts";
import { decompressTo, isCompressed } from "../storage/sqlite/zstd.ts";
import { separateCopy, type Separated } from "./separation.ts";
import { openStorage } from "./storage.ts";
import type { Runtime } from "../core/runtime.ts";

export interface Restored extends Separated {
  /** Number of rows of each table in the backup. */
  tables: Record<string, number>;
}

const a_restore = "A restore";

/**
 * Restores the backup `file`, plain or compressed, into `directory`, which must be missing or empty. Throws a user-facing error,
 * and then leaves the directory as it was.
 */
export async function restore(file: string, directory: string, deps: Runtime): Promise<Restored> {
  checkReadable(file);
  // It is read twice, and a device has no end.
  if (!statSync(file).isFile())
    throw new Error(`${file} is a pipe or a device. Write the backup to a file first.`);
  const is_new = !isThere(directory);
  refuseFull(directory, a_restore);
  // Another restore or import may have begun meanwhile, or even have ended.
  const unlock = lockDirectory(directory);
  const database = join(directory, "wharf.db");
  let is_own = false;
  try {
    refuseFull(directory, a_restore);
    is_own = true;
    removePartial(database);
    const { tables } = await place(file, database).finally(unlock);
    const separated = await separateIn(directory, deps);
    verify(database);
    return { ...separated, tables };
  } catch (error) {
    unlock();
    if (is_own) removeRestored(directory, is_new);
    throw error;
  }
}

/** Separates the copy in `directory` from its original. */
export async function separateIn(directory: string, { clock, random, log }: Runtime): Promise<Separated> {
  const storage = await openStorage(directory, clock, log);
  try {
    return (await separateCopy(storage, clock, random, log))!;
  } finally {
    await storage.close();
  }
}

/** Removes what a restore has written, and the directory if the restore created it. Files of others stay. */
function removeRestored(directory: string, is_new: boolean): void {
  // Throws if a service uses the database by now.
  const unlock = lockDirectory(directory);
  for (const name of readdirSync(directory)) if (name.startsWith("wharf.")) rmSync(join(directory, name));
  unlock();
  if (is_new && readdirSync(directory).length === 0) rmdirSync(directory);
}

/** Writes the database of the backup to `database`, with the current schema and marked as a copy. Returns what it holds. */
async function place(file: string, database: string) {
  const partial = `${database}.partial`;
  let held: ReturnType<typeof checked>;
  try {
    if (isCompressed(file)) await decompressTo(file, partial);
    else await pipeline(createReadStream(file), createWriteStream(partial, { flags: "wx", mode: 0o600 }));
    held = checked(partial);
  } catch (error) {
    throw withReason(`${file} cannot be restored`, behindSqlite(error, partial));
  }
  becomeCopy(partial);
  syncFile(partial);
  renameSync(partial, database);
  syncDirectory(join(database, ".."));
  return held;
}

/**
 * Checks the copied backup. Throws a user-facing error if it is newer than this build, damaged or no backup, or if its schema is
 * not the schema of its version: a trigger would run with later writes.
 */
function checked(partial: string) {
  const database = new Database(partial, { readonly: true });
  try {
    const version = schemaVersion(database);
    refuseNewer(version);
    if (version < 1) throw new Error("it is no database of a Wharf");
    const difference = differenceText(schemaDifference(database));
    if (difference !== null)
      throw new Error(`its schema is not that of version ${version}: ${difference}. Use another backup`);
  } finally {
    database.close();
  }
  return verify(partial);
}
