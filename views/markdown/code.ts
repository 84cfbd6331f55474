/**
 * Colours code. The stream parsers of CodeMirror cut one line after the other into tokens, without looking at other lines, so
 * the work grows with the length of the text and not faster (docs/adr/0009-code.md). Import it at the first use only.
 */

import { StringStream, type StreamParser } from "@codemirror/streamparser";
import { revealedHtml } from "../text.ts";
import { languages } from "./languages.ts";

/** Tokens of one text that are coloured; what follows is shown without colours. */
const tokens_max = 2_000;
/** A longer line is shown without colours. */
const line_chars_max = 500;
/** A parser may return so many tokens without text one after the other; then the rest has no colours. */
const empty_tokens_max = 10;

/** What a text may still cost: its blocks of code share it. */
export type Budget = { tokens: number };
export const budgetOfText = (): Budget => ({ tokens: tokens_max });

/** The class of a token by the name that the parser gives to it. Other tokens have the colour of the text. */
const classes: Record<string, string> = {
  keyword: "k",
  "string property": "d",
  string: "s",
  comment: "c",
  number: "n",
  atom: "n",
  bool: "n",
  def: "d",
  property: "d",
  tag: "d",
  header: "d",
  macroName: "d",
  type: "t",
  builtin: "t",
  qualifier: "t",
  attribute: "t",
  meta: "t",
  inserted: "ins",
  deleted: "del",
};

/** All of them. The style sheet gives each its colour. */
export const token_classes = [...new Set(Object.values(classes))];

/** Parsers return undefined, too, although their type does not say so. */
const classOf = (token: string | null | undefined): string =>
  token ? (classes[token] ?? classes[token.split(/[ .]/, 1)[0]!] ?? "") : "";

/** A character that belongs to the one before it: the second half of a pair, a mark, a joiner. */
const joined = /[\p{M}\p{Cf}]|[\udc00-\udfff]/u;
const isCut = (line: string, at: number): boolean =>
  !joined.test(line.charAt(at)) && line.charAt(at - 1) !== "\u200d";

/** Code in `language` as escaped HTML with spans; null if the language is not known. */
export function highlighted(text: string, language: string, budget: Budget): string | null {
  const parser = languages.get(language.toLowerCase());
  return parser ? withColours(text, parser, budget) : null;
}

function withColours(text: string, parser: StreamParser<unknown>, budget: Budget): string {
  const state = parser.startState?.(2) ?? {};
  const lines = text.split("\n");
  const html: string[] = [];
  for (const line of lines) {
    if (line === "") parser.blankLine?.(state, 2);
    const coloured = line.length <= line_chars_max && lineHtml(line, parser, state, budget);
    html.push(coloured === false ? revealedHtml(line) : coloured);
  }
  return html.join("\n");
}

/** A line with spans; false if it is not coloured. */
function lineHtml(line: string, parser: StreamParser<unknown>, state: unknown, budget: Budget) {
  const stream = new StringStream(line, 4, 2);
  let html = "";
  let [from, kind, empty] = [0, "", 0];
  const close = (to: number) => {
    const shown = revealedHtml(line.slice(from, to));
    html += kind === "" || shown === "" ? shown : `<span class="${kind}">${shown}</span>`;
    from = to;
  };
  while (!stream.eol()) {
    if (budget.tokens <= 0 || empty > empty_tokens_max) return false;
    budget.tokens--;
    stream.start = stream.pos;
    const next = classOf(parser.token(stream, state));
    if (stream.pos <= stream.start) {
      empty++;
      continue;
    }
    empty = 0;
    if (next === kind || !isCut(line, stream.start)) continue;
    close(stream.start);
    kind = next;
  }
  close(line.length);
  return html;
}
