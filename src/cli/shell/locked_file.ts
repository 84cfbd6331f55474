/** Changes a file of the command line while no other command changes it. */

import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { behindSqlite } from "../../core/failures.ts";
import { withReason } from "../../core/log.ts";
import { makeDirectory, writeDurably } from "../../storage/sqlite/durable.ts";
import { lock } from "../../storage/sqlite/lock.ts";

/**
 * Runs `change`, and meanwhile no other command does so for `file`. Waits at most `wait_ms` for another command. The folder is created
 * if absent. `write` replaces the file as a whole and durably, so that a crash loses nothing. Throws a user-facing error if the file
 * cannot be locked or written, and what `change` throws.
 */
export function changeFile<Result>(
  file: string,
  wait_ms: number,
  change: (write: (text: string) => void) => Result,
): Result {
  const unlock = lockFile(file, wait_ms);
  try {
    return change((text) => writeFile(file, text));
  } finally {
    unlock();
  }
}

/** Locks the file, whose folder is created if absent. Returns a function that unlocks it. Throws a user-facing error. */
export function lockFile(file: string, wait_ms: number): () => void {
  try {
    makeDirectory(dirname(file));
    writeFileSync(`${file}.lock`, "", { flag: "a", mode: 0o600 });
    return lock(`${file}.lock`, wait_ms);
  } catch (error) {
    throw withReason(`${file} cannot be changed`, behindSqlite(error, `${file}.lock`));
  }
}

/** Replaces the file as a whole and durably. Throws a user-facing error. */
export function writeFile(file: string, text: string): void {
  try {
    writeDurably(file, text);
  } catch (error) {
    throw withReason(`${file} cannot be written`, error);
  }
}
