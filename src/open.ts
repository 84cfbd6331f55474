/** Opens what the house keeps in a directory: the SQLite engine with the house's writer behind it. */

import type { HouseActs } from "./acts.ts";
import type { Log } from "./log.ts";
import type { Storage } from "./storage/port.ts";
import type { DiskLimits } from "./storage/sqlite/disk_budget.ts";
import { openSqlite } from "./storage/sqlite/engine.ts";

/** Makes directory and database where there are none; `disk` limits what they may take. Throws an error for people. */
export const openStorage = (directory: string, log: Log, disk?: DiskLimits): Promise<Storage<HouseActs>> =>
  openSqlite<HouseActs>({
    directory,
    startWriter: () => new Worker(new URL("./writer.ts", import.meta.url).href),
    startChecker: () => new Worker(new URL("./checker.ts", import.meta.url).href),
    ...(disk && { disk }),
    log,
  });
