/** Renders calls for reading, and states once what holds for all calls of a document. */

import { body_failures, failures_anywhere, idempotency_key } from "../web/openapi/describe.ts";
import type { OpenApi, Operation } from "../web/openapi/document.ts";
import { fields, joined, list, piecesOf, subheading, text } from "./blocks.ts";
import { leanOf } from "./lean.ts";
import { exampleOf, fieldsOf, nameOf, resolved, typeOf, type Schemas } from "./schemas.ts";
import type { Block, Line, Piece } from "../api/documents.ts";

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

export const common_failures = new Set<string>(failures_anywhere.map(({ code }) => code));
/** The codes of every call with a body. */
export const body_codes = new Set<string>(
  body_failures.map(({ code }) => code).filter((code) => !common_failures.has(code)),
);

/** The facts that a document states once for all its calls: their further codes, and the credential that they need. */
export interface ForAll {
  refused: string[];
  credential: string | null;
}

/** The parameters and bodies that a document has described already. */
export interface Described {
  /** The parameters of paths and headers. */
  parameters: Set<string>;
  /** The calls by their bodies. */
  bodies: Map<string, Pick<Operation, "operationId" | "summary">>;
}

/** The codes that every call of a document can answer with, without those of every call, or of every call with a body. */
export function refusedByAll(calls: Call[]): string[] {
  const [first, ...others] = calls.map(({ operation }) => codesOf(operation));
  if (!first || others.length === 0) return [];
  return first.filter(
    (code) =>
      !common_failures.has(code) && !body_codes.has(code) && others.every((codes) => codes.includes(code)),
  );
}

/** The fields of a body with an example, or the call of the document that has the same body. */
function bodyBlocks(
  { operationId, summary, requestBody }: Operation,
  schemas: Schemas,
  { bodies }: Described,
): Block[] {
  if (!requestBody) return [];
  const body = resolved(requestBody.content["application/json"]!.schema, schemas);
  const key = JSON.stringify(body);
  const same = bodies.get(key);
  if (same) return [text("The body: as for ", { text: same.summary, href: `#${same.operationId}` }, ".")];
  bodies.set(key, { operationId, summary });
  return [
    text("The body:"),
    fields("field", fieldsOf(body)),
    { kind: "code", language: "json", text: JSON.stringify(exampleOf(body, schemas)) },
  ];
}

/** A call. What it describes is added to `described`. `hrefOf`: the address of a shape. */
export function callBlocks(
  { method, path, operation }: Call,
  openapi: OpenApi,
  base: string,
  described: Described,
  for_all: ForAll,
  hrefOf: (shape: string) => string,
): Block[] {
  const { operationId, summary, description, parameters } = operation;
  const { schemas } = openapi.components;
  const lean = leanOf(operation);
  const own = parameters.filter(
    ({ name }) => name !== idempotency_key.name && !described.parameters.has(name),
  );
  for (const { name } of own.filter(({ in: where }) => where !== "query")) described.parameters.add(name);
  const credential = credentialOf(operation);
  const shared = [
    ...(credential && !for_all.credential ? [credential] : []),
    ...parameters.map(({ name }) => name).filter((name) => name === idempotency_key.name),
  ];
  const refusals = codesOf(operation).filter(
    (code) => !common_failures.has(code) && !body_codes.has(code) && !for_all.refused.includes(code),
  );
  return [
    subheading(summary, operationId),
    text({ code: `${method} ${path}` }, ...(shared.length > 0 ? [` with ${shared.join(", ")}`] : [])),
    ...(description ? [text(description)] : []),
    fields(
      "parameter",
      own.map(({ name, in: where, required, description: about = "", schema }) => ({
        name,
        type: [
          ...piecesOf(typeOf(schema)),
          where === "query" ? "" : `, in the ${where}`,
          required ? "" : ", optional",
        ],
        about,
      })),
    ),
    ...bodyBlocks(operation, schemas, described),
    ...tryBlocks(method, path, operation, schemas),
    list([
      ...Object.entries(operation.responses)
        .filter(([status, answer]) => Number(status) < 400 || answer.content?.["application/json"])
        .map(([status, { description: what, content = {} }]): Line => [
          `${status} `,
          ...joined(
            Object.entries(content).map(([type, { schema }]) =>
              schema.$ref && type !== problem ? [shapePiece(schema.$ref, hrefOf)] : [{ code: type }],
            ),
          ),
          `: ${what}`,
          ...(lean ? [" With fields=lean: ", shapePiece(lean, hrefOf), "."] : []),
        ]),
      ...(refusals.length > 0 ? [["refused: ", ...codePieces(refusals, base)]] : []),
    ]),
  ];
}

const shapePiece = (shape: string, hrefOf: (shape: string) => string): Piece => {
  const name = nameOf(shape);
  return { text: name, href: hrefOf(name) };
};

/** A form that makes the call, unless its answer is a page or never ends. */
function tryBlocks(method: string, path: string, operation: Operation, schemas: Schemas): Block[] {
  const types = Object.values(operation.responses).flatMap(({ content = {} }) => Object.keys(content));
  if (types.includes("text/event-stream") || types.includes("text/html")) return [];
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const body = schema ? JSON.stringify(exampleOf(resolved(schema, schemas), schemas), null, 2) : null;
  const parameters = operation.parameters
    .filter(({ name }) => name !== idempotency_key.name)
    .map(({ name, in: where, required }) => ({ name, in: where, required }));
  return [{ kind: "try", method, path, parameters, body }];
}

/** The credential that a call needs, in words. */
function credentialOf({ security }: Operation): string | null {
  if (security.some((schemes) => Object.keys(schemes).length === 0)) return null;
  return security.some((schemes) => "admin" in schemes) ? "an admin token" : "a claimed name's key";
}

/** The credential that every one of these calls needs. */
export function credentialOfAll(calls: Call[]): string | null {
  const needed = new Set(calls.map(({ operation }) => credentialOf(operation)));
  return needed.size === 1 ? [...needed][0]! : null;
}

export const problem = "application/problem+json";

const codesOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap((answer) => answer["x-codes"] ?? []);

/** Codes of problems, linked to their pages. */
export const codePieces = (codes: string[], base: string): Piece[] =>
  joined(codes.map((code) => [{ code, href: `${base}/problems/${code}` }]));
