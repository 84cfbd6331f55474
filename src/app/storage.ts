/** Opens the storage of the service: the SQLite engine with the worker threads of this program. */

import type { AppCommands, AppSearches } from "./commands.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import { checkSpareFiles, reserveFiles } from "./open_files.ts";
import type { Meter } from "../core/meter.ts";
import type { Storage } from "../core/storage.ts";
import type { DiskLimits } from "../storage/sqlite/disk_budget.ts";
import { discardWriter, startWriter } from "./writer.ts";
import { openSqlite, type SqliteOptions } from "../storage/sqlite/engine.ts";

/** The storage with all commands and searches of the service. */
export type AppStorage = Storage<AppCommands, AppSearches>;

/** Threads collect garbage early: what they hold is small, and each has a heap of its own. */
const frugal = { smol: true };

/** Starts the search thread. Throws if too few file descriptors are left. */
export function startSearches(): Worker {
  checkSpareFiles();
  return new Worker(new URL("./search_worker.ts", import.meta.url).href, frugal);
}

/** Starts the thread of a backup. Throws if too few file descriptors are left. */
function startBackup(): Worker {
  checkSpareFiles();
  return new Worker(new URL("./backup_worker.ts", import.meta.url).href, frugal);
}

/**
 * Opens the storage that the settings name: the database in Postgres, or the file in the data directory. Throws a user-facing
 * error.
 */
export async function openStorageOf(
  config: Config,
  { clock, log, meter }: { clock: Clock; log: Log; meter?: Meter },
  disk?: DiskLimits,
): Promise<AppStorage> {
  if (config.database === null) {
    const { moved: is_moved, accept_loss: accepts_loss } = config;
    return openStorage(config.data_dir, clock, log, disk, {
      is_moved,
      accepts_loss,
      ...(meter && { meter }),
    });
  }
  discardWriter();
  const { openPostgresOf } = await import("./postgres.ts");
  return openPostgresOf(config, log, meter, startBackup);
}

/**
 * Opens the storage in `directory`; creates both if absent. `disk`: the disk budget. `more`: as for the engine. Throws a
 * user-facing error.
 */
export const openStorage = (
  directory: string,
  clock: Clock,
  log: Log,
  disk?: DiskLimits,
  more: Pick<SqliteOptions, "is_moved" | "accepts_loss" | "meter"> = {},
): Promise<AppStorage> =>
  openSqlite<AppCommands, AppSearches>({
    directory,
    startWriter,
    startChecker: () => new Worker(new URL("./integrity_worker.ts", import.meta.url).href, frugal),
    startBackup,
    startSearches,
    reserveSearches: reserveFiles,
    clock,
    ...more,
    ...(disk && { disk }),
    log,
  });
