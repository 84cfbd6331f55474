/** Starts the writer thread, which opens the database. */

import { checkSpareFiles } from "./open_files.ts";

/** A thread that has begun to load its modules. */
let prepared: Worker | undefined;

// Threads collect garbage early: what they hold is small, and each has a heap of its own.
const newWriter = (): Worker =>
  new Worker(new URL("./writer_worker.ts", import.meta.url).href, { smol: true });

/**
 * Starts the thread before it is known which database it opens, so that it loads while the settings are read. Does nothing if too
 * few file descriptors are left: `startWriter` reports it.
 */
export function prepareWriter(): void {
  try {
    prepared = startWriter();
  } catch {
    prepared = undefined;
  }
}

/** Ends a prepared thread, which this service does not use. */
export function discardWriter(): void {
  prepared?.terminate();
  prepared = undefined;
}

/** Starts the thread, or takes the prepared one. Throws if too few file descriptors are left. */
export function startWriter(): Worker {
  const writer = prepared;
  prepared = undefined;
  if (writer) return writer;
  checkSpareFiles();
  return newWriter();
}
