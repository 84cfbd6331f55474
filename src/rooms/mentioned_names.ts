/** The names that a text mentions: `@`, then letters, marks, digits, dots, dashes and underscores. */

import { codePoints, normalForm } from "../core/text.ts";
import { name_limits, room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

/** Letters of scripts in which a word follows a name without a space: `@はるかさん`, `@하늘이`. */
const joined_scripts = ["Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr"];
const joined = `[\\p{L}&&[${joined_scripts.map((script) => `\\p{scx=${script}}`).join("")}]]`;

/**
 * Up to the end of the word, so that @bobby and @bobé do not mention bob. Before the `@` is no letter, as in an address of mail, but for
 * letters of the joined scripts.
 */
const mention = new RegExp(
  `(?<![[\\p{L}\\p{N}_@.\\-]--${joined}])@([\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}._\\-]*[\\p{L}\\p{M}\\p{N}])?)`,
  "gv",
);
/** Where a name may end within a word: before a letter, if that or the character before it is of a joined script. */
const cut = new RegExp(`(?<=${joined}\\p{M}*)(?=\\p{L})|(?<!^)(?=${joined})`, "gv");
const is_joined = new RegExp(joined, "v");
const ends_joined = new RegExp(`${joined}\\p{M}*$`, "v");

interface MentionedName {
  name: string;
  canonical: string;
}

export interface Mention {
  /** UTF-16 code units before its `@`. */
  index: number;
  /** The names that it may mean, the longest first: the first of them that is claimed, or else the first. */
  names: [MentionedName, ...MentionedName[]];
}

type CanonicalName = (name: string) => string;

/** The mentions of a text. Each may mean names of its own: `@bob` after `@Bob` is none. */
function* eachMention(text: string, canonicalName: CanonicalName): Generator<Mention> {
  // Most texts have no mention, and a search for one character is cheaper than a regular expression.
  if (!text.includes("@")) return;
  const seen = new Set<string>();
  for (const { 1: word, index } of text.matchAll(mention)) {
    const [first, ...shorter] = namesIn(word!).map((name) => ({ name, canonical: canonicalName(name) }));
    if (!first || seen.has(first.canonical)) continue;
    seen.add(first.canonical);
    yield { index, names: [first, ...shorter] };
  }
}

/** The names that a word after `@` may be: the word, and its beginnings that are names before a letter of a joined script. */
function namesIn(written: string): string[] {
  const word = normalForm(written, "NFC");
  const whole = codePoints(word) > name_limits.name_chars_max ? [] : [word];
  if (!is_joined.test(word)) return whole;
  const { cut_name_chars_min, cut_name_chars_max } = room_internal_limits;
  // A code point has at most two UTF-16 units, and a name ends where it can be seen that a letter follows.
  const beginnings = Array.from(word.slice(0, 2 * (cut_name_chars_max + 1)).matchAll(cut), ({ index }) =>
    word.slice(0, index).replace(/[._-]+$/, ""),
  );
  const fits = (name: string) =>
    codePoints(name) >= cut_name_chars_min && codePoints(name) <= cut_name_chars_max;
  return [...whole, ...new Set(beginnings.filter(fits).toReversed())];
}

/** The first mentions of a text: those that a post may notify. */
export function mentionsIn(text: string, canonicalName: CanonicalName): Mention[] {
  const mentions: Mention[] = [];
  for (const one of eachMention(text, canonicalName)) {
    if (mentions.push(one) === room_limits.mentions_per_post_max) break;
  }
  return mentions;
}

/** Where a text may mention the name with this canonical form first, in UTF-16 code units; undefined if it does not. */
export function mentionOf(text: string, canonical: string, canonicalName: CanonicalName): number | undefined {
  for (const { index, names } of eachMention(text, canonicalName))
    if (names.some((one) => one.canonical === canonical)) return index;
  return undefined;
}

/** Whether words may follow the name without a space. */
export const mayBeJoined = (name: string): boolean => ends_joined.test(name);
