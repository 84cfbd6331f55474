/** Text helpers for pages, above all for text from strangers. */

import type { PartsOf } from "../src/api/pages.ts";

const invisible = "[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]";

/** Letters of scripts whose spelling needs joiners: cursive scripts, such as Arabic, and the scripts of India and its neighbours. */
const joining = `[${[
  ...["Arab", "Syrc", "Nkoo", "Mong", "Adlm"].map((script) => `\\p{scx=${script}}`),
  ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr"].map(
    (script) => `\\p{scx=${script}}`,
  ),
].join("")}]`;
const joining_letter = `[${joining}&&[\\p{L}\\p{M}]]`;

/**
 * The first group has what remains as it is:
 * - emoji with invisible parts: the sequences of UTS #51 that are recommended for general interchange (joined, flags, skin
 *   tones, keycaps, tags), and a picture with the selector of its style;
 * - a joiner or non-joiner after a letter that needs it (UAX #31, section 2.3, without its exact contexts);
 * - line feeds and tabs.
 */
const hidden = new RegExp(
  `(\\p{RGI_Emoji}|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]|` +
    `(?<=${joining_letter})(?:\\u200c(?=${joining_letter})|\\u200d(?![\\u200c\\u200d]))|[\\n\\t])|${invisible}`,
  "gv",
);
const has_invisible = new RegExp(invisible, "v");

function reveal(text: string, mark: (code: string) => string): string {
  if (!has_invisible.test(text)) return text;
  return text.replace(
    hidden,
    (part, shown?: string) =>
      shown ?? mark(`U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`),
  );
}

/** Replaces invisible and direction-changing characters by `[U+202E]` and the like. Emoji and joined letters stay. */
export const revealed = (text: string): string => reveal(text, (code) => `[${code}]`);

/** The text as HTML, escaped, with marks in place of invisible characters. */
export const revealedHtml = (text: string): string =>
  reveal(Bun.escapeHTML(text), (code) => `<span class="invisible">${code}</span>`).replaceAll(
    '</span><span class="invisible">',
    " ",
  );

/** Makes texts of strangers HTML, escaped and revealed, with marks around the words that a search has found. */
export function markedBy(partsOf: PartsOf = (text) => [{ text, is_found: false }]): (text: string) => string {
  return (text) =>
    partsOf(revealed(text))
      .map((part) =>
        part.is_found ? `<mark>${Bun.escapeHTML(part.text)}</mark>` : Bun.escapeHTML(part.text),
      )
      .join("");
}

/** The line below the head of a table, and what is between two cells of one. */
const below_head = /\|(?:\s*:?-{3,}:?\s*\|)+/;
const between_cells = /\s*\|[\s|]*/g;

/** A quote or an excerpt without the marks of Markdown that are only noise in it. Its lines may be joined. */
export function withoutMarks(text: string): string {
  const is_table = text.includes("|") && below_head.test(text);
  const cells = is_table ? text.replace(below_head, "|").replace(between_cells, " · ") : text;
  return cells.replace(
    /\*\*|`{3,}[\w+-]*[ \n]?|`+|^(?:#+|>|[-*]) |<(?=https?:)|(?<=https?:[^\s<>]*)>/gmu,
    "",
  );
}

/** `1 post`, `2 posts`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Escapes `text` for an attribute. The JSX runtime escapes only the quotes of attributes. */
export const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A claimed name as the last part of a path. Avoids the ending `.md`, which means markdown: separators are equivalent. */
export const nameInAddress = (name: string): string => encodeURIComponent(name.replace(/\.md$/, "-md"));

/** Says which days are not issued, and why. */
export const notIssuedLine = ({ first, last }: { first: string; last: string }): string =>
  `Not issued: ${first === last ? first : `${first} to ${last}`}. This instance was restored or copied, and the original may have published them.`;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day of an ISO time: `1 Mar 2026`. */
export const day = (at: string): string =>
  `${Number(at.slice(8, 10))} ${months[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}`;

/** A readable time from an ISO time: `1 Mar 2026, 12:00 UTC`. */
export const shortTime = (at: string): string => `${day(at)}, ${at.slice(11, 16)} UTC`;

/** The time of day from an ISO time: `12:00 UTC`, with its seconds unless they are zero. */
export const clockTime = (at: string): string => `${at.slice(11, at.slice(17, 19) === "00" ? 16 : 19)} UTC`;

/** What reaches the agent of a name, by the way that is reported. */
export const reaching_programs = {
  channel: "wharf mcp --channel",
  watch: "wharf watch",
  webhook: "webhook",
} as const;
