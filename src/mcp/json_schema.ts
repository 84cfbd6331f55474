/** TypeBox schemas as JSON Schemas (2020-12) for tool definitions. Clients show them to models, so they are short. */

import type { TSchema } from "@sinclair/typebox";

type Node = Record<string, unknown>;
export type OutputSchema = {
  type: "object";
  properties?: Record<string, Node>;
  $defs?: Record<string, Node>;
};

/** Keywords that a model does not need. Results explain themselves, so their schemas have no descriptions. */
const input_leaves_out = new Set([
  "examples",
  "title",
  "additionalProperties",
  "minimum",
  "minLength",
  "minItems",
  // Some providers of models refuse tools with it.
  "uniqueItems",
]);
const output_leaves_out = new Set(["examples", "title", "description", "format"]);

/** `make` with its results stored for as long as what they were made of exists. */
function storing<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const stored = new WeakMap<From, { made: Made }>();
  return (from) => {
    let found = stored.get(from);
    if (!found) stored.set(from, (found = { made: make(from) }));
    return found.made;
  };
}

/** The schema of a tool's arguments. */
export const inputSchema = storing((schema: TSchema): { type: "object" } =>
  rendered(schema, input_leaves_out, (node, render) => render(node)),
);

/** The schema of a tool's results. Schemas with a title (a post, a room) are written once, under `$defs`. */
export const outputSchema = storing((schema: TSchema): OutputSchema => {
  const $defs: Record<string, Node> = {};
  const root = rendered(schema, output_leaves_out, (node, render) => {
    if (typeof node.title !== "string") return render(node);
    $defs[node.title] ??= render(node);
    return { $ref: `#/$defs/${node.title}` };
  });
  return { ...root, ...(Object.keys($defs).length > 0 && { $defs }) };
});

/**
 * A schema of results with only the names and types of its members: for an endpoint with so many tools that full schemas
 * would fill the context of a model.
 */
export const outline = storing(({ $defs = {}, properties = {}, ...root }: OutputSchema): OutputSchema => {
  const brief = (node: Node): Node => {
    if (typeof node.$ref === "string") return brief($defs[node.$ref.replace("#/$defs/", "")]!);
    if (Array.isArray(node.anyOf)) return { anyOf: node.anyOf.map(brief) };
    return node.type === "object" || node.type === "array" ? { type: node.type } : node;
  };
  const members = Object.entries(properties).map(([name, node]) => [name, brief(node)]);
  return { ...root, properties: Object.fromEntries(members) as Record<string, Node> };
});

/** Whether a keyword is a maximum that no caller reaches. The check has it all the same. */
const isBeyondReach = (word: string, value: unknown): boolean =>
  word === "maximum" && (value as number) >= 1_000_000;

/** Renders `schema` without the keywords `left_out`; `child` renders each schema inside it. */
function rendered(
  schema: TSchema,
  left_out: Set<string>,
  child: (node: Node, render: (node: Node) => Node) => Node,
): { type: "object" } {
  const inner = (node: unknown): Node => child(node as Node, render);

  function render(node: Node): Node {
    const entries = Object.entries(node).filter(
      ([word, value]) => !left_out.has(word) && value !== "" && !isBeyondReach(word, value),
    );
    return Object.assign({}, ...entries.map(([word, value]) => keyword(word, value))) as Node;
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

/** A union; an enumeration if every option is a single string. */
const choice = (options: Node[]): Node =>
  options.every(({ const: value }) => typeof value === "string")
    ? { type: "string", enum: options.map((option) => option.const) }
    : { anyOf: options };
