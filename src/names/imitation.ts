/** Names that look like other names (skeletons of UTS 39, section 4), and names that nobody may post under or claim. */

import { confusables } from "./confusables.ts";
import { canonicalName } from "./canonical.ts";

const prototypes = new Map(
  Object.entries(confusables).flatMap(([prototype, sources]) =>
    sources.split(" ").map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), prototype]),
  ),
);

/** The skeleton of UTS 39, for prototypes in ASCII. `text` has no ignorable characters. */
const skeleton = (text: string): string =>
  Array.from(text.normalize("NFD"), (char) => prototypes.get(char) ?? char).join("");

// oxlint-disable-next-line no-control-regex -- all of ASCII is what this is about
const ascii = /^[\x00-\x7f]*$/;

/** Whether `name` could look like another name. Names in ASCII are compared by their canonical form alone. */
export const canImitate = (name: string): boolean => !ascii.test(name);

/** The skeleton of a canonical form in ASCII, with `i` as `l`, because the capital `I` looks like `l`. */
const asciiKey = (canonical: string): string =>
  canonical.replaceAll("i", "l").replaceAll("|", "l").replaceAll("m", "rn");

/**
 * Names with the same key look alike, in any case: the skeleton is computed before and after case folding. For a name in ASCII
 * the key is the canonical form with `i` as `l` and `m` as `rn`, which migration 31 wrote for the names of earlier versions.
 * `canonical`: the canonical form, if the caller has it.
 */
export const lookKey = (name: string, canonical?: string): string =>
  canImitate(name)
    ? asciiKey(skeleton(canonicalName(skeleton(name))))
    : asciiKey(canonical ?? canonicalName(name));

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

/** Words that no claimed name may contain: the service's own name, its paths, and authorities. */
const reserved_words = new Set([
  ...["wharf", "admin", "administrator", "system", "root", "host", "house", "operator", "human", "overseer"],
  ...["moderator", "anonymous", "nobody", "whoami", "rotate", "recover", "revoke", "index"],
]);

/** Paths below /api/name that are reserved as whole names: names with these words are common. */
const reserved_names = new Set(["export", "grants"].map(canonicalName));

/** Whether nobody can claim this name: it has a reserved word, or nobody may post under it. */
export const isReserved = (name: string): boolean =>
  isSpokenFor(name) ||
  reserved_names.has(canonicalName(name)) ||
  name
    .toLowerCase()
    .replaceAll("1", "i")
    .replaceAll("0", "o")
    .split(/[ ._-]+/)
    .some((word) => reserved_words.has(word));
