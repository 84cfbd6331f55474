/** A table at the end of a TOML file. Everything else in the file stays as it is: comments, order, layout. */

import { messageOf } from "../../core/log.ts";
import type { Added, Removed } from "./json_edit.ts";
import { faultAt, isSame, JsonFault, placeName } from "./json_text.ts";

export interface Table {
  kind: "table";
  at: string[];
  value: Record<string, string | string[]>;
}

/** Throws a `JsonFault` if the text is no TOML, or if something else has the place of the table. */
export function addTable(text: string, table: Table): Added {
  const { at, value } = table;
  const entry = entryIn(text, at);
  if (isSame(entry, value)) return { text, lines: null, found: at.length, comma: false };
  const place = placeName(at);
  if (entry !== undefined)
    throw faultAt(text, text.indexOf(at.at(-1)!), `has another ${place}, which setup does not replace`);
  const lines = linesOf(table);
  const eol = eolOf(text);
  const space = text === "" ? "" : /[\r\n]$/.test(text) ? eol : eol + eol;
  const next = `${text}${space}${lines.join(eol)}${eol}`;
  if (parsed(next).fault !== undefined || !isSame(entryIn(next, at), value))
    throw new JsonFault(1, `has no place for a table ${place}`);
  return { text: next, lines, found: 0, comma: false };
}

/** Takes a table out, and the empty line before it. Throws a `JsonFault` if the text is no TOML. */
export function removeTable(text: string, table: Table): Removed {
  const entry = entryIn(text, table.at);
  if (entry === undefined) return { text, was: "absent" };
  const eol = eolOf(text);
  const block = linesOf(table).join(eol);
  const begin = text.indexOf(block);
  // A table below it, such as one that the program has added, would be left without it.
  if (begin < 0 || !isSame(entry, table.value)) return { text, was: "changed" };
  const before = text.slice(0, begin).endsWith(eol + eol) ? begin - eol.length : begin;
  const end = begin + block.length;
  const rest = text.slice(text.startsWith(eol, end) ? end + eol.length : end);
  return { text: text.slice(0, before) + rest, was: "there" };
}

/** What a TOML file has at a place, as plain data. Throws a `JsonFault`. */
function entryIn(text: string, at: readonly string[]): unknown {
  const { value, fault } = parsed(text);
  if (fault !== undefined) throw new JsonFault(faultyLine(text), `is no TOML (${fault})`);
  return at.reduce<unknown>((one, name) => (one as Record<string, unknown> | undefined)?.[name], value);
}

function parsed(text: string): { value: unknown; fault?: string } {
  try {
    return { value: Bun.TOML.parse(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    return { value: undefined, fault: messageOf(error) };
  }
}

/** The line of the first statement that is no TOML, from 1. The parser does not say it. */
function faultyLine(text: string): number {
  const lines = text.split("\n");
  for (let count = lines.length - 1; count > 0; count--)
    if (parsed(lines.slice(0, count).join("\n")).fault === undefined) return count + 1;
  return 1;
}

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Strings of TOML have the escapes of JSON, and one for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
const keyOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : quoted(name));
const written = (value: string | string[]): string =>
  typeof value === "string" ? quoted(value) : `[${value.map(quoted).join(", ")}]`;

const linesOf = ({ at, value }: Table): string[] => [
  `[${at.map(keyOf).join(".")}]`,
  ...Object.entries(value).map(([name, one]) => `${keyOf(name)} = ${written(one)}`),
];
