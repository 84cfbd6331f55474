/** Restores a backup into a new data directory. */

import { Database } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Random } from "../core/random.ts";
import { verify } from "../storage/sqlite/backup.ts";
import { becomeCopy } from "../storage/sqlite/copies.ts";
import { syncDirectory, syncFile } from "../storage/sqlite/durable.ts";
import { refuseNewer, schemaVersion } from "../storage/sqlite/migrate.ts";
import { decompressTo, isCompressed } from "../storage/sqlite/zstd.ts";
import { separateCopy, type Separated } from "./separation.ts";
import { openStorage } from "./storage.ts";

export interface Restored extends Separated {
  /** Number of rows of each table in the backup. */
  tables: Record<string, number>;
}

/**
 * Restores the backup `file`, plain or compressed, into `directory`, which must be missing or empty. Throws a user-facing error,
 * and then leaves the directory as it was.
 */
export async function restore(
  file: string,
  directory: string,
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
): Promise<Restored> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${file}.`);
  const is_new = !existsSync(directory);
  if (!is_new && readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty. A restore needs a directory that is missing or empty.`);
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    const database = join(directory, "wharf.db");
    const { tables } = await place(file, database);
    const storage = await openStorage(directory, clock, log);
    try {
      const separated = (await separateCopy(storage, clock, random, log))!;
      return { ...separated, tables };
    } finally {
      await storage.close();
      verify(database);
    }
  } catch (error) {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
    if (is_new) rmdirSync(directory);
    throw error;
  }
}

/** Writes the database of the backup to `database`, with the current schema and marked as a copy. Returns what it holds. */
async function place(file: string, database: string) {
  const partial = `${database}.partial`;
  if (isCompressed(file)) await decompressTo(file, partial);
  else copyFileSync(file, partial);
  chmodSync(partial, 0o600);
  const held = checked(file, partial);
  becomeCopy(partial);
  syncFile(partial);
  renameSync(partial, database);
  syncDirectory(join(database, ".."));
  return held;
}

/** Checks the copied backup. Throws a user-facing error if it is newer than this build, damaged or no backup. */
function checked(file: string, partial: string) {
  let database: Database | undefined;
  try {
    database = new Database(partial, { readonly: true });
    refuseNewer(schemaVersion(database));
    database.close();
    const held = verify(partial);
    if ("beacon_days" in held.tables) return held;
    throw new Error("it is no database of a Wharf");
  } catch (error) {
    database?.close();
    const reason = (error as Error).message.replace(/\.$/, "");
    throw new Error(`${file} cannot be restored: ${reason}.`, { cause: error });
  }
}
