/** Random values: some fit a JSON schema, some nearly do, some fit nothing. */

import type { Random } from "./random.ts";

/** The part of JSON Schema that the service's documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  examples?: unknown[];
}

/** Values that exist at the service, by the name of the parameter or field that they are for. */
export type Known = Record<string, unknown[]>;

/** What schemas refer to. */
export type Definitions = Record<string, Schema>;

const texts = [
  "",
  " ",
  "a",
  "0",
  "-1",
  "1e400",
  "9007199254740993",
  "null",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "%00",
  "%",
  "%zz",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202eabc",
  "\ufeff",
  "e\u0301".repeat(40),
  "👩‍👩‍👧‍👦".repeat(20),
  "\u{e0061}\u{e007f}",
  "' OR 1=1 --",
  '" OR * NEAR(',
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "${7*7}{{7*7}}",
  "\r\nSet-Cookie: a=b",
  "2026-02-30T25:61:61Z",
  "0000-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "2026-01-01T00:00:00.000Z",
  "wfk_" + "A".repeat(43),
  "x".repeat(5_000),
  "é".repeat(70_000),
];

const others = [
  null,
  true,
  false,
  0,
  -1,
  1,
  0.5,
  -0,
  1e21,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  { a: { b: [] } },
];

/** A value that fits nothing in particular. */
export function junk(random: Random): unknown {
  if (random.once(200)) return "x".repeat(1_200_000);
  if (random.once(50)) return nested(random.below(5_000));
  return random.once(3) ? random.oneOf(others) : random.oneOf(texts);
}

/** A text that fits nothing in particular. */
export const junkText = (random: Random): string =>
  random.once(4)
    ? Array.from({ length: random.below(40) }, () => String.fromCharCode(random.below(0x300))).join("")
    : random.oneOf(texts);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A value for `schema`, mostly one that fits. `name` is what it is for. */
export function valueFor(
  schema: Schema,
  random: Random,
  known: Known,
  definitions: Definitions,
  name = "",
  depth = 0,
): unknown {
  if (random.once(12)) return junk(random);
  const there = known[name];
  if (there && !random.once(4)) return random.oneOf(there);
  const inner = (of: Schema, its_name = name) =>
    valueFor(of, random, known, definitions, its_name, depth + 1);
  if (schema.$ref) return inner(definitions[schema.$ref.split("/").at(-1)!] ?? {});
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return inner(random.oneOf(choices));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.oneOf(schema.enum);
  if (schema.examples && random.once(3)) return random.oneOf(schema.examples);
  const type = Array.isArray(schema.type) ? random.oneOf(schema.type) : schema.type;
  if (type === "object" || schema.properties) return objectFor(schema, random, inner);
  if (type === "array") return Array.from({ length: random.below(4) }, () => inner(schema.items ?? {}));
  if (type === "boolean") return random.once(2);
  if (type === "null") return null;
  if (type === "integer" || type === "number") return numberFor(schema, random);
  return textFor(schema, random);
}

function objectFor(
  { properties = {}, required = [], additionalProperties }: Schema,
  random: Random,
  inner: (schema: Schema, name: string) => unknown,
): object {
  const fields = Object.entries(properties).filter(([name]) =>
    required.includes(name) ? !random.once(15) : random.once(2),
  );
  const object: Record<string, unknown> = {};
  for (const [name, schema] of fields) object[name] = inner(schema, name);
  if (typeof additionalProperties === "object")
    for (let i = random.below(3); i > 0; i--) object[junkText(random)] = inner(additionalProperties, "");
  if (random.once(20)) object[junkText(random)] = junk(random);
  return object;
}

function numberFor({ minimum = 0, maximum = 1_000 }: Schema, random: Random): number {
  const at_bounds = [minimum, maximum, minimum - 1, maximum + 1];
  return random.once(3)
    ? random.oneOf(at_bounds)
    : minimum + random.below(Math.min(maximum - minimum, 50) + 1);
}

function textFor({ maxLength = 100, format }: Schema, random: Random): string {
  if (format === "date-time") {
    return new Date(Date.UTC(2026, 0, 1) + (random.below(2_000) - 1_000) * 86_400_000).toISOString();
  }
  if (random.once(4)) return junkText(random);
  if (random.once(10)) return "m".repeat(maxLength + random.below(2));
  return `word${random.below(1_000)}`;
}

/** The text of a JSON value, some of them damaged. Lone surrogates, doubled fields and bytes that are no UTF-8 included. */
export function jsonBytes(value: unknown, random: Random): Buffer {
  const text = JSON.stringify(value) ?? "";
  if (!random.once(12)) return Buffer.from(text);
  const damages: (() => Buffer)[] = [
    () => Buffer.from(text.slice(0, random.below(text.length + 1))),
    () => Buffer.from(text + random.oneOf([",", "}", "\u0000", " x", text])),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, "utf16le"),
    () => Buffer.from(text.replace("{", '{"name":1,"name":{},"__proto__":{"a":1},')),
    () => Buffer.from("[".repeat(random.below(100_000))),
    () => Buffer.from('{"a":'.repeat(random.below(50_000))),
    () => Buffer.from(text.replaceAll(/\d+/g, "1e999")),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => damaged(Buffer.from(text), random),
    () => Buffer.alloc(random.below(2_000), 0xff),
    () => Buffer.alloc(0),
  ];
  return random.oneOf(damages)();
}

/** Bytes of which some are others, doubled or gone. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let i = 1 + random.below(4); i > 0 && result.length > 0; i--) {
    const at = random.below(result.length);
    const until = at + random.below(Math.min(result.length - at, 20) + 1);
    const [head, part, tail] = [result.subarray(0, at), result.subarray(at, until), result.subarray(until)];
    const instead = random.oneOf([
      Buffer.alloc(0),
      Buffer.concat([part, part]),
      Buffer.from([random.below(256)]),
      Buffer.from(random.oneOf(["\0", "\r", "\n", "\r\n", "\r\n\r\n", " ", "\t", ":", "%", "é", "#"])),
      Buffer.from(Array.from({ length: random.below(30) }, () => random.below(256))),
    ]);
    result = Buffer.concat([head, instead, tail]);
  }
  return result;
}
