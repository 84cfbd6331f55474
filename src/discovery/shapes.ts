/** Renders the shapes of answers, without describing a field twice. */

import { fields, joined, piecesOf, subheading, text } from "./blocks.ts";
import { fieldsOf, shapeId, typeOf, type Schemas } from "./schemas.ts";
import type { Block, Field } from "../api/documents.ts";

/** Naming fewer shared fields than this is not shorter than describing them again. */
const shared_fields_min = 3;

/**
 * A shape: its description and its fields. Fields that are equal in a shape of `before` are only named, or not even that if the shape has
 * all of the other's fields. `hrefOf`: the address of a shape.
 */
export function shapeBlocks(
  name: string,
  before: string[],
  schemas: Schemas,
  hrefOf: (shape: string) => string,
): Block[] {
  const { description, oneOf } = schemas[name]!;
  const listed = fieldsOf(schemas[name]!);
  const known = relativeOf(listed, before, schemas);
  const inherited = known?.shared ?? [];
  return [
    subheading(name, shapeId(name)),
    ...(description ? [text(description)] : []),
    ...(oneOf ? [text("One of ", ...piecesOf(typeOf({ oneOf })), ".")] : []),
    ...(known ? [introduction(known, hrefOf)] : []),
    fields(
      "field",
      listed.filter((field) => !inherited.includes(field.name)),
    ),
  ];
}

/** A lean shape: its fields without the types that JSON shows. */
export const leanShapeBlocks = (name: string, schemas: Schemas): Block[] => [
  subheading(name, shapeId(name)),
  fields("field", fieldsOf(schemas[name]!).map(leanField)),
];

function leanField({ name, type, about }: Field): Field {
  const [first, ...others] = piecesOf(type);
  if (about === always_true) return { name, type: ["true", ...others], about: "" };
  const is_plain = typeof first === "string" && ["string", "integer", "boolean", "time"].includes(first);
  if (!is_plain) return { name, type, about };
  return { name, type: others.join("").replace(/^, /, ""), about };
}

/** What the OpenAPI document says of a flag that is absent unless it is true. */
const always_true = "Always true.";

/** A shape and the names of the fields that another shape has as well. */
interface Relative {
  shape: string;
  shared: string[];
  /** Whether these are all fields of the shape. */
  is_whole: boolean;
}

/** The shape of `before` to refer to: the last one that is contained in `listed`, or else the one with the most fields in common. */
function relativeOf(listed: Field[], before: string[], schemas: Schemas): Relative | undefined {
  const relatives = before.map((shape): Relative => {
    const theirs = fieldsOf(schemas[shape]!);
    const shared = theirs.filter((field) => listed.some((own) => Bun.deepEquals(own, field)));
    return {
      shape,
      shared: shared.map(({ name }) => name),
      is_whole: shared.length > 0 && shared.length === theirs.length,
    };
  });
  const closest = relatives
    .filter(({ shared }) => shared.length >= shared_fields_min)
    .toSorted((one, other) => other.shared.length - one.shared.length)[0];
  return relatives.findLast(({ is_whole }) => is_whole) ?? closest;
}

function introduction({ shape, shared, is_whole }: Relative, hrefOf: (shape: string) => string): Block {
  const link = { text: shape, href: hrefOf(shape) };
  return is_whole
    ? text("All of ", link, ", and:")
    : text("As in ", link, ": ", ...joined(shared.map((code) => [{ code }])), ". And:");
}
