/** A search thread whose searches fail or never answer. */

import type { Tx } from "../../src/core/storage.ts";
import { serveSearches } from "../../src/storage/sqlite/search_loop.ts";
import { searches } from "../../src/app/commands.ts";

const never = () => new Promise<never>(() => {});

const slow = {
  ...searches,
  "test.echo": async (_tx: Tx, input: string) => input,
  "test.never": never,
  "test.throw": async (_tx: Tx, _input: null) => {
    throw new Error("broken on purpose");
  },
  "test.exit": (_tx: Tx, _input: null) => {
    setImmediate(() => process.exit());
    return never();
  },
  /** Never ends for rooms whose goals contain these words. */
  "rooms.search": (tx: Tx, input: Parameters<(typeof searches)["rooms.search"]>[1]) =>
    input.q === "take forever" ? never() : searches["rooms.search"](tx, input),
};

if (!Bun.isMainThread) {
  serveSearches(globalThis as unknown as Parameters<typeof serveSearches>[0], () => Promise.resolve(slow));
}

/** Starts such a thread. */
export const startSlowSearches = (): Worker => new Worker(import.meta.url);
