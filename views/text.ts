/** Text helpers for pages, above all for text from strangers. */

const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Replaces invisible and direction-changing characters by `[U+202E]` and the like; keeps line feeds and tabs. */
export const revealed = (text: string): string =>
  text.replace(invisible, (char) => {
    if (char === "\n" || char === "\t" || char === "\ufe0f") return char;
    return `[U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;
  });

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

/** A readable time from an ISO time: `1 Mar 2026, 12:00 UTC`. */
export const shortTime = (at: string): string =>
  `${Number(at.slice(8, 10))} ${months[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}, ${at.slice(11, 16)} UTC`;

/** The time of day from an ISO time: `12:00 UTC`, with its seconds unless they are zero. */
export const clockTime = (at: string): string => `${at.slice(11, at.slice(17, 19) === "00" ? 16 : 19)} UTC`;
