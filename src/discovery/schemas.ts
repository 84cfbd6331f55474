/** Schemas of the OpenAPI document in words, and example bodies. */

import type { OpenApi } from "../web/openapi/document.ts";
import type { Schema } from "../web/openapi/schemas.ts";
import { piecesOf } from "./blocks.ts";
import type { Field, Line, Piece } from "../api/documents.ts";

export type Schemas = OpenApi["components"]["schemas"];

export const shapeId = (name: string): string => `shape-${name}`;
/** The name in a reference. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? schemas[nameOf(schema.$ref)]! : schema;

const membersOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, member]) => ({ name, member, required: required.includes(name) }));

/** The members of an object. */
export const fieldsOf = (schema: Schema): Field[] =>
  membersOf(schema).map(({ name, member, required }) => ({
    name,
    type: [...piecesOf(typeOf(member)), required ? "" : ", optional"],
    about: descriptionOf(member),
  }));

/** The description of a member, or of its non-null option. */
const descriptionOf = ({ description, anyOf = [] }: Schema): string =>
  description ?? anyOf.find((option) => option.description)?.description ?? "";

/** The names of the shapes that a schema refers to, and those that these refer to. */
export function shapesIn(schema: Schema, schemas: Schemas, found = new Set<string>()): Set<string> {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = schema;
  if ($ref && !found.has(nameOf($ref))) {
    found.add(nameOf($ref));
    shapesIn(resolved(schema, schemas), schemas, found);
  }
  for (const part of [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf])
    shapesIn(part, schemas, found);
  return found;
}

const formats: Record<string, string> = { "date-time": "time", uri: "URL" };

/** A type in words, with its bounds. Named schemas are links. */
export function typeOf(schema: Schema): Line {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return { text: name, href: `#${shapeId(name)}` };
  }
  if (Array.isArray(schema.type)) {
    const { type, enum: values, ...bounds } = schema;
    const known = values?.filter((value) => value !== null);
    return anyOf(
      type.map((type) => ({
        ...(type !== "null" && bounds),
        ...(known && type !== "null" && { enum: known }),
        type,
      })),
    );
  }
  const options = schema.anyOf ?? schema.oneOf ?? schema.enum?.map((value): Schema => ({ const: value }));
  if (options) return anyOf(options);
  if (schema.const !== undefined) return { code: JSON.stringify(schema.const) };
  if (schema.type === "array")
    return ["list of ", ...piecesOf(typeOf(schema.items ?? {})), atMost(schema.maxItems, "")];
  if (schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0) {
    return [
      "object of ",
      ...Object.keys(schema.properties!).flatMap((name, i) => [i > 0 ? ", " : "", { code: name }]),
    ];
  }
  return (formats[schema.format ?? ""] ?? schema.type ?? "any value") + bounds(schema);
}

const anyOf = (options: Schema[]): Piece[] =>
  options.flatMap((option, i) => [i > 0 ? " or " : "", ...piecesOf(typeOf(option))]);

const atMost = (count: number | undefined, unit: string): string =>
  count === undefined ? "" : `, at most ${count}${unit}`;

/** The bounds of a value, as a suffix of its type. */
export function bounds({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return atMost(maxLength, " characters");
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? atMost(maximum, "") : `, from ${minimum}`;
}

/** An example body: required fields and fields with an example, each with its first example. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const {
    examples,
    const: constant,
    enum: values,
    anyOf,
    type,
    items,
    minimum,
    ...rest
  } = resolved(schema, schemas);
  if (examples) return examples[0];
  if (constant !== undefined) return constant;
  if (values) return values[0];
  if (anyOf) return exampleOf(anyOf[0]!, schemas);
  if (type === "array") return [exampleOf(items ?? {}, schemas)];
  if (type === "object") {
    const members = membersOf(rest).filter(({ member, required }) => required || hasExample(member));
    return Object.fromEntries(members.map(({ name, member }) => [name, exampleOf(member, schemas)]));
  }
  if (type === "boolean") return false;
  return type === "integer" ? (minimum ?? 0) : "…";
}

const hasExample = (schema: Schema): boolean =>
  schema.examples !== undefined || (schema.items !== undefined && hasExample(schema.items));
