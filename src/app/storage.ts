/** Opens what the house keeps in a directory: the SQLite engine with the house's writer and searches behind it. */

import type { AppCommands, AppSearches } from "./commands.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { checkSpareFiles } from "./open_files.ts";
import type { Storage } from "../core/storage.ts";
import type { DiskLimits } from "../storage/sqlite/disk_budget.ts";
import { openSqlite } from "../storage/sqlite/engine.ts";

/** Everything that the house keeps. */
export type AppStorage = Storage<AppCommands, AppSearches>;

/** Starts the search thread. Throws while no file descriptors are left for it. */
export function startSearches(): Worker {
  checkSpareFiles();
  return new Worker(new URL("./search_worker.ts", import.meta.url).href);
}

/** Starts the writer's thread; throws as `startSearches` does. */
function startWriter(): Worker {
  checkSpareFiles();
  return new Worker(new URL("./writer_worker.ts", import.meta.url).href);
}

/** Makes directory and database where there are none; `disk` limits what they may take. Throws an error for people. */
export const openStorage = (
  directory: string,
  clock: Clock,
  log: Log,
  disk?: DiskLimits,
): Promise<AppStorage> =>
  openSqlite<AppCommands, AppSearches>({
    directory,
    startWriter,
    startChecker: () => new Worker(new URL("./integrity_worker.ts", import.meta.url).href),
    startSearches,
    clock,
    ...(disk && { disk }),
    log,
  });
