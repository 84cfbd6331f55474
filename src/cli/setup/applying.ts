/** Makes planned changes. What a file was is saved before it is changed, so that a run that is killed can be finished or undone. */

import { join } from "node:path";
import { makeDirectory } from "../../storage/sqlite/durable.ts";
import { digestOf, exactBefore, textOf } from "./changes.ts";
import { missingFolders, readBytes, removeUnfinished, replaceFile } from "./files.ts";
import { runHostCommand } from "./host_command.ts";
import type { Wiring } from "./host.ts";
import type { CommandChange, FilePlan } from "./planning.ts";
import { spliceOf } from "./splice.ts";
import type { ChangedFile, MadeChange, SetupState } from "./state.ts";

export interface Applying {
  host: string;
  wiring: Pick<Wiring, "environment">;
  state: SetupState;
  /** Saves the state. */
  save(): void;
}

/** Makes a folder. What is made of it is removed with the other changes if it is empty. */
export function makeFolder(folder: string, state: SetupState): void {
  noteFolders(join(folder, "file"), state);
  makeDirectory(folder);
}

function noteFolders(file: string, state: SetupState): void {
  state.folders = [...new Set([...state.folders, ...missingFolders(file)])];
}

/** Makes the changes of a file. Throws a user-facing error. */
export async function applyFile(plan: FilePlan, to: Applying): Promise<void> {
  removeUnfinished(plan.file);
  noteFolders(plan.file, to.state);
  if (plan.kind === "edit") applyEdit(plan, to);
  else await applyCommand(plan, to);
}

/** A record of a file with the changes of this host in place of its earlier ones. */
function recordOf(file: string, { host, state }: Applying, changes: MadeChange[]): ChangedFile {
  const others = (state.files[file]?.changes ?? []).filter((made) => made.host !== host);
  return { changes: [...others, ...changes], before: null, after: null, undo: null };
}

function applyEdit({ file, now, base, made }: Extract<FilePlan, { kind: "edit" }>, to: Applying): void {
  const record = recordOf(file, to, made.changes);
  // A file of our own that hosts share has one text.
  const own_file = made.changes.find((change) => change.kind === "own_file");
  const changes = record.changes.map((change) =>
    change.kind === "own_file" && own_file ? { ...change, text: own_file.text } : change,
  );
  const undo = base && spliceOf(made.bytes, base);
  const digests = { before: digestOf(base), after: digestOf(made.bytes) };
  to.state.files[file] = { ...record, changes, ...digests, undo };
  to.save();
  if (digestOf(now) !== digests.after) replaceFile(file, made.bytes);
}

async function applyCommand(
  { file, change, commands }: Extract<FilePlan, { kind: "command" }>,
  to: Applying,
): Promise<void> {
  const { state } = to;
  const known = state.files[file];
  const bytes = readBytes(file);
  /** What it is without our changes; undefined: that is not known. */
  let base = known ? exactBefore(bytes, known) : bytes;
  if (commands.length > 0) {
    const before = base === undefined ? known!.before : digestOf(base);
    state.files[file] = { ...recordOf(file, to, [madeBy(change, to.host, null)]), before };
    to.save();
  }
  for (const words of commands) {
    await changeByCommand(words, to);
    if (words !== change.add && base === undefined) base = readBytes(file);
  }
  const now = readBytes(file);
  const entry = now === null ? undefined : change.entry(textOf(now));
  if (!change.isWanted(entry))
    throw new Error(`${change.file} has no entry of wharf, although the command ended with status 0.`);
  const record = recordOf(file, to, [madeBy(change, to.host, entry)]);
  // What the file was is not known if an earlier run was killed after the command.
  state.files[file] =
    commands.length > 0 && base !== undefined
      ? { ...record, before: digestOf(base), after: digestOf(now), undo: base && spliceOf(now!, base) }
      : { ...record, before: known?.before ?? null };
  to.save();
}

/** Runs a command of a host that changes a file. The next run knows of it if this one is killed. Throws a user-facing error. */
export async function changeByCommand(words: string[], { wiring, state, save }: Applying): Promise<void> {
  try {
    await runHostCommand(words, wiring, (running) => {
      state.running = running;
      save();
    });
  } finally {
    delete state.running;
  }
}

const madeBy = ({ purpose, file, kind, add, remove }: CommandChange, host: string, entry: unknown) => ({
  ...{ host, purpose, file, kind, add, remove, entry },
});
