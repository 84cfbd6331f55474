/** Strangers' text on a page: what is invisible is made visible, nothing is dropped. */

const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** `text` with invisible and direction-changing characters as `[U+202E]`; line feeds and tabs stay. */
export const revealed = (text: string): string =>
  text.replace(invisible, (char) => {
    if (char === "\n" || char === "\t" || char === "\ufe0f") return char;
    return `[U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;
  });

/** `1 post`, `2 posts`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** `text` for an attribute: the JSX runtime escapes the quotes of attributes and nothing else. */
export const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A claimed name as the last part of an address, where the ending `.md` asks for markdown: any separator is the same. */
export const nameInAddress = (name: string): string => encodeURIComponent(name.replace(/\.md$/, "-md"));
