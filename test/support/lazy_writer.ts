/** A writer's thread that indexes nothing by itself: what is missing for a search stays missing until somebody asks for it. */

import { acts } from "../../src/acts.ts";
import { systemClock } from "../../src/clock.ts";
import { serveWrites } from "../../src/storage/sqlite/thread.ts";

if (!Bun.isMainThread) {
  serveWrites(globalThis as unknown as Parameters<typeof serveWrites>[0], acts, [], systemClock);
}

/** Starts such a thread. */
export const startLazyWriter = (): Worker => new Worker(import.meta.url);
