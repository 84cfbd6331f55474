/**
 * The schemas of the OpenAPI document: JSON Schema (2020-12) in the forms that generators of clients understand. They know enums,
 * and neither constants nor patterns of properties; they have sets that lose the order for lists of unique items; they take an integer without a width for 32 bits, and a number for single precision.
 */

import type { TSchema } from "@sinclair/typebox";
import { patternOf } from "../../core/fields.ts";

export type Json = Record<string, unknown>;

/** A schema in the document: a reference to a component, or JSON Schema. */
export interface Schema {
  $ref?: string;
  /** Several types: one of them and null. */
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  /** Only in schemas of tools. */
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  pattern?: string;
}

/** `schema` in the document. A schema with a title moves to `components`, if there are any, and a reference replaces it. */
export function hoist(schema: TSchema, components: Json | null): Json {
  const { title } = schema;
  if (typeof title !== "string" || components === null) return plain(schema, components);
  components[title] ??= plain(schema, components);
  return { $ref: `#/components/schemas/${title}` };
}

function plain(schema: TSchema, components: Json | null): Json {
  if (schema.anyOf) return union(schema, components);
  const { const: constant, properties, items, patternProperties, uniqueItems: _, ...others } = schema;
  const inside = (part: unknown) => hoist(part as TSchema, components);
  const pattern = patternOf(schema);
  return {
    ...(pattern !== undefined && { pattern }),
    ...others,
    ...(typeof constant === "boolean" && {
      description: sentences(schema.description, `Always ${constant}.`),
    }),
    ...(typeof constant === "string" && { enum: [constant] }),
    ...(properties && {
      properties: mapValues(properties as Record<string, TSchema>, inside),
    }),
    ...(items && { items: inside(items) }),
    // TypeBox has a pattern for the names of a record; each of ours matches all names.
    ...(patternProperties && { additionalProperties: inside(Object.values(patternProperties)[0]) }),
    ...(schema.type === "integer" && !(schema.maximum < 2 ** 31) && { format: "int64" }),
    ...(schema.type === "number" && { format: "double" }),
  };
}

/** A union: an enum if all options are texts, a type that may be null if one option is left, and otherwise named schemas. */
function union({ anyOf, ...others }: TSchema, components: Json | null): Json {
  const flat = (anyOf as TSchema[]).flatMap((option) => (option.anyOf ?? [option]) as TSchema[]);
  const about = (anyOf as TSchema[]).find(({ description }) => description)?.description;
  const options = flat.filter(({ type }) => type !== "null");
  const is_nullable = options.length < flat.length;
  const description = others.description ?? (options.length < 3 ? about : undefined);
  const shared = { ...others, ...(description && { description }) };
  const nullable = (type: unknown) => (is_nullable ? [type, "null"] : type);

  const [first] = options as [TSchema];
  if (options.every((option) => typeof option.const === "string")) {
    const values = options.map((option) => option.const as string);
    return { type: nullable("string"), ...shared, enum: is_nullable ? [...values, null] : values };
  }
  if (options.length === 1 && !first.title) {
    return { ...plain(first, components), ...shared, type: nullable(first.type) };
  }
  // A text can spell the number. Generators make a wrapper of the two, or a type that takes anything.
  if (options.every(({ type }) => type === "integer" || type === "string")) {
    return { type: nullable("string"), ...shared };
  }
  // Typed languages have no type for a number or a list.
  if (options.some(({ type, title }) => type === "array" && !title)) return shared;
  const listed = [
    ...options.map((option) => hoist(option, components)),
    ...(is_nullable ? [{ type: "null" }] : []),
  ];
  return { ...shared, [others.discriminator ? "oneOf" : "anyOf"]: listed };
}

/** The object with each value replaced by `change` of it. */
export const mapValues = <Value, Changed>(object: Record<string, Value>, change: (value: Value) => Changed) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

const sentences = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(" ");
