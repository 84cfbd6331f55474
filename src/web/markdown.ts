/** Fences callers' text inside markdown, so that an agent sees where it begins and ends. */

import { sha256Hex } from "../core/secrets.ts";
import { revealDeceptive, visibleControls } from "../core/text.ts";
import { systemRandom } from "../core/random.ts";

// New in each process, so that the author of a text cannot predict its mark.
const fence_secret = systemRandom.bytes(16).toHex();

/**
 * The mark around `text`, the same at each reading. It depends on the text, so a text cannot contain its own mark, even
 * if its author has seen the marks of other texts.
 */
export const fenceMark = (id: string, text: string): string =>
  sha256Hex(`${fence_secret} ${id} ${text}`).slice(0, 16);

/** A caller's text in a fence, with deceptive characters made visible. */
export const fenced = (text: string, id: string): string =>
  fencedAsIs(revealDeceptive(text), id, "stranger's text");

/** `text` between two lines with the same mark, in a code fence longer than any in the text. `what` describes the text. */
export function fencedAsIs(text: string, id: string, what: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const mark = fenceMark(id, text);
  return [fence, `begin ${what} ${mark}`, text, `end ${what} ${mark}`, fence].join("\n");
}

/** Escapes a name for use within a line. An underscore inside a word is no markup (CommonMark, section 6.2). */
export const inline = (text: string): string =>
  visibleControls(revealDeceptive(text)).replace(
    /[\\`*{}[\]<>#|~!()]|(?<![A-Za-z0-9]_*)_|_(?!_*[A-Za-z0-9])/g,
    (char) => `\\${char}`,
  );

/** Lines that say how far a search index had come; empty for a list. */
export const searchedLines = ({ indexed_through }: { indexed_through?: string }): string[] =>
  indexed_through ? [`Searched what was accepted before ${indexed_through}`, ""] : [];
