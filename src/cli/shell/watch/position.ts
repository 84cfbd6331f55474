/** The saved position of a watcher, and the lock that allows one watcher of a target, and one run of its command, at a time. */

import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { lockDescriptor } from "../../../app/libc.ts";
import { messageOf } from "../../../core/log.ts";
import { makeDirectory, writeDurably } from "../../../storage/sqlite/durable.ts";
import type { Terminal } from "../../terminal.ts";
import { stateFile, stateFolder } from "../state_folder.ts";
import type { Cursors } from "./news.ts";

/** The service, the name and the news of a watcher. Each watcher has a file of its own. */
export interface Watched {
  url: string;
  /** The name that watches. */
  name: string;
  /** `inbox`, `all`, or the room that is watched. */
  target: "inbox" | "all" | { room: string };
}

export interface Position {
  /** Everything before these is covered by runs that ended with status 0. */
  cursors: Cursors;
  /** Whether the room is closed, and a run has covered that. */
  closed?: true;
}

/** The path of the file of a watcher. */
export const positionFile = (
  terminal: Pick<Terminal, "environment">,
  { url, name, target }: Watched,
): string => stateFile(terminal, "watch", [url, name, target]);

/** Reads a saved position; null if there is none. Throws a user-facing error if the file cannot be read. */
export function readPosition(file: string): Position | null {
  if (!existsSync(file)) return null;
  try {
    const { cursors, closed } = JSON.parse(readFileSync(file, "utf8")) as Position;
    return { cursors: { ...cursors }, ...(closed && { closed }) };
  } catch (error) {
    throw new Error(
      `${file} cannot be read: ${messageOf(error)}. Without it, a watcher begins with what is new from then on.`,
      { cause: error },
    );
  }
}

/** Saves a position, atomically and durably. `watched` says what the file is about. */
export const savePosition = (file: string, watched: Watched, position: Position): void =>
  writeDurably(file, `${JSON.stringify({ ...watched, ...position })}\n`);

/**
 * Locks a position. Returns the descriptor that holds the lock, for the command to inherit; null if another watcher or a
 * command that it has left behind holds it. The lock file stays: who removed it could remove the lock of another.
 */
export function lockPosition(file: string): number | null {
  makeDirectory(dirname(file));
  const descriptor = openSync(`${file}.lock`, "a", 0o600);
  try {
    if (lockDescriptor(descriptor)) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw new Error("wharf watch needs Linux or macOS.", { cause: error });
  }
  closeSync(descriptor);
  return null;
}

/** The descriptor at which the command of a watcher inherits the lock: the first after those of its input and its outputs. */
const inherited_descriptor = 3;

/** The descriptor of the lock, if a watcher has started this process with it; null if not. */
export function inheritedLock(terminal: Pick<Terminal, "environment">): number | null {
  const folder = stateFolder(terminal);
  try {
    const { dev, ino } = fstatSync(inherited_descriptor);
    const locks = readdirSync(folder).filter((name) => /^watch-.*\.lock$/.test(name));
    const files = locks.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
    return files.some((file) => file?.dev === dev && file.ino === ino) ? inherited_descriptor : null;
  } catch {
    // Nothing is open there, or there is no folder.
    return null;
  }
}
