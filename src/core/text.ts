/** What counts as text here: valid Unicode without NUL, measured in code points, kept byte for byte. */

/** The number of Unicode code points in `text`. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count++) i += text.codePointAt(i)! > 0xffff ? 2 : 1;
  return count;
}

/** The first `count` code points of `text`. */
export const firstCodePoints = (text: string, count: number): string =>
  Array.from(text).slice(0, count).join("");

/** Whether `text` can be stored and given back byte for byte: no lone surrogate, no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * Characters that make a text look like another one, or a terminal obey: C0 and C1 controls but tab, line feed, form feed and
 * a carriage return before a line feed; embeddings and overrides of direction (UAX 9); tag characters.
 */
const deceptive =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]|\r(?!\n)/u;
/** The flag of a subdivision: a black flag, three to six tags that name it, and the end (UTS 51, ED-14a). */
const tag_flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;

/** Deceptive characters, and whole flags, whose tags are none. */
const flag_or_deceptive = new RegExp(`${tag_flag.source}|${deceptive.source}`, "gu");
const isFlag = (match: string): boolean => codePoints(match) > 1;

/** Where `text` holds deceptive characters: the first `count_max` places, counted in code points from 0. */
export function deceptivePlaces(text: string, count_max: number): number[] {
  if (!deceptive.test(text)) return [];
  const places: number[] = [];
  let [unit, code_point] = [0, 0];
  for (const { 0: match, index } of text.matchAll(flag_or_deceptive)) {
    if (isFlag(match)) continue;
    if (places.length === count_max) break;
    code_point += codePoints(text.slice(unit, index));
    unit = index;
    places.push(code_point);
  }
  return places;
}

/** `text` with each deceptive character as `[U+001B]`: for texts that were stored before these were refused. */
export const revealDeceptive = (text: string): string =>
  deceptive.test(text)
    ? text.replace(flag_or_deceptive, (match) => (isFlag(match) ? match : codePointName(match)))
    : text;

/** A character by its number: `[U+001B]`. */
export const codePointName = (char: string): string =>
  `[U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;

/** The words of a search: runs of letters, marks and digits. Nothing else in it means anything. */
export const searchTerms = (query: string): string[] => query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

// Symbols that show nothing: a blank braille pattern, a note without a head, and what stands for something else.
const speaker_chars = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/**
 * Why `name` is not one that a person could have typed, or null when it is: letters, marks, digits, punctuation,
 * symbols and single inner spaces in Unicode normalisation form C; no control, format, bidi or zero-width characters.
 */
export function speakerNameFault(name: string): string | null {
  if (name !== name.normalize("NFC")) return "must be in Unicode normalisation form C (NFC)";
  if (name.startsWith(" ") || name.endsWith(" ") || name.includes("  ")) {
    return "may hold only single spaces, and none at its ends";
  }
  // The emoji presentation selector is part of many typed emoji, and invisible anywhere else.
  const plain = name.replace(/(?<=\p{Extended_Pictographic})\uFE0F/gu, "");
  if (
    !speaker_chars.test(plain) ||
    /[\u2800\u{1d159}\ufffc\ufffd]/u.test(plain) ||
    /\p{Default_Ignorable_Code_Point}/u.test(plain)
  ) {
    return "may hold letters, marks, digits, punctuation, symbols and single spaces, and no invisible characters";
  }
  return null;
}

/** Why nobody can claim `name` by the characters that it holds, or null when it is fine: its holder can then speak under it. */
export const claimNameFault = (name: string): string | null =>
  /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/.test(name)
    ? speakerNameFault(name)
    : "may hold ASCII letters, digits, space, dot, dash and underscore, and begins and ends with a letter or digit";

/** Control characters other than tab and line feed as their visible pictures (U+2400 and on), for XML and for lines. */
export const visibleControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });

/**
 * `value` as JSON in one line. U+0085, U+2028 and U+2029 are escaped, too: JSON leaves them as they are, and some readers
 * take them for the end of a line (Python: str.splitlines).
 */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
