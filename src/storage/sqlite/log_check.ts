/** Checks the write-ahead log after a service that did not stop cleanly. Nothing is flushed at a commit for this check. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Wal } from "./wal.ts";
import { readWalIndex, type WalIndex } from "./wal_index.ts";

/** A file that exists while a service runs. If it exists at a start, the last service did not stop cleanly. */
export const runningFile = (directory: string): string => join(directory, "wharf.running");

const bootLine = (boot: string): string => `boot ${boot}\n`;

/** Writes the file that exists while a service runs. `boot`: the id of the machine's boot. */
export const writeRunningFile = (directory: string, boot: string): void =>
  writeFileSync(runningFile(directory), `A clean stop removes this file.\n${bootLine(boot)}`);

/** The fault of a log, as one sentence without its full stop; null if there is none. */
export interface LogFindings {
  /** Writes that were acknowledged are lost, for certain. */
  lost: string | null;
  /** Acknowledged writes may be lost: the files do not show whether they are. */
  doubt: string | null;
}

/** `wal`: the log of the database `file`; "missing" or "empty" if it has no bytes. `boot`: the id of the machine's present boot. */
export function checkLog(file: string, wal: Wal | "missing" | "empty", boot: string): LogFindings {
  const running = textOf(runningFile(join(file, "..")));
  const has_log = typeof wal !== "string";
  if (running === null && !has_log) return { lost: null, doubt: null };
  const index = readWalIndex(`${file}-shm`);
  // Nothing but a power cut can leave an index that is older than the log.
  const is_exact = index !== null && running?.endsWith(bootLine(boot)) === true;
  const lost = lostFrom(file, wal, index, is_exact);
  return { lost, doubt: lost === null && !is_exact ? doubtOf(`${file}-wal`, wal) : null };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

function lostFrom(
  file: string,
  wal: Wal | "missing" | "empty",
  index: WalIndex | null,
  is_exact: boolean,
): string | null {
  const log = `${file}-wal`;
  const found = typeof wal === "string" ? { salts: null, frames: 0, damaged_frame: null } : wal;
  if (found.damaged_frame !== null)
    return `${log} is damaged at its page ${found.damaged_frame}, and later writes follow`;
  if (index === null) return null;
  const { salts, frames, moved_frames } = index;
  const is_of_log = found.salts !== null && salts.every((salt, i) => salt === found.salts![i]);
  const was_needed = moved_frames < frames;
  // SQLite would take old pages from half a log, also if the database has later ones.
  if (is_of_log && found.frames < frames && (was_needed || found.frames > 0))
    return `${log} is cut off or damaged: ${found.frames} of its ${frames} pages can be read, as its index ${file}-shm says`;
  if (is_of_log || !was_needed || !is_exact) return null;
  const state = typeof wal === "string" ? wal : "damaged, or another log";
  return `${log} is ${state}, and its index ${file}-shm says that it had ${frames - moved_frames} pages that are not in the database`;
}

function doubtOf(log: string, wal: Wal | "missing" | "empty"): string | null {
  if (wal === "missing")
    return `${log} is missing: what was written since its last checkpoint is lost, unless the service was killed while it stopped`;
  if (wal === "empty")
    return `${log} is empty: if the service has not emptied it, what was written since its last checkpoint is lost`;
  if (wal.salts === null)
    return `${log} cannot be read: what was written since its last checkpoint is lost, unless a power cut left it at its beginning`;
  if (wal.has_tail)
    return `${log} ends in a part of a transaction: a power cut leaves that, and then no acknowledged write is lost`;
  return null;
}
