/** Takes back what `wharf setup` has changed. */

import { explained } from "../../core/log.ts";
import { exactBefore, textOf, withoutOurs, type WithoutOurs } from "./changes.ts";
import {
  checkWritable,
  readBytes,
  removeEmptyFolders,
  removeFile,
  removeUnfinished,
  replaceFile,
} from "./files.ts";
import { changeByCommand, type Applying } from "./applying.ts";
import { isSame } from "./json_text.ts";
import { withFile, type CommandChange } from "./planning.ts";
import type { MadeChange } from "./state.ts";

/** What became of a file. */
interface Undone {
  file: string;
  /** `left`: somebody has changed it since. `failed`: it can be tried again. */
  result: "restored" | "cleared" | "shared" | "left" | "failed";
  /** For a reader. */
  text: string;
}

interface Undoing extends Applying {
  /** The change by a command that the host makes of this file. */
  commandOf(file: string): CommandChange | undefined;
}

/** Takes the changes of a host out of all files that it has changed. If one of them cannot be changed, none is. */
export async function undoHost(from: Undoing): Promise<Undone[]> {
  const { host, state } = from;
  const files = Object.keys(state.files).filter((file) =>
    state.files[file]!.changes.some((made) => made.host === host),
  );
  try {
    for (const file of files) checkUndo(file, from);
  } catch (error) {
    return [{ file: "", result: "failed", text: explained(error) }];
  }
  const undone: Undone[] = [];
  for (const file of files) undone.push(await undoFile(file, from));
  if (undone.every(({ result }) => result !== "failed")) delete state.hosts[host];
  // Another host, or somebody else, may use one that setup has made.
  const remaining = removeEmptyFolders(state.folders);
  state.folders = Object.keys(state.files).length > 0 ? remaining : [];
  from.save();
  return undone;
}

/** Throws a user-facing error if the file cannot be changed, or read. */
function checkUndo(file: string, { host, state }: Undoing): void {
  const record = state.files[file]!;
  const now = readBytes(file);
  if (now === null || record.changes.some((made) => made.host !== host)) return;
  try {
    checkWritable(file);
    withoutOurs(now, record);
  } catch (error) {
    throw withFile(file, error);
  }
}

async function undoFile(file: string, from: Undoing): Promise<Undone> {
  const { host, state, save } = from;
  const record = state.files[file]!;
  const others = record.changes.filter((made) => made.host !== host);
  if (others.length > 0) {
    record.changes = others;
    save();
    return { file, result: "shared", text: `${file} stays: it is for ${others[0]!.host}, too.` };
  }
  try {
    removeUnfinished(file);
    const now = readBytes(file);
    const is_exact = exactBefore(now, record) !== undefined;
    const command = record.changes.find((made) => made.kind === "command");
    const { bytes, left } =
      command && !is_exact ? await withoutCommand(file, command, from) : withoutOurs(now, record);
    if (bytes === null && now !== null) removeFile(file);
    if (bytes !== null && (now === null || Buffer.compare(bytes, now) !== 0)) replaceFile(file, bytes);
    delete state.files[file];
    save();
    if (left.length > 0)
      return { file, result: "left", text: `${file} ${left.join(", and ")}: that is left.` };
    return is_exact
      ? {
          file,
          result: "restored",
          text: `${file} is as it was before${bytes === null ? ": there is none" : ""}.`,
        }
      : {
          file,
          result: "cleared",
          text: `${file} was changed since: only the entries of setup are taken out.`,
        };
  } catch (error) {
    return { file, result: "failed", text: explained(withFile(file, error)) };
  }
}

/** Runs the command of the host that takes its entry out, unless it is gone, or somebody has changed it. */
async function withoutCommand(
  file: string,
  made: Extract<MadeChange, { kind: "command" }>,
  from: Undoing,
): Promise<WithoutOurs> {
  const entryIn = (bytes: Uint8Array | null) =>
    bytes === null ? undefined : from.commandOf(file)?.entry(textOf(bytes));
  const now = readBytes(file);
  const entry = entryIn(now);
  if (entry === undefined) return { bytes: now, left: [] };
  if (made.entry !== null && !isSame(made.entry, entry))
    return { bytes: now, left: ["has another entry of wharf than setup wrote"] };
  await changeByCommand(made.remove, from);
  const bytes = readBytes(file);
  return {
    bytes,
    left:
      entryIn(bytes) === undefined ? [] : ["has the entry of wharf although the command ended with status 0"],
  };
}
