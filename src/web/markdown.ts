/** Strangers' text inside markdown: fenced off, so that an agent that reads it sees where it begins and ends. */

import { sha256Hex } from "../core/secrets.ts";
import { revealDeceptive, visibleControls } from "../core/text.ts";
import { systemRandom } from "../core/random.ts";

// Drawn once a process: whoever writes a text cannot know the mark that will stand around it.
const fence_secret = systemRandom.bytes(16).toHex();

/**
 * The mark around `text`, the one of `id`: the same at each reading. It hangs on the text too, so nobody can write a text
 * that holds its own mark, whatever marks of other texts were shown before: whoever asks can choose what is fenced.
 */
export const fenceMark = (id: string, text: string): string =>
  sha256Hex(`${fence_secret} ${id} ${text}`).slice(0, 16);

/** A stranger's text in a fence, with what could deceive its reader made visible. */
export const fenced = (text: string, id: string): string =>
  fencedAsIs(revealDeceptive(text), id, "stranger's text");

/** `text` between two lines that name the same mark, in a code fence longer than any in the text. `what` it is. */
export function fencedAsIs(text: string, id: string, what: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const mark = fenceMark(id, text);
  return [fence, `begin ${what} ${mark}`, text, `end ${what} ${mark}`, fence].join("\n");
}

/** A name within a line: no line breaks, no markup. An underscore inside a word is none (CommonMark, section 6.2). */
export const inline = (text: string): string =>
  visibleControls(revealDeceptive(text)).replace(
    /[\\`*{}[\]<>#|~!()]|(?<![A-Za-z0-9]_*)_|_(?!_*[A-Za-z0-9])/g,
    (char) => `\\${char}`,
  );

/** How far the index of a search had come, as lines; none for a list. */
export const searchedLines = ({ indexed_through }: { indexed_through?: string }): string[] =>
  indexed_through ? [`Searched what was accepted before ${indexed_through}`, ""] : [];
