/**
 * Backups: a verified copy of the database in one file, made while others write. Copies the database file and then its log,
 * as they are, under a read transaction: as long as that is open, either the log is not reset, so it holds every page that a
 * checkpoint may be changing in the file (https://www.sqlite.org/wal.html, section 2.3), or no checkpoint changes the file
 * (`copyLog`). SQLite then applies the copied log to the copy, as after a power cut. `VACUUM INTO` is one statement, and faster. A copy in chunks can pause between them, so
 * that posts wait less for the disk (bench/RESULTS.md); it can watch the room on the disk, and be stopped.
 */

import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { systemClock } from "../../core/clock.ts";
import type { BackupOptions, BackupSummary } from "../../core/storage.ts";
import { ServiceError } from "../../core/errors.ts";
import { behindSqlite } from "../../core/failures.ts";
import { withReason } from "../../core/log.ts";
import { storage_limits } from "../limits.ts";
import { markAsCopy } from "./copies.ts";
import { DiskBudget, freeSpace, type DiskLimits } from "./disk_budget.ts";
import { makeDirectory, syncDirectory, writeAll } from "./durable.ts";
import { clearFreePages } from "./free_pages.ts";
import { removePartial } from "./unfinished.ts";
import { wal_header_bytes } from "./wal_format.ts";
import { compressTo } from "./zstd.ts";

interface Options extends BackupOptions {
  /** The limits for the disk; unlimited if absent. */
  disk?: DiskLimits | undefined;
  /** Ends the backup while it copies. */
  signal?: AbortSignal;
  /** Called when the copy no longer needs the log of the database. */
  onCopied?(): void;
}

const chunk_bytes = 1024 * 1024;
/** The copy is synced this often, so that the disk has little to write when a commit has to be synced. */
const sync_every_bytes = 8 * chunk_bytes;

/**
 * Writes a backup of the database `source` to `file`, which must not exist. It holds every transaction committed before the
 * call, and gets its name when it is verified. Throws a user-facing error, after removing what it has written.
 */
export const backupTo = (source: string, file: string, options: Options = {}): Promise<BackupSummary> =>
  writeBackup(file, (partial) => copyDatabase(source, partial, options), options);

/**
 * Writes a backup to `file`, as `backupTo` does. `copy` writes the database to the empty file that it is given; `finish` does the rest,
 * perhaps in another thread.
 */
export async function writeBackup(
  file: string,
  copy: (partial: string) => Promise<void>,
  options: Options = {},
  finish = finishBackup,
): Promise<BackupSummary> {
  refuseExisting(file);
  createPartial(`${file}.partial`);
  try {
    await copy(`${file}.partial`);
    options.onCopied?.();
    return await finish(file, options);
  } catch (error) {
    throw userFacing(error, file);
  } finally {
    removePartial(file);
  }
}

/** Verifies the copy that was written for the backup `file`, compresses it if it is to be, and gives it its name. Throws a user-facing error. */
export async function finishBackup(file: string, { compress }: BackupOptions): Promise<BackupSummary> {
  const partial = `${file}.partial`;
  const compressed = `${partial}.zst`;
  try {
    const summary = finishCopy(partial);
    if (compress) await compressTo(partial, compressed);
    refuseExisting(file);
    return { ...summary, bytes: place(compress ? compressed : partial, file) };
  } catch (error) {
    throw userFacing(error, file);
  }
}

