/** Rules for texts: valid Unicode without NUL, measured in code points, stored byte for byte. */

/** The number of Unicode code points in `text`. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; count++) i += text.codePointAt(i)! > 0xffff ? 2 : 1;
  return count;
}

/** The first `count` code points of `text`. */
const firstCodePoints = (text: string, count: number): string => Array.from(text).slice(0, count).join("");

/** The first `chars_max` code points of a longer text, cut between words if possible, with … at the end. */
export function cutAtWord(text: string, chars_max: number): string {
  if (codePoints(text) <= chars_max) return text;
  const begin = firstCodePoints(text, chars_max - 1);
  const cut = /^[^]*\S(?=\s+\S*$)/u.exec(begin)?.[0];
  return `${cut ?? begin}…`;
}

/** A text without line breaks: each run of white space is a space. */
export const oneLine = (text: string): string => text.trim().replace(/\s{2,}|[^\S ]/g, " ");

/**
 * At most `chars_max` code points of `text` around the index `at`, cut between words if possible, with … wherever something is left
 * out. A quarter of them stands before `at`, more near the end.
 */
export function cutAround(text: string, at: number, chars_max: number): string {
  // A text has no more code points than UTF-16 units.
  if (text.length <= chars_max) return text;
  const earliest = Math.min(at - Math.floor(chars_max / 4), text.length - chars_max + 1);
  if (earliest <= 0) return cutAtWord(text.slice(0, 2 * chars_max + 2), chars_max);
  const space = text.slice(earliest - 1, at).search(/\s\S/);
  const begin = space === -1 ? earliest : earliest + space;
  const rest = text.slice(begin, begin + 2 * chars_max).replace(/^[\udc00-\udfff]/, "");
  return `…${cutAtWord(rest, chars_max - 1)}`;
}

/** Whether `text` can be stored and returned byte for byte: it has no lone surrogate and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * Characters that make a text look like another one, or that control a terminal: C0 and C1 controls except tab, line feed,
 * form feed and a carriage return before a line feed; embeddings and overrides of direction (UAX 9); tag characters.
 */
const deceptive =
  // oxlint-disable-next-line no-control-regex -- finds control characters
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]|\r(?!\n)/u;
/** The flag of a subdivision: a black flag, three to six tag characters, and the end tag (UTS 51, ED-14a). */
const tag_flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;

/** Deceptive characters, and whole flags, whose tag characters are allowed. */
const flag_or_deceptive = new RegExp(`${tag_flag.source}|${deceptive.source}`, "gu");
const isFlag = (match: string): boolean => codePoints(match) > 1;

/** The positions of the first `count_max` deceptive characters in `text`, in code points from 0. */
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

/** A bracket that begins what looks like the name of a code point. */
const named_code_point = /\[(?=U\+[0-9A-F]{4,6}\])/;
const revealed = new RegExp(`${deceptive.source}|${named_code_point.source}`, "u");
const flag_or_revealed = new RegExp(`${flag_or_deceptive.source}|${named_code_point.source}`, "gu");

/**
 * `text` with each deceptive character as `[U+001B]`: locker values and texts from earlier releases may have some. A bracket
 * that begins such a name in `text` itself becomes `[U+005B]`, so replacing each name by its character restores the text.
 */
export const revealDeceptive = (text: string): string =>
  revealed.test(text)
    ? text.replace(flag_or_revealed, (match) => (isFlag(match) ? match : codePointName(match)))
    : text;

