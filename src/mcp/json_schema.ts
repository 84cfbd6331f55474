/** TypeBox schemas as the JSON Schemas (2020-12) of tool definitions, which every client shows to its model: as short as can be. */

import type { TSchema } from "@sinclair/typebox";

type Node = Record<string, unknown>;
export type OutputSchema = {
  type: "object";
  properties?: Record<string, Node>;
  $defs?: Record<string, Node>;
};

/** What a model does without. A schema of a result is also bare of words: what a result means is said in the result. */
const input_leaves_out = new Set(["examples", "title", "additionalProperties"]);
const output_leaves_out = new Set(["examples", "title", "description", "format"]);

/** The schema of a tool's arguments. */
export const inputSchema = (schema: TSchema): { type: "object" } =>
  rendered(schema, input_leaves_out, (node, render) => render(node));

/** The schema of a tool's results; what has a title (a post, a room) is written once, under `$defs`. */
export function outputSchema(schema: TSchema): OutputSchema {
  const $defs: Record<string, Node> = {};
  const root = rendered(schema, output_leaves_out, (node, render) => {
    if (typeof node.title !== "string") return render(node);
    $defs[node.title] ??= render(node);
    return { $ref: `#/$defs/${node.title}` };
  });
  return { ...root, ...(Object.keys($defs).length > 0 && { $defs }) };
}

/**
 * A schema of results reduced to its members and what each is, a text or a list: for an address with so many tools that the
 * whole of them would crowd out everything else that a model has to read.
 */
export function outline({ $defs = {}, properties = {}, ...root }: OutputSchema): OutputSchema {
  const brief = (node: Node): Node => {
    if (typeof node.$ref === "string") return brief($defs[node.$ref.replace("#/$defs/", "")]!);
    if (Array.isArray(node.anyOf)) return { anyOf: node.anyOf.map(brief) };
    return node.type === "object" || node.type === "array" ? { type: node.type } : node;
  };
  const members = Object.entries(properties).map(([name, node]) => [name, brief(node)]);
  return { ...root, properties: Object.fromEntries(members) as Record<string, Node> };
}

/** Renders `schema`; `child` decides about each schema inside it. */
function rendered(
  schema: TSchema,
  left_out: Set<string>,
  child: (node: Node, render: (node: Node) => Node) => Node,
): { type: "object" } {
  const inner = (node: unknown): Node => child(node as Node, render);

  function render(node: Node): Node {
    const kept = Object.entries(node).filter(([word]) => !left_out.has(word));
    return Object.assign({}, ...kept.map(([word, value]) => keyword(word, value))) as Node;
  }

  function keyword(word: string, value: unknown): Node {
    if (word === "properties") {
      return {
        properties: Object.fromEntries(
          Object.entries(value as Node).map(([name, field]) => [name, inner(field)]),
        ),
      };
    }
    if (word === "items") return { items: inner(value) };
    if (word === "anyOf") return choice((value as unknown[]).map(inner));
    return { [word]: value };
  }

  return render(schema) as { type: "object" };
}

/** One of several: an enumeration where each is a single string. */
const choice = (options: Node[]): Node =>
  options.every(({ const: value }) => typeof value === "string")
    ? { type: "string", enum: options.map((option) => option.const) }
    : { anyOf: options };
