/** Adds entries to JSON files that may have comments, and takes them out again. Every other byte stays as it is. */

import type { Node } from "jsonc-parser";
import {
  afterCommentsOfLine,
  afterLastComment,
  beginsLine,
  commaAfter,
  endsLine,
  indentationAt,
  layoutOf,
  spaceBefore,
  type Layout,
} from "./json_layout.ts";
import { faultAt, isSame, membersAlong, objectIn, placeName, valueOf } from "./json_text.ts";

/** An entry: a member, or an item of an array. */
export interface Entry {
  kind: "member" | "item";
  at: string[];
  value: unknown;
}

export interface Added {
  text: string;
  /** What was added, for a reader; null: it was there already. */
  lines: string[] | null;
  /** How many of the names of `at` led to something before. */
  found: number;
  /** Whether a comma was behind the entry before it, which was the last one. */
  comma: boolean;
}

const bom = "\ufeff";

/** Throws a `JsonFault` if the text is no JSON, or if something else has its place. */
export function addEntry(given: string, entry: Entry): Added {
  const mark = given.startsWith(bom) ? bom : "";
  const added = add(given.slice(mark.length), entry);
  return { ...added, text: mark + added.text };
}

function add(text: string, { kind, at, value }: Entry): Added {
  const root = objectIn(text);
  const members = root ? membersAlong(text, root, at) : [];
  const found = members.length;
  const last = members.at(-1)?.children![1] ?? root;
  const layout = layoutOf(text, root);
  if (found === at.length) {
    if (kind === "member") {
      if (isSame(valueOf(last!), value)) return { text, lines: null, found, comma: false };
      throw faultAt(
        text,
        members.at(-1)!.offset,
        `has another ${placeName(at)}, which setup does not replace`,
      );
    }
    if (last!.type !== "array") throw faultAt(text, last!.offset, `has a ${placeName(at)} that is no array`);
    if (last!.children!.some((item) => isSame(valueOf(item), value)))
      return { text, lines: null, found, comma: false };
    return { ...inserted(text, last!, layout, undefined, value), found };
  }
  if (last && last.type !== "object")
    throw faultAt(text, last.offset, `has a ${placeName(at.slice(0, found))} that is no object`);
  const [name, ...inner] = at.slice(found);
  const nested = inner.reduceRight<unknown>(
    (below, one) => ({ [one]: below }),
    kind === "item" ? [value] : value,
  );
  return {
    ...(last ? inserted(text, last, layout, name, nested) : begun(text, layout, name!, nested)),
    found,
  };
}

/** The lines of an entry, the first without indentation. */
function linesOf(name: string | undefined, value: unknown, unit: string): string[] {
  const lines = JSON.stringify(value, null, unit).split("\n");
  return name === undefined ? lines : [`${JSON.stringify(name)}: ${lines[0]}`, ...lines.slice(1)];
}

/** An object with the entry, behind what a file has that is no JSON yet. */
function begun(text: string, { eol, unit }: Layout, name: string, value: unknown) {
  const lines = linesOf(name, value, unit);
  const object = ["{", ...lines.map((line) => unit + line), "}", ""].join(eol);
  return { text: text + (beginsLine(text, text.length) ? "" : eol) + object, lines, comma: false };
}

/** Inserts an entry at the end of an object or an array. */
function inserted(text: string, into: Node, layout: Layout, name: string | undefined, value: unknown) {
  const lines = linesOf(name, value, layout.unit);
  const inline = `${name === undefined ? "" : `${JSON.stringify(name)}: `}${JSON.stringify(value)}`;
  const { comma, at, before, after, indentation } =
    into.children!.length > 0 ? behindLast(text, into, layout) : intoEmpty(text, into, layout);
  const entry = indentation === null ? inline : lines.join(layout.eol + indentation);
  const whole = text.slice(0, comma ?? at) + (comma === null ? "" : ",") + text.slice(comma ?? at, at);
  return {
    text: whole + before + entry + after + text.slice(at),
    lines,
    comma: into.children!.length > 0 && comma === null,
  };
}

interface Gap {
  /** Where a comma is inserted; null: nowhere. */
  comma: number | null;
  /** Where the entry is inserted, and what is around it. */
  at: number;
  before: string;
  after: string;
  /** The indentation of its lines; null: it is one line within others. */
  indentation: string | null;
}

