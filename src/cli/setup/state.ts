/** What `wharf setup` has set up: the file by which it takes everything back, readable by its owner alone. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/log.ts";
import { lockFile, writeFile } from "../shell/locked_file.ts";
import { stateFolder } from "../shell/state_folder.ts";
import type { Terminal } from "../terminal.ts";
import type { Change } from "./host.ts";
import { isRunning, type RunningCommand } from "./host_command.ts";
import type { Splice } from "./splice.ts";

export interface SetupState {
  /** By the id of the host. */
  hosts: Record<string, SetHost>;
  /** By path, links resolved. */
  files: Record<string, ChangedFile>;
  /** Folders that setup has made for files. */
  folders: string[];
  /** The command of a host that runs. */
  running?: RunningCommand;
}

interface SetHost {
  name: string;
  url: string;
  /** Where the agent of its service works; absent: it has no service. */
  folder?: string;
}

/** A change as it was made, for one host. */
export type MadeChange = { host: string } & (
  | (Extract<Change, { kind: "member" | "item" | "table" }> & {
      /** How many of the names of `at` led to something before, and whether the last entry before it had a comma behind it. */
      found: number;
      comma: boolean;
    })
  | Extract<Change, { kind: "own_file" }>
  | (Omit<Extract<Change, { kind: "command" }>, "entry" | "isWanted"> & {
      /** What the file has under our name because of the command. */
      entry: unknown;
    })
);

export interface ChangedFile {
  changes: MadeChange[];
  /** The digest of the file without our changes; null: it was absent. */
  before: string | null;
  /** The digest of the file with all of them; null: it is not known yet, because a command of the host makes one. */
  after: string | null;
  /** What makes the file with our changes the one without them. */
  undo: Splice | null;
}

/** How long another `wharf setup` may use the file, and how often to look whether a command has ended. */
const lock_wait_ms = 5_000;
const look_ms = 20;

export const setupFile = (terminal: Pick<Terminal, "environment">): string =>
  join(stateFolder(terminal), "setup.json");

/** Reads the file. Throws a user-facing error if it cannot. */
export function readSetup(terminal: Pick<Terminal, "environment">): SetupState {
  const file = setupFile(terminal);
  if (!existsSync(file)) return { hosts: {}, files: {}, folders: [] };
  try {
    const { hosts, files, folders, running } = JSON.parse(readFileSync(file, "utf8")) as SetupState;
    return { hosts: { ...hosts }, files: { ...files }, folders: [...folders], ...(running && { running }) };
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}. Mend it, or move it away.`, {
      cause: error,
    });
  }
}

/** Saves it, atomically and durably. */
export const saveSetup = (terminal: Pick<Terminal, "environment">, state: SetupState): void =>
  writeFile(setupFile(terminal), `${JSON.stringify(state, null, 1)}\n`);

/**
 * Locks it, so that one `wharf setup` changes files at a time. A run that was killed leaves the command of a host running, which changes
 * a file after it: waits for its end. Returns a function that unlocks it. Throws a user-facing error.
 */
export async function lockSetup({
  terminal,
  note,
}: {
  terminal: Pick<Terminal, "environment">;
  note(text: string): void;
}): Promise<() => void> {
  const unlock = lockFile(setupFile(terminal), lock_wait_ms);
  try {
    const { running, ...state } = readSetup(terminal);
    if (!running) return unlock;
    if (isRunning(running)) note("a command of a host runs on from before: waiting for its end …");
    while (isRunning(running)) await Bun.sleep(look_ms);
    saveSetup(terminal, state);
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}