/** Creates the file, so that a second backup to the same file fails. */
function createPartial(partial: string): void {
  try {
    makeDirectory(dirname(partial));
    closeSync(openSync(partial, "wx", 0o600));
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST" || !existsSync(partial))
      throw userFacing(error, partial);
    throw new Error(`${partial} exists: another backup writes it, or was cut off. In that case remove it.`, {
      cause: error,
    });
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new Error(`${file} exists already. A backup overwrites nothing: name another file.`);
}

function userFacing(error: unknown, file: string): unknown {
  if (error instanceof ServiceError || (error as { code?: string }).code === undefined) return error;
  return withReason(`${file} cannot be written`, behindSqlite(error, file));
}

/** Syncs a finished file and renames it. Returns its size. */
function place(finished: string, file: string): number {
  const descriptor = openSync(finished, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(finished, file);
  syncDirectory(dirname(file));
  return statSync(file).size;
}

/** Copies the database and its log to `partial` and `partial-wal`. */
async function copyDatabase(source: string, partial: string, options: Options): Promise<void> {
  const reader = new Database(source, { readonly: true });
  try {
    reader.run("PRAGMA busy_timeout = 3000");
    reader.run("BEGIN");
    // The first read begins the snapshot.
    reader.query("SELECT COUNT(*) FROM sqlite_schema").get();
    const log = `${source}-wal`;
    const total_bytes = sizeOf(source) + sizeOf(log);
    const checkRoom = roomChecker(source, partial, options);
    checkRoom(options.compress ? total_bytes * 1.5 : total_bytes);
    const pause = pacer(() => sizeOf(log) < storage_limits.wal_bytes_max);
    let copied_bytes = 0;
    const onChunk = async (bytes: number) => {
      options.signal?.throwIfAborted();
      copied_bytes += bytes;
      options.onProgress?.(copied_bytes, Math.max(total_bytes, copied_bytes));
      checkRoom(0);
      await pause();
    };
    await copyFile(source, partial, onChunk);
    if (sizeOf(log) > 0) await copyLog(log, `${partial}-wal`, onChunk);
  } finally {
    reader.close();
  }
  backfill(source);
}

/**
 * Copies the log. Removes the copy if the log has begun again meanwhile: its first part would be of the earlier log, and SQLite
 * would apply old states of pages from it to the newer ones in the file.
 *
 * SQLite lets the log begin again under a read transaction only if all of it was in the database file when that began: then
 * the transaction has the read lock 0, which the reset does not need (`walTryBeginRead`, `walRestartLog` and `walCheckpoint` in
 * https://www.sqlite.org/src/file/src/wal.c). The file alone is then what the transaction reads, and does not change: a
 * checkpoint writes to it only with the read lock 0 for itself. So the log begins again at most once, too.
 */
async function copyLog(log: string, copy: string, onChunk: (bytes: number) => Promise<void>): Promise<void> {
  await copyFile(log, copy, onChunk);
  if (!headerOf(log).equals(headerOf(copy))) rmSync(copy);
}

/** The header of a log, with salts that change when it begins again; zeros if a checkpoint has emptied the file. */
function headerOf(log: string): Buffer {
  const header = Buffer.alloc(wal_header_bytes);
  const descriptor = openSync(log, "r");
  try {
    readSync(descriptor, header, 0, wal_header_bytes, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

/** Copies what has come into the log meanwhile into the database, beside the writer, which would have to stop for it. */
function backfill(source: string): void {
  if (sizeOf(`${source}-wal`) < storage_limits.wal_bytes_max) return;
  const database = new Database(source, { readwrite: true });
  try {
    database.run("PRAGMA synchronous = FULL");
    database.query("PRAGMA wal_checkpoint(PASSIVE)").get();
  } finally {
    database.close();
  }
}

/** Returns a function that waits as long as the time since its last call: half of the time is left to others. */
function pacer(mayWait: () => boolean): () => Promise<void> {
  let since_ms = systemClock.monotonic();
  return async () => {
    const worked_ms = systemClock.monotonic() - since_ms;
    // Once the log is over its bound, each further moment makes it longer.
    if (mayWait()) await new Promise<void>((resolve) => systemClock.after(worked_ms, resolve));
    since_ms = systemClock.monotonic();
  };
}

async function copyFile(from: string, to: string, onChunk: (bytes: number) => Promise<void>): Promise<void> {
  const source = openSync(from, "r");
  const target = openSync(to, "w", 0o600);
  try {
    const chunk = new Uint8Array(chunk_bytes);
    let unsynced_bytes = 0;
    for (
      let at = 0, length: number;
      (length = readSync(source, chunk, 0, chunk_bytes, at)) > 0;
      at += length
    ) {
      writeAll(target, chunk.subarray(0, length));
      unsynced_bytes += length;
      if (unsynced_bytes >= sync_every_bytes) {
        fdatasyncSync(target);
        unsynced_bytes = 0;
      }
      await onChunk(length);
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Returns a function that throws if the disk has no room for so many further bytes. */
function roomChecker(source: string, partial: string, { disk }: Options): (bytes: number) => void {
  if (!disk) return () => {};
  const directory = dirname(resolve(partial));
  const is_inside = `${directory}/`.startsWith(`${dirname(resolve(source))}/`);
  // The data directory has a limit of its own.
  const budget = is_inside && disk.max_bytes > 0 ? new DiskBudget(source, disk, systemClock) : null;
  return (bytes) => {
    budget?.measure({ bytes: 0, free_bytes: 0 });
    const { free_bytes, min_free_bytes } = freeSpace(directory, disk.min_free_bytes);
    const room_bytes = Math.min(budget?.room_bytes ?? Infinity, (free_bytes ?? Infinity) - min_free_bytes);
    if (room_bytes > bytes) return;
    throw new Error(
      `There is no room for the backup: it needs ${Math.ceil(bytes / 1e6)} MB more, and the limits of the disk leave ` +
        `${Math.max(0, Math.floor(room_bytes / 1e6))} MB.`,
    );
  };
}

/** Makes the copied files one: applies the log, erases what deleted rows left, and verifies the result. */
function finishCopy(file: string): Omit<BackupSummary, "bytes"> {
  const database = new Database(file, { readwrite: true });
  try {
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("PRAGMA synchronous = FULL");
    database.run("PRAGMA journal_mode = DELETE");
    markAsCopy(database);
  } finally {
    database.close();
  }
  clearFreePages(file);
  return verify(file);
}

/** Checks a database file as a whole, and counts its rows. Throws a user-facing error if it is damaged. */
export function verify(file: string): Omit<BackupSummary, "bytes"> {
  const database = new Database(file, { readonly: true });
  try {
    const faults = database.query("PRAGMA integrity_check(3)").all() as { integrity_check: string }[];
    if (faults[0]?.integrity_check !== "ok") {
      throw new Error(`The copy is damaged: ${faults.map((row) => row.integrity_check).join("; ")}.`);
    }
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    return { schema_version: user_version, tables: countRows(database) };
  } finally {
    database.close();
  }
}

/** The number of rows of each table, without the tables of the search indexes. */
function countRows(database: Database): Record<string, number> {
  const tables = database
    .query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all() as { name: string }[];
  const count = (name: string) =>
    (database.query(`SELECT COUNT(*) AS rows FROM "${name}"`).get() as { rows: number }).rows;
  return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
