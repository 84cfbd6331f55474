/**
 * The parser of YAML with another search for keys: the pattern of the mode takes the fourth power of the blanks of a line, half a
 * second for a line of 490.
 */

import type { StreamParser, StringStream } from "@codemirror/streamparser";
import { yaml as mode } from "@codemirror/legacy-modes/mode/yaml";

/** How the pattern for a key ends: before blanks and a colon. */
const end_of_key = String.raw`[^#]*?(?=\s*:($|\s))`;
const colon_after_key = /^[^#]*?:(?=$|\s)/;
/** How a key begins: not with a sign that has a meaning of its own, unless that is followed by something else. */
const beginning_of_key = /^\s*(?:[,[\]{}&*!|>'"%@`][^\s'":]|[^\s,[\]{}#&*!|>'"%@`])/;

/** The key that a text begins with: up to the blanks before its colon. Null if it begins with none. */
function keyIn(text: string): RegExpMatchArray | null {
  const key = colon_after_key.exec(text)?.[0].slice(0, -1).trimEnd();
  return key !== undefined && beginning_of_key.test(key) ? [key] : null;
}

function matchQuickly(stream: StringStream): void {
  const match = stream.match.bind(stream);
  stream.match = (pattern, consume, is_case_insensitive) => {
    if (!(pattern instanceof RegExp && pattern.source.endsWith(end_of_key)))
      return match(pattern, consume, is_case_insensitive);
    const key = keyIn(stream.string.slice(stream.pos));
    if (key) stream.pos += key[0].length;
    return key;
  };
}

export const yaml: StreamParser<unknown> = {
  ...(mode as StreamParser<unknown>),
  token(stream, state) {
    if (!Object.hasOwn(stream, "match")) matchQuickly(stream);
    return mode.token(stream, state as never);
  },
};
