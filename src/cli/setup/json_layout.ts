/** How a JSON file is laid out, so that what is added looks like the rest: line ends, indentation, commas, comments. */

import type { Node } from "jsonc-parser";

export interface Layout {
  eol: string;
  /** The indentation of one level. */
  unit: string;
}

export function layoutOf(text: string, root: Node | undefined): Layout {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const first = root?.children?.[0];
  const unit = first && beginsLine(text, first.offset) ? indentationAt(text, first.offset) : "";
  return { eol, unit: unit.slice(root ? indentationAt(text, root.offset).length : 0) || "  " };
}

const lineBegin = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;

/** The white space at the beginning of the line of `offset`. */
export const indentationAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineBegin(text, offset), offset))![0];

/** Whether nothing but white space is before it in its line. */
export const beginsLine = (text: string, offset: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineBegin(text, offset), offset));

/** Where the white space before `offset` begins: with the line end before it if it begins its line. */
export function spaceBefore(text: string, offset: number): number {
  if (!beginsLine(text, offset)) return /[,/] $/.test(text.slice(0, offset)) ? offset - 1 : offset;
  const begin = lineBegin(text, offset);
  return begin - (text.slice(0, begin).endsWith("\r\n") ? 2 : begin > 0 ? 1 : 0);
}

/** The offset after white space and comments. */
function afterTrivia(text: string, offset: number): number {
  const trivia = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = offset;
  return offset + trivia.exec(text)![0].length;
}

/** The offset after the comments in the same line. */
export function afterCommentsOfLine(text: string, offset: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\n\r]*|\/\*(?:(?!\*\/)[^\n\r])*\*\/))*/y;
  comments.lastIndex = offset;
  return offset + comments.exec(text)![0].length;
}

/** The offset after the last comment between two offsets; the first of them if there is none. */
export function afterLastComment(text: string, from: number, to: number): number {
  const comment = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
  let last = from;
  for (const { index, 0: found } of text.slice(from, to).matchAll(comment))
    last = from + index + found.length;
  return last;
}

/** The comma that follows, after white space and comments; -1 if something else does. */
export function commaAfter(text: string, offset: number): number {
  const next = afterTrivia(text, offset);
  return text[next] === "," ? next : -1;
}

export const endsLine = (text: string, offset: number): boolean =>
  /^[ \t]*(?:[\r\n]|$)/.test(text.slice(offset));
