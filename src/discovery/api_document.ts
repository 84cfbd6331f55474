/** Renders the OpenAPI document as a readable document: every call with its fields, responses and errors. */

import { failures_anywhere } from "../web/openapi/describe.ts";
import type { OpenApi, Operation, Schema } from "../web/openapi/document.ts";
import {
  heading,
  json,
  list,
  piecesOf,
  subheading,
  table,
  text,
  type Block,
  type DiscoveryDocument,
  type Line,
  type Piece,
} from "./blocks.ts";

/** One operation of the API. */
export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The document for `openapi`. Its links begin with `base`. */
export function apiDocument(openapi: OpenApi, base: string): DiscoveryDocument {
  const calls = callsOf(openapi);
  const { schemas } = openapi.components;
  const anywhere = joined(
    failures_anywhere.map(({ code }): Piece[] => [{ code, href: `${base}/problems/${code}` }]),
    ", ",
  );
  const sections = openapi.tags.map((tag) => ({
    ...tag,
    calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return {
    title: "The API",
    description: openapi.info.description,
    blocks: [
      text(
        "All of this as OpenAPI 3.1: ",
        { text: "openapi.json", href: `${base}/openapi.json` },
        ". ",
        base_rule,
      ),
      text(
        "Every refusal is a problem (RFC 9457) whose type leads to its explanation. Any call can meet ",
        ...anywhere,
        ".",
      ),
      list([
        ...sections.map(({ name, description }): Line => [
          { text: name, href: `#${name}` },
          `: ${description}`,
        ]),
        [{ text: "shapes", href: "#shapes" }, ": what the answers are made of."],
      ]),
      ...sections.flatMap(({ name, description, calls }) => [
        heading(name, name),
        text(description),
        list(calls.map(contentsLine)),
        ...calls.flatMap((call) => callBlocks(call, schemas, base)),
      ]),
      heading("Shapes", "shapes"),
      ...Object.entries(schemas).flatMap(([name, schema]) => [
        subheading(name, shapeId(name)),
        ...(schema.description ? [text(schema.description)] : []),
        fieldTable(schema),
      ]),
    ],
  };
}

const base_rule =
  "Bodies are JSON in UTF-8; fields that nobody asked for are ignored. Reading needs no key. A claimed name shows its key " +
  "in the headers x-wf-name and x-wf-key, or as Authorization: Bearer with the key alone.";

const contentsLine = ({ method, path, operation }: Call): Line => [
  { code: `${method} ${path}`, href: `#${operation.operationId}` },
  `: ${operation.summary}`,
];

function callBlocks(
  { method, path, operation }: Call,
  schemas: OpenApi["components"]["schemas"],
  base: string,
): Block[] {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody && resolved(requestBody.content["application/json"]!.schema, schemas);
  const refusals = failuresOf(
    responses,
    base,
    failures_anywhere.map(({ code }) => code),
  );
  return [
    subheading(summary, operationId),
    text({ code: `${method} ${base}${path}` }),
    ...(description ? [text(description)] : []),
    ...(parameters.length > 0 ? [parameterTable(parameters)] : []),
    ...(body ? [text("The body:"), fieldTable(body), json(exampleOf(body, schemas))] : []),
    answerTable(responses),
    ...(refusals.length > 0 ? [text("Refused as ", ...refusals, ".")] : []),
  ];
}

const parameterTable = (parameters: Operation["parameters"]): Block =>
  table(
    ["parameter", "in", "what it is", "type"],
    parameters.map(({ name, in: where, required, description = "", schema }) => [
      { code: name },
      required ? `${where}, required` : where,
      description,
      typeOf(schema),
    ]),
  );

const fieldTable = (schema: Schema): Block => {
  const fields = fieldsOf(schema);
  return fields.length === 0
    ? text(...piecesOf(typeOf(schema)))
    : table(
        ["field", "what it is", "type"],
        fields.map(({ name, required, field }) => [
          { code: name },
          descriptionOf(field),
          [...piecesOf(typeOf(field)), required ? "" : ", may be left out"],
        ]),
      );
};

/** The description of a field, or of its non-null option. */
const descriptionOf = ({ description, anyOf = [] }: Schema): string =>
  description ?? anyOf.find((option) => option.description)?.description ?? "";

const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) => ({ name, field, required: required.includes(name) }));

type Answer = Operation["responses"][string];

/** The table of successful responses. */
const answerTable = (responses: Operation["responses"]): Block =>
  table(
    ["answer", "what it is", "shape"],
    Object.entries(responses)
      .filter(([, answer]) => !answer["x-codes"])
      .map(([status, { description, content = {} }]) => [{ code: status }, description, shapesOf(content)]),
  );

const shapesOf = (content: NonNullable<Answer["content"]>): Piece[] =>
  joined(
    Object.entries(content).map(([type, { schema }]) =>
      type === "application/json" ? piecesOf(typeOf(schema)) : [{ code: type }],
    ),
    ", ",
  );

/** The error codes of a call, each linked to its page. */
const failuresOf = (responses: Operation["responses"], base: string, but: string[] = []): Piece[] =>
  joined(
    Object.entries(responses).flatMap(([status, { "x-codes": codes = [] }]) =>
      codes
        .filter((code) => !but.includes(code))
        .map((code): Piece[] => [`${status} `, { code, href: `${base}/problems/${code}` }]),
    ),
    ", ",
  );

const joined = (parts: Piece[][], between: string): Piece[] =>
  parts.flatMap((part, i) => (i === 0 ? part : [between, ...part]));

const shapeId = (name: string): string => `shape-${name}`;
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

const resolved = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref ? schemas[nameOf(schema.$ref)]! : schema;

/** A type in words, with its bounds. Named schemas are links. */
function typeOf(schema: Schema): Line {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return { text: name, href: `#${shapeId(name)}` };
  }
  if (schema.anyOf)
    return schema.anyOf.flatMap((option, i) => [i > 0 ? " or " : "", ...piecesOf(typeOf(option))]);
  if (schema.const !== undefined) return { code: JSON.stringify(schema.const) };
  if (schema.type === "array")
    return ["list of ", ...piecesOf(typeOf(schema.items ?? {})), atMost(schema.maxItems, "")];
  if (schema.type === "object" && schema.properties) {
    return [
      "object of ",
      ...Object.keys(schema.properties).flatMap((name, i) => [i > 0 ? ", " : "", { code: name }]),
    ];
  }
  return (schema.type ?? "any value") + (schema.format ? ` (${schema.format})` : "") + bounds(schema);
}

const atMost = (count: number | undefined, unit: string): string =>
  count === undefined ? "" : `, at most ${count}${unit}`;

/** The bounds of a value, as a suffix of its type. */
export function bounds({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return atMost(maxLength, " characters");
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? atMost(maximum, "") : `, from ${minimum}`;
}

/** An example body: required fields and fields with an example, each with its first example. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { examples, const: constant, anyOf, type, items, minimum, ...rest } = resolved(schema, schemas);
  if (examples) return examples[0];
  if (constant !== undefined) return constant;
  if (anyOf) return exampleOf(anyOf[0]!, schemas);
  if (type === "array") return [exampleOf(items ?? {}, schemas)];
  if (type === "object") {
    const fields = fieldsOf(rest).filter(({ field, required }) => required || hasExample(field));
    return Object.fromEntries(fields.map(({ name, field }) => [name, exampleOf(field, schemas)]));
  }
  if (type === "boolean") return false;
  return type === "integer" ? (minimum ?? 0) : "…";
}

const hasExample = (schema: Schema): boolean =>
  schema.examples !== undefined || (schema.items !== undefined && hasExample(schema.items));
