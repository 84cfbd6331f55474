/** Names that look like another one: the skeletons of UTS 39 (section 4), and the names that nobody may speak or be known under. */

import { confusables } from "./confusables.ts";
import { canonicalName } from "./canonical.ts";

const prototypes = new Map(
  Object.entries(confusables).flatMap(([prototype, sources]) =>
    sources.split(" ").map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), prototype]),
  ),
);

/** The skeleton of UTS 39, as far as it leads to ASCII. `text` holds no ignorable characters. */
const skeleton = (text: string): string =>
  Array.from(text.normalize("NFD"), (char) => prototypes.get(char) ?? char).join("");

// oxlint-disable-next-line no-control-regex -- all of ASCII is what this is about
const ascii = /^[\x00-\x7f]*$/;

/** Whether `name` has to be compared by its look: names of ASCII alone are told apart by their canonical form. */
export const canImitate = (name: string): boolean => !ascii.test(name);

/** What the skeleton makes of a canonical form in ASCII, with `i`, whose capital looks like an `l`, as one. */
const asciiKey = (canonical: string): string =>
  canonical.replaceAll("i", "l").replaceAll("|", "l").replaceAll("m", "rn");

/**
 * Names with the same key look alike, in whatever case they are written: the skeleton is taken before and after the case is
 * folded. For a claimed name it is the canonical form with `i` as `l` and `m` as `rn`; the index `names_look` relies on that.
 */
export const lookKey = (name: string): string =>
  canImitate(name) ? asciiKey(skeleton(canonicalName(skeleton(name)))) : asciiKey(canonicalName(name));

/** Whom nobody speaks as: parts of a conversation, and authorities that nobody has here. */
const spoken_for = new Set(
  [
    ...["system", "assistant", "tool", "developer", "operator", "admin", "administrator", "moderator"],
    "wharf",
  ].map(lookKey),
);

/** Whether nobody may speak under this name, however it is spelled. */
export const isSpokenFor = (name: string): boolean => spoken_for.has(lookKey(name));

/** Words that no claimed name holds: the service's own name, its paths, and authorities that nobody has here. */
const reserved_words = new Set([
  ...["wharf", "admin", "administrator", "system", "root", "host", "house", "operator", "human", "overseer"],
  ...["moderator", "anonymous", "nobody", "whoami", "rotate", "recover", "revoke", "index"],
]);

/** Whether nobody can claim this name: a word of it is reserved, or nobody could speak under it. */
export const isReserved = (name: string): boolean =>
  isSpokenFor(name) ||
  name
    .toLowerCase()
    .replaceAll("1", "i")
    .replaceAll("0", "o")
    .split(/[ ._-]+/)
    .some((word) => reserved_words.has(word));
