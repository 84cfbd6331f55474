/** The SQLite implementation of the storage port: one writer thread, one search thread, reads on the main thread. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../core/clock.ts";
import { no_meter, type Meter } from "../../core/meter.ts";
import { withReason, type Log } from "../../core/log.ts";
import type * as port from "../../core/storage.ts";
import { BackupThread } from "./backup_thread.ts";
import { exportCopy, exportStream } from "../export/stream.ts";
import { checkDirectory } from "./directory_check.ts";
import type { DiskLimits } from "./disk_budget.ts";
import { syncFile } from "./durable.ts";
import { Listeners } from "../listeners.ts";
import { Health } from "./health.ts";
import { writeIdentityFile } from "./identity.ts";
import { lockDirectory, lockFile } from "./lock.ts";
import { runningFile, writeRunningFile } from "./log_check.ts";
import { measureFiles } from "./storage_metrics.ts";
import { Readers } from "./readers.ts";
import { SearchThread } from "./search_thread.ts";
import { removePartial } from "./unfinished.ts";
import { copyBeforeUpgrade } from "./upgrade_copy.ts";
import { WriterThread } from "./writer_thread.ts";

export interface SqliteOptions {
  directory: string;
  /** Starts a worker that runs `serveWrites` with the commands. */
  startWriter: () => Worker;
  /** Starts a worker that runs `serveCheck`, after an unclean stop. If absent, the database is not checked. */
  startChecker?: () => Worker;
  /** Starts a worker that runs `serveBackup`. If absent, no backups can be made. */
  startBackup?: () => Worker;
  /** Whether the database was moved: it is taken for the original, wherever it was before. */
  is_moved?: boolean;
  /** Whether to start although acknowledged writes are lost from the log. */
  accepts_loss?: boolean;
  /** The disk budget of the directory; unlimited if absent. */
  disk?: DiskLimits;
  /** Starts a worker that runs `serveSearches` with the searches. */
  startSearches: () => Worker;
  /** Reserves what a search worker needs, until the function that it returns is called. Throws if it cannot. */
  reserveSearches?: () => () => void;
  /** The clock that times searches; the system's by default. */
  clock?: Clock;
  log: Log;
  /** Where the storage reports its metrics. */
  meter?: Meter;
}

/**
 * Opens the database in `directory`; creates both if absent (directory 0700, files 0600). Throws a user-facing error, and
 * changes no file, if the files do not belong together.
 */
export async function openSqlite<A extends port.CommandMap, S extends port.Searches = port.Searches>(
  options: SqliteOptions,
): Promise<port.Storage<A, S>> {
  const { directory, clock = systemClock, accepts_loss = false, log } = options;
  const check = () => checkDirectory(directory, { clock, accepts_loss });
  // Without a lock file no service can be running: check before creating even that file. Check again under the lock.
  if (!existsSync(lockFile(directory))) check();
  const unlock = lockDirectory(directory);
  try {
    const found = check();
    const { lost, doubt } = found.log;
    if (lost !== null) log.warn("storage.loss_accepted", { found: lost });
    if (doubt !== null) log.warn("storage.log_in_doubt", { found: doubt });
    removeUnfinished(directory);
    const file = join(directory, "wharf.db");
    if (found.has_log) flushLog(`${file}-wal`);
    const hasUpgraded = copyBeforeUpgrade(file, found.schema_version, log);
    const engine = new SqliteEngine<A, S>(options, unlock);
    const { identity, copied_to } = await engine.writer.start();
    engine.copied_to = copied_to;
    engine.identity = identity;
    engine.accepted_loss = lost?.replaceAll(join(directory, "/"), "") ?? null;
    hasUpgraded();
    if (found.identity !== identity) writeIdentityFile(directory, identity);
    writeRunningFile(directory, clock.uptime().boot);
    if (found.was_cut_short) engine.check();
    return engine;
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Flushes a log that another process has written. If it was killed before its own flush, SQLite finds its last transaction all the
 * same, readers get it, and later ones follow it. Throws a user-facing error.
 */
function flushLog(log: string): void {
  try {
    syncFile(log);
  } catch (error) {
    throw withReason(`${log} cannot be flushed`, error);
  }
}

/** Removes what an export or import has left that was killed: it may hold texts that are erased later. */
function removeUnfinished(directory: string): void {
  const exported = exportCopy(directory);
  rmSync(exported, { force: true });
  for (const file of [exported, join(directory, "wharf.db")]) removePartial(file);
}

class SqliteEngine<A extends port.CommandMap, S extends port.Searches> implements port.Storage<A, S> {
  readonly #file: string;
  readonly #options: SqliteOptions;
  readonly #unlock: () => void;
  readonly writer: WriterThread;
  copied_to: port.Place | null = null;
  identity = "";
  accepted_loss: string | null = null;
  readonly #readers: Readers;
  readonly #searches: SearchThread;
  readonly #backups: BackupThread;
  readonly #health: Health;
  readonly #listeners: Listeners;

  constructor(options: SqliteOptions, unlock: () => void) {
    this.#options = options;
    this.#unlock = unlock;
    this.#file = join(options.directory, "wharf.db");
    const {
      startWriter,
      startSearches,
      startBackup,
      is_moved = false,
      disk,
      clock = systemClock,
      meter = no_meter,
      log,
    } = options;
    const health = (this.#health = new Health(log));
    const file = this.#file;
    const listeners = (this.#listeners = new Listeners(log));
    const announce = (topic: string | null) => listeners.announce(topic);
    this.writer = new WriterThread({
      file,
      disk,
      is_moved,
      start: startWriter,
      log,
      health,
      meter,
      announce,
    });
    measureFiles(meter, file);
    const holdLog = (is_held: boolean) => this.writer.holdLog(is_held);
    this.#backups = new BackupThread({ source: file, disk, start: startBackup, holdLog });
    this.#readers = new Readers(file, health);
    this.#searches = new SearchThread({
      ...{ file, start: startSearches, reserve: options.reserveSearches, clock, log, health },
    });
  }

  write: port.Storage<A, S>["write"] = (name, input, call) =>
    this.writer.write({ name, input, call }) as never;
  read: port.Storage<A, S>["read"] = (query) => this.#readers.read(query);
  search: port.Storage<A, S>["search"] = (name, input) => this.#searches.search(name, input) as never;
  backup: port.Storage<A, S>["backup"] = (file, options) => this.#backups.run(file, options);
  /** The name of the copy is free: one backup is made at a time. */
  export: port.Storage<A, S>["export"] = async (options) => {
    const copy = exportCopy(this.#options.directory);
    await this.#backups.run(copy);
    return exportStream(copy, options);
  };
  prepare = (): void => this.#searches.prepare();

  onChange(phase: port.ChangePhase, listener: port.ChangeListener): void {
    this.#listeners.add(phase, listener);
  }

  /** Starts a check of the whole database in a thread of its own. */
  check(): void {
    const worker = this.#options.startChecker?.();
    if (worker) this.#health.check(worker, this.#file);
  }

  async health(): Promise<Record<string, port.Check>> {
    await this.writer.probe();
    return this.#health.checks();
  }

  async close(): Promise<void> {
    this.#health.endCheck();
    this.#listeners.close();
    await this.#backups.close();
    this.#readers.close();
    // The writer's connection closes last: SQLite then copies the whole log into the database and deletes it.
    const has_closed = await this.writer.close(this.#searches.close());
    if (has_closed && this.#health.is_sound) rmSync(runningFile(this.#options.directory), { force: true });
    this.#unlock();
  }
}
