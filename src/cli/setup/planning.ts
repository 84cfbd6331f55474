/** What `wharf setup` would change for a host, file by file, before anything is changed. */

import { messageOf } from "../../core/log.ts";
import { isMade, isTheSame, textOf, withChanges, withoutOurs, type Made } from "./changes.ts";
import { checkWritable, readBytes, targetOf } from "./files.ts";
import { isTracked } from "./git_tracked.ts";
import type { Change, SetupHost, Wiring } from "./host.ts";
import { faultAt, isSame, JsonFault } from "./json_text.ts";
import type { ChangedFile, SetupState } from "./state.ts";

export type CommandChange = Extract<Change, { kind: "command" }>;

/** A change of a file that is needed. */
export type FilePlan = {
  /** Its path with links resolved, and as the host names it. */
  file: string;
  named: string;
  /** What it is now. */
  now: Uint8Array | null;
  /** Whether git tracks it. */
  is_tracked: boolean;
} & (
  | {
      kind: "edit";
      /** What it is without our changes. */
      base: Uint8Array | null;
      made: Made;
    }
  | {
      kind: "command";
      change: CommandChange;
      /** What runs, in this order. */
      commands: string[][];
    }
);

export interface HostPlan {
  host: SetupHost;
  wiring: Wiring;
  /** The files that need a change. */
  files: FilePlan[];
}

/** Throws a user-facing error if a file cannot be changed, or if something else has the place of a change. */
export function planHost(host: SetupHost, wiring: Wiring, changes: Change[], state: SetupState): HostPlan {
  const by_file = Map.groupBy(changes, ({ file }) => targetOf(file));
  const plans = [...by_file].map(([file, wanted]) => planFile(file, wanted, host.id, state.files[file]));
  return { host, wiring, files: plans.filter((plan) => plan !== null) };
}

/** The change of a file; null if it needs none. Throws a user-facing error that names the file. */
function planFile(
  file: string,
  wanted: Change[],
  host: string,
  record: ChangedFile | undefined,
): FilePlan | null {
  const named = wanted[0]!.file;
  try {
    const now = readBytes(file);
    const others = (record?.changes ?? []).filter((made) => made.host !== host);
    const own = (record?.changes ?? []).filter((made) => made.host === host);
    const is_current = own.every((made) => wanted.some((change) => isTheSame(made, change)));
    const is_shared = others.length > 0 && own.length === 0;
    if (is_current && !is_shared && wanted.every((change) => isMade(now, change))) return null;
    checkWritable(file);
    const plan = { file, named, now, is_tracked: isTracked(file) };
    const [change] = wanted;
    if (change?.kind === "command")
      return { ...plan, kind: "command", change, commands: commandsFor(change, now, record) };
    if ([...others, ...wanted].some(({ kind }) => kind !== "own_file") && others.length > 0)
      throw faultAt("", 0, `has changes for ${others[0]!.host}`);
    const { bytes: base, left } = record ? withoutOurs(now, record) : { bytes: now, left: [] };
    if (left.length > 0) throw faultAt("", 0, left[0]!);
    return { ...plan, kind: "edit", base, made: withChanges(base, wanted, host) };
  } catch (error) {
    throw withFile(named, error);
  }
}

/** The commands that make the entry of a host. Throws a `JsonFault` if somebody else's is there. */
function commandsFor(
  change: CommandChange,
  now: Uint8Array | null,
  record: ChangedFile | undefined,
): string[][] {
  const text = textOf(now);
  const entry = now === null ? undefined : change.entry(text);
  if (entry === undefined) return [change.add];
  if (change.isWanted(entry)) return [];
  const made = record?.changes.find(({ kind }) => kind === "command");
  if (made?.kind === "command" && isSame(made.entry, entry)) return [made.remove, change.add];
  throw faultAt(text, text.indexOf("wharf"), "has another entry wharf, which setup does not replace");
}

/** An error that names the file that it is about. */
export const withFile = (file: string, error: unknown): Error =>
  error instanceof JsonFault
    ? new Error(`${file}, line ${error.line}: the file ${error.message}. It is left as it is.`, {
        cause: error,
      })
    : error instanceof Error
      ? error
      : new Error(messageOf(error));
