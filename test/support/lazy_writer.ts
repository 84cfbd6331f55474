/** A writer's thread that indexes nothing by itself: rows that a search lacks stay unindexed until a search requests them. */

import { commands } from "../../src/app/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import { serveWrites } from "../../src/storage/sqlite/worker_loop.ts";

if (!Bun.isMainThread) {
  serveWrites(globalThis as unknown as Parameters<typeof serveWrites>[0], commands, [], systemClock);
}

/** Starts such a thread. */
export const startLazyWriter = (): Worker => new Worker(import.meta.url);
