/** Names that look like other names (skeletons of UTS 39, section 4), and names that nobody may post under or claim. */

import { reserved_names, reserved_words } from "../api/names/rules.ts";
import { canonicalName, isAscii } from "./canonical.ts";
import { skeleton, skeletonAsShown } from "./skeleton.ts";

/** Whether `name` could look like another name. Names in ASCII are compared by their canonical form alone. */
export const canImitate = (name: string): boolean => !isAscii(name);

/**
 * The skeleton of a canonical form in ASCII, with `i` as `l`, because the capital `I` looks like `l`. `readStandings` computes the
 * same in SQL.
 */
const asciiKey = (canonical: string): string =>
  canonical.replaceAll("i", "l").replaceAll("|", "l").replaceAll("m", "rn");

/**
 * Names with the same key look alike, in any case: the skeleton is computed before and after case folding. For a name in ASCII
 * the key is the canonical form with `i` and `|` as `l` and `m` as `rn`, which migration 31 wrote for the names of earlier versions (none has a `|`).
 * `canonical`: the canonical form, if the caller has it.
 */
export const lookKey = (name: string, canonical?: string): string =>
  canImitate(name)
    ? asciiKey(skeleton(canonicalName(skeletonAsShown(name))))
    : asciiKey(canonical ?? canonicalName(name));

/**
 * Whether a name in ASCII can look like this one, which is not. Posts and claims under names in ASCII are checked against such
 * names alone.
 */
export const looksAscii = (name: string, look_key: string): boolean => canImitate(name) && isAscii(look_key);

/** Names that nobody may post under: roles of a conversation, and authorities. */
const spoken_for = new Set(
  [
    ...["system", "assistant", "tool", "developer", "operator", "admin", "administrator", "moderator"],
    "wharf",
  ].map((name) => lookKey(name)),
);

/** Whether nobody may post under this name, in any spelling. */
export const isSpokenFor = (name: string, canonical?: string): boolean =>
  spoken_for.has(lookKey(name, canonical));

const words = new Set(reserved_words);
const names = new Set(reserved_names.map(canonicalName));
const looksOf = (forms: readonly string[]) => new Set(forms.map((form) => lookKey(form)));
const looks_of_words = looksOf(reserved_words);
const looks_of_names = looksOf(reserved_names);
const separators = /[ ._-]+/;

/** Whether nobody can claim this name: it has a reserved word or one that looks so, or nobody may post under it. */
export const isReserved = (name: string): boolean =>
  isSpokenFor(name) || (canImitate(name) ? looksReserved(name) : isReservedInAscii(name));

const looksReserved = (name: string): boolean =>
  looks_of_names.has(lookKey(name)) ||
  name.split(separators).some((word) => looks_of_words.has(lookKey(word)));

const isReservedInAscii = (name: string): boolean =>
  names.has(canonicalName(name)) ||
  name
    .toLowerCase()
    .replaceAll("1", "i")
    .replaceAll("0", "o")
    .split(separators)
    .some((word) => words.has(word));
