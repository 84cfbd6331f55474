/** A writer's thread with commands that break it on purpose, and a maintenance task that fails whenever it has work. */

import { commands } from "../../src/app/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Tx } from "../../src/core/storage.ts";
import { serveWrites } from "../../src/storage/sqlite/worker_loop.ts";

const never = () => new Promise<null>(() => {});

const breaking = {
  ...commands,
  /** Breaks the thread in the middle of a transaction. */
  "test.throw": async (_tx: Tx, _input: null) => {
    setImmediate(() => {
      throw new Error("broken on purpose");
    });
    return never();
  },
  "test.exit": async (_tx: Tx, _input: null) => {
    setImmediate(() => process.exit());
    return never();
  },
};

export type BreakingCommands = typeof breaking;

if (!Bun.isMainThread) {
  const chores = [() => Promise.reject(new Error("a chore broken on purpose"))];
  serveWrites(globalThis as unknown as Parameters<typeof serveWrites>[0], breaking, chores, systemClock);
}
