/** The OpenAPI document for reading: every call with what it takes, what it answers and how it can fail. */

import { failures_anywhere, type OpenApi, type Operation, type Schema } from "../web/openapi/document.ts";
import type { FailureCode } from "../core/error_codes.ts";
import {
  heading,
  json,
  list,
  piecesOf,
  subheading,
  table,
  text,
  type Block,
  type GuideDocument,
  type Line,
  type Piece,
} from "./blocks.ts";

/** A call as the document knows it. */
export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The reading form of `openapi`, as served below `base`. */
export function apiDocument(openapi: OpenApi, base: string): GuideDocument {
  const calls = callsOf(openapi);
  const { schemas } = openapi.components;
  const anywhere = joined(
    failures_anywhere.map((code): Piece[] => [{ code, href: `${base}/problems/${code}` }]),
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
  const refusals = failuresOf(responses, base, failures_anywhere);
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

/** What a field is for; where it may be null, what it is for when it is not. */
const descriptionOf = ({ description, anyOf = [] }: Schema): string =>
  description ?? anyOf.find((option) => option.description)?.description ?? "";

const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) => ({ name, field, required: required.includes(name) }));

type Answer = Operation["responses"][string];

/** What a call answers when it succeeds. */
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

/** How a call can fail, each code linked to the page that explains it. */
const failuresOf = (responses: Operation["responses"], base: string, but: FailureCode[] = []): Piece[] =>
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

/** A type in words: what kind of value, within which bounds. Shapes are linked. */
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

/** How large or long a value may be, to follow its type. */
export function bounds({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return atMost(maxLength, " characters");
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? atMost(maximum, "") : `, from ${minimum}`;
}

/** A body as somebody would send it: the first example of each field, where there is one. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const told = resolved(schema, schemas);
  if (told.examples) return told.examples[0];
  if (told.const !== undefined) return told.const;
  if (told.anyOf) return exampleOf(told.anyOf[0]!, schemas);
  if (told.type === "array") return [exampleOf(told.items ?? {}, schemas)];
  if (told.type === "object") {
    const shown = fieldsOf(told).filter(({ field, required }) => required || hasExample(field));
    return Object.fromEntries(shown.map(({ name, field }) => [name, exampleOf(field, schemas)]));
  }
  if (told.type === "boolean") return false;
  return told.type === "integer" ? (told.minimum ?? 0) : "…";
}

const hasExample = (schema: Schema): boolean =>
  schema.examples !== undefined || (schema.items !== undefined && hasExample(schema.items));
