/** What changes make of the bytes of a file, and what the file is without them. */

import type { Change } from "./host.ts";
import { addEntry, removeEntry } from "./entries.ts";
import { isBare } from "./json_edit.ts";
import { faultAt, isSame, JsonFault, placeName } from "./json_text.ts";
import { spliced } from "./splice.ts";
import type { ChangedFile, MadeChange } from "./state.ts";

/** The digest of a file; null of none. */
export const digestOf = (bytes: Uint8Array | null): string | null =>
  bytes && new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The text of a file, with its byte order mark; an absent file is empty. Throws a `JsonFault` if it is no UTF-8. */
export function textOf(bytes: Uint8Array | null): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw new JsonFault(1, "is not in UTF-8");
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A file without our changes; undefined if it was changed by others since. */
export function exactBefore(
  bytes: Uint8Array | null,
  { before, after, undo }: ChangedFile,
): Uint8Array | null | undefined {
  const digest = digestOf(bytes);
  if (digest === before) return bytes;
  if (bytes === null) return null;
  if (digest !== after) return undefined;
  return before === null ? null : spliced(bytes, undo!);
}

export interface WithoutOurs {
  bytes: Uint8Array | null;
  /** What is left, because somebody has changed it since: a sentence each. */
  left: string[];
}

/**
 * A file without our changes: what it was if nobody has changed it since, else only our entries are taken out. What a command of a host has
 * made stays. Throws a `JsonFault`.
 */
export function withoutOurs(bytes: Uint8Array | null, record: ChangedFile): WithoutOurs {
  const exact = exactBefore(bytes, record);
  if (exact !== undefined) return { bytes: exact, left: [] };
  let text = textOf(bytes);
  const left: string[] = [];
  for (const change of record.changes.toReversed()) {
    if (change.kind === "command") continue;
    if (change.kind === "own_file") {
      if (text === change.text) return { bytes: null, left: [] };
      return { bytes, left: ["was changed since setup wrote it"] };
    }
    const { text: rest, was } = removeEntry(text, change);
    text = rest;
    if (was === "changed") left.push(`has another ${placeName(change.at)} than setup wrote`);
  }
  const is_ours = record.before === null && isBare(text);
  return { bytes: is_ours ? null : bytesOf(text), left };
}

/** Whether a file has what a change makes. Throws a `JsonFault`. */
export function isMade(bytes: Uint8Array | null, change: Change): boolean {
  if (bytes === null) return false;
  const text = textOf(bytes);
  if (change.kind === "own_file") return text === change.text;
  if (change.kind === "command") return change.isWanted(change.entry(text));
  try {
    return addEntry(text, change).lines === null;
  } catch (error) {
    // Something else is in its place.
    if (error instanceof JsonFault) return false;
    throw error;
  }
}

/** Whether a change that was made is the one that is wanted. */
export function isTheSame(made: MadeChange, change: Change): boolean {
  if (made.purpose !== change.purpose) return false;
  if (made.kind === "own_file") return change.kind === "own_file" && made.text === change.text;
  if (made.kind === "command") return change.kind === "command" && change.isWanted(made.entry);
  return made.kind === change.kind && isSame(made.at, change.at) && isSame(made.value, change.value);
}

export interface Made {
  bytes: Uint8Array;
  /** The changes that were not there before. */
  changes: MadeChange[];
  /** For a reader: where lines are added, and which. */
  added: { at: string; lines: string[] }[];
}

/** Makes the changes of a file, but for those of commands. Throws a `JsonFault` if something else has their place. */
export function withChanges(base: Uint8Array | null, wanted: readonly Change[], host: string): Made {
  let text = textOf(base);
  const made: Made = { bytes: base ?? new Uint8Array(), changes: [], added: [] };
  for (const change of wanted) {
    if (change.kind === "command") continue;
    if (change.kind === "own_file") {
      if (base !== null && text === change.text) continue;
      if (base !== null) throw faultAt(text, 0, "is there already, with another text");
      text = change.text;
      made.changes.push({ ...change, host });
      made.added.push({ at: "", lines: text.trimEnd().split("\n") });
      continue;
    }
    const { text: next, lines, found, comma } = addEntry(text, change);
    if (lines === null) continue;
    text = next;
    made.changes.push({ ...change, host, found, comma });
    made.added.push({ at: placeName(change.at.slice(0, found)), lines });
  }
  return { ...made, bytes: bytesOf(text) };
}
