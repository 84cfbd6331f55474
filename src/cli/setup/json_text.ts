/** Reads JSON that may have comments and trailing commas, and says in which line it has a fault. */

import { getNodeValue, parseTree, type Node, type ParseError } from "jsonc-parser";

/** User-facing, about a line of a file. Its reader gets the name of the file from the caller. */
export class JsonFault extends Error {
  override name = "JsonFault";

  constructor(
    /** From 1. */
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

export const faultAt = (text: string, offset: number, message: string): JsonFault =>
  new JsonFault(text.slice(0, offset).split(/\r\n|\n|\r/).length, message);

/** The object of the file; undefined if it has nothing but white space and comments. Throws a `JsonFault` if it is anything else. */
export function objectIn(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parsed(text, errors);
  if (errors.length > 0) throw faultAt(text, errors[0]!.offset, "is no JSON");
  if (root && root.type !== "object") throw faultAt(text, root.offset, "is no JSON object");
  return root;
}

function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    throw faultAt(text, 0, "is nested too deeply");
  }
}

/** A member of an object, with its name and its value as children; undefined if it has none. Throws a `JsonFault` if it has two. */
function memberOf(text: string, object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw faultAt(text, found[1]!.offset, `has ${JSON.stringify(name)} twice`);
  return found[0];
}

/** The value of a node as plain data. */
export const valueOf = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node)));

/** Whether two values are the same JSON. The order of members does not count. */
export const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b);

/** The names that lead to a place, for a reader: `hooks.Stop`. */
export const placeName = (at: readonly string[]): string => at.join(".");

/** How far the names of a path lead: the nodes of the members that exist, the outermost first. Throws a `JsonFault` if one is no object. */
export function membersAlong(text: string, root: Node, at: readonly string[]): Node[] {
  const members: Node[] = [];
  let object = root;
  for (const [depth, name] of at.entries()) {
    if (object.type !== "object")
      throw faultAt(text, object.offset, `has a ${placeName(at.slice(0, depth))} that is no object`);
    const member = memberOf(text, object, name);
    if (!member) break;
    members.push(member);
    object = member.children![1]!;
  }
  return members;
}