/** After the last entry, its comma, and the comments in its line. */
function behindLast(text: string, into: Node, { eol, unit }: Layout): Gap {
  const last = into.children!.at(-1)!;
  const end = last.offset + last.length;
  const own_comma = commaAfter(text, end);
  const at = afterCommentsOfLine(text, own_comma < 0 ? end : own_comma + 1);
  const comma = own_comma < 0 ? end : null;
  const has_line = beginsLine(text, last.offset);
  if (!has_line && !endsLine(text, at)) return { comma, at, before: " ", after: "", indentation: null };
  const indentation = indentationAt(text, has_line ? last.offset : into.offset) + (has_line ? "" : unit);
  return { comma, at, before: eol + indentation, after: "", indentation };
}

/** After the comments that are in it. */
function intoEmpty(text: string, into: Node, { eol, unit }: Layout): Gap {
  const [begin, end] = [into.offset + 1, into.offset + into.length - 1];
  const at = afterLastComment(text, begin, end);
  if (at === begin && into.parent && !/[\r\n]/.test(text))
    return { comma: null, at, before: "", after: "", indentation: null };
  const outer = indentationAt(text, into.offset);
  const has_line_end = /[\r\n]/.test(text.slice(at, end));
  const indentation = outer + unit;
  return { comma: null, at, before: eol + indentation, after: has_line_end ? "" : eol + outer, indentation };
}

export interface Removed {
  text: string;
  /** Whether it was there as it was added; `changed`: something else is in its place. */
  was: "there" | "absent" | "changed";
}

/** Takes an entry out, and the objects and arrays around it that were added with it, if they are empty now. Throws a `JsonFault`. */
export function removeEntry(given: string, entry: Entry & Pick<Added, "found" | "comma">): Removed {
  const mark = given.startsWith(bom) ? bom : "";
  const removed = remove(given.slice(mark.length), entry);
  return { ...removed, text: mark + removed.text };
}

function remove(
  text: string,
  { kind, at, value, found, comma }: Entry & Pick<Added, "found" | "comma">,
): Removed {
  const root = objectIn(text);
  const members = root ? membersAlong(text, root, at) : [];
  if (members.length < at.length) return { text, was: "absent" };
  const place = members.at(-1)!.children![1]!;
  let rest: string;
  if (kind === "member") {
    if (!isSame(valueOf(place), value)) return { text, was: "changed" };
    rest = without(text, members.at(-1)!, comma);
  } else {
    const item = place.children?.findLast((one) => isSame(valueOf(one), value));
    if (place.type !== "array" || !item) return { text, was: "absent" };
    rest = without(text, item, comma);
  }
  const around = at.slice(0, kind === "member" ? -1 : undefined);
  return { text: pruned(rest, around, found, comma), was: "there" };
}

/** Takes out the innermost of the members along `at` that is empty, and then the next, down to the `found` outermost ones. */
function pruned(text: string, at: string[], found: number, comma: boolean): string {
  if (at.length <= found) return text;
  const root = objectIn(text)!;
  const member = membersAlong(text, root, at)[at.length - 1];
  const value = member?.children![1];
  if (!value || value.length > 2 || value.children?.length !== 0) return text;
  return pruned(without(text, member!, comma), at.slice(0, -1), found, comma);
}

/** Takes out a member or an item with its comma: the one after it, or if it is the last the one before it, unless that was there. */
function without(text: string, node: Node, had_comma: boolean): string {
  const siblings = node.parent!.children!;
  const index = siblings.indexOf(node);
  const end = node.offset + node.length;
  const previous = siblings[index - 1];
  const begin = spaceBefore(text, node.offset);
  const own_comma = commaAfter(text, end);
  if (own_comma >= 0) return text.slice(0, begin) + text.slice(end, own_comma) + text.slice(own_comma + 1);
  if (!previous) {
    const [before, after] = [text.slice(0, begin), text.slice(end)];
    const [opening, closing] = [/\s*$/.exec(before)!.index, /^\s*/.exec(after)![0].length];
    const is_bare = opening === node.parent!.offset + 1 && /^[}\]]/.test(after.slice(closing));
    return is_bare ? before.slice(0, opening) + after.slice(closing) : before + after;
  }
  if (had_comma) return text.slice(0, begin) + text.slice(end);
  const comma = commaAfter(text, previous.offset + previous.length);
  return text.slice(0, comma) + text.slice(comma + 1, begin) + text.slice(end);
}

/** Whether a text has nothing but what `addEntry` begins a file with. Throws a `JsonFault`. */
export const isBare = (text: string): boolean => /^\ufeff?\s*(?:\{\s*\}\s*)?$/.test(text);