/** The code point of a character as `[U+001B]`. */
const codePointName = (char: string): string =>
  `[U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;

/** More marks in a row than a name has characters. The halfwidth voicing marks of Japanese are letters that become marks. */
const heap = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{101}/u;

/**
 * The text in a normal form. A text with more than 100 marks in a row stays as it is: normalising sorts them, which takes the square of their
 * number, two seconds for 64,000.
 */
export const normalForm = (text: string, form: "NFC" | "NFKC"): string =>
  heap.test(text) ? text : text.normalize(form);

const search_words = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a search query: runs of letters, marks and digits. Ignores all other characters. */
export const searchTerms = (query: string): string[] => query.match(search_words) ?? [];

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7f]*$/;

const marks = /\p{M}+/gu;

/**
 * A word as the indexes have it (unicode61, remove_diacritics 2): in lower case, without marks. Those that stand alone go before it is
 * decomposed, which sorts marks: that takes the square of their number.
 */
export const plainWord = (term: string): string =>
  (ascii.test(term) ? term : term.replace(marks, "").normalize("NFD").replace(marks, "")).toLowerCase();

/** Finds these words alone in a text of ASCII: much faster than looking at all of its words. */
const asciiWords = (words: string[]) =>
  new RegExp(
    `(?<![a-z0-9])(?:${words.filter((word) => ascii.test(word)).join("|") || "(?!)"})(?![a-z0-9])`,
    "gi",
  );

/**
 * Makes excerpts for a search: at most `chars_max` code points of a text in one line, around the first place that has the most of these
 * terms. The beginning of a text that has none of them as they are, for example only their parts.
 */
export function excerptsAround(terms: readonly string[], chars_max: number): (text: string) => string {
  const wanted = new Set(terms.map(plainWord));
  const wanted_in_ascii = asciiWords([...wanted]);
  // So many characters after the first of the words are in the excerpt in any case.
  const span = Math.floor(chars_max / 2);
  return (text) => {
    const line = oneLine(text);
    let best = { at: 0, count: 0 };
    const places: { at: number; word: string }[] = [];
    // The places from this one on are in the span that ends here, with so many of each word.
    let first = 0;
    const near = new Map<string, number>();
    for (const { 0: term, index: at } of line.matchAll(ascii.test(line) ? wanted_in_ascii : search_words)) {
      const word = plainWord(term);
      if (!wanted.has(word)) continue;
      places.push({ at, word });
      near.set(word, (near.get(word) ?? 0) + 1);
      for (; places[first]!.at < at - span; first++) {
        const left = near.get(places[first]!.word)! - 1;
        if (left > 0) near.set(places[first]!.word, left);
        else near.delete(places[first]!.word);
      }
      if (near.size > best.count) best = { at: places[first]!.at, count: near.size };
      if (near.size === wanted.size) break;
    }
    return cutAround(line, best.at, chars_max);
  };
}

interface TextPart {
  text: string;
  is_found: boolean;
}

/** Splits texts into parts, in order: the words that a search for `query` finds, and what is between them. */
export function partsFor(query: string): (text: string) => TextPart[] {
  const wanted = new Set(searchTerms(query).map(plainWord));
  return (text) => {
    const parts: TextPart[] = [];
    let end = 0;
    for (const { 0: word, index } of text.matchAll(search_words)) {
      if (!wanted.has(plainWord(word))) continue;
      parts.push({ text: text.slice(end, index), is_found: false }, { text: word, is_found: true });
      end = index + word.length;
    }
    return [...parts, { text: text.slice(end), is_found: false }];
  };
}

const speaker_chars = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/**
 * Why `name` is not valid, or null. It may have letters, marks, digits, punctuation, symbols and single inner spaces in
 * Unicode normalisation form C, but no control, format, bidi or zero-width characters.
 */
export function speakerNameFault(name: string): string | null {
  if (name !== normalForm(name, "NFC")) return "must be in Unicode normalisation form C (NFC)";
  if (name.startsWith(" ") || name.endsWith(" ") || name.includes("  ")) {
    return "may hold only single spaces, and none at its ends";
  }
  // The emoji presentation selector belongs to many emoji and is invisible elsewhere.
  const plain = name.replace(/(?<=\p{Extended_Pictographic})\uFE0F/gu, "");
  if (
    !speaker_chars.test(plain) ||
    // Symbols that show nothing or stand for something else.
    /[\u2800\u{1d159}\ufffc\ufffd]/u.test(plain) ||
    /\p{Default_Ignorable_Code_Point}/u.test(plain)
  ) {
    return "may hold letters, marks, digits, punctuation, symbols and single spaces, and no invisible characters";
  }
  return null;
}

/** Replaces control characters except tab and line feed by their pictures (U+2400 and following), for XML. */
export const visibleControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- finds control characters
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });

/**
 * `value` as JSON in one line. Escapes U+0085, U+2028 and U+2029, too, because some readers treat them as the end of a line
 * (Python: str.splitlines).
 */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
