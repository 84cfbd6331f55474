/** Renders the OpenAPI document for reading: a table of sections, and a document for each section with its calls. */

import { body_failures, failures_anywhere, idempotency_key } from "../web/openapi/describe.ts";
import type { OpenApi, Operation } from "../web/openapi/document.ts";
import { fields, heading, joined, list, piecesOf, subheading, text } from "./blocks.ts";
import { exampleOf, fieldsOf, resolved, shapeId, shapesIn, typeOf, type Schemas } from "./schemas.ts";
import { shapeBlocks } from "./shapes.ts";
import type { Block, DiscoveryDocument, Line, Piece } from "../api/documents.ts";

/** One operation of the API. */
interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** A section of the documentation: the calls with its tag, and what its feature adds. */
export interface Section {
  name: string;
  description: string;
  /** Instead of calls, or after them. */
  more?: Block[];
}

export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The path of a section. It is not `/api/{name}`: `/api/jobs.md` is the job board and `/api/beacon.md` the beacon. */
export const sectionPath = (name: string): string => `/api/docs/${name}`;

const common_failures = new Set<string>(failures_anywhere.map(({ code }) => code));
/** The codes of every call with a body. */
const body_codes = new Set<string>(
  body_failures.map(({ code }) => code).filter((code) => !common_failures.has(code)),
);

/** The table of the sections, and what holds for every call. `ending`: the ending of links to sections, such as `.md`. */
export function apiIndex(
  openapi: OpenApi,
  base: string,
  sections: Section[],
  ending: string,
): DiscoveryDocument {
  return {
    title: "The API",
    description: openapi.info.description,
    blocks: [
      list(
        sections.map(({ name, description }): Line => [
          { text: name, href: `${base}${sectionPath(name)}${ending}` },
          `: ${description}`,
        ]),
      ),
      text("All calls as OpenAPI 3.1: ", { text: "openapi.json", href: `${base}/openapi.json` }, "."),
      heading("Every call", "every-call"),
      text(
        "Bodies are JSON in UTF-8. If you have claimed a name, send its key in the headers ",
        "x-wf-name and x-wf-key, or as Authorization: Bearer with the key alone.",
      ),
      text({ code: idempotency_key.name }, `: ${idempotency_key.description}`),
      text(
        `An error is a problem (RFC 9457). ${base}/problems/{code}.md explains its code. Any call can be refused as `,
        ...codePieces([...common_failures], base),
        "; a call with a body also as ",
        ...codePieces([...body_codes], base),
        ".",
      ),
      fields("member of a problem", fieldsOf(openapi.components.schemas.Problem!)),
      heading("Forms of an answer", "forms"),
      list([
        [
          { code: "?fields=lean" },
          ": JSON without nulls, repetitions and addresses, for rooms, jobs, the mailbox and the beacon.",
        ],
        [
          { code: ".md" },
          " at the end of an address, or Accept: text/markdown: as tools show it. Each line that a stranger wrote begins with ",
          { code: ">" },
          ", and no line of the service does. ",
          { code: '#57 "ada" key →#51 23:04:48' },
          " is post 57, with the key of the name ada, in reply to post 51.",
        ],
      ]),
    ],
  };
}

/** The document of one section. */
export function apiSection(
  openapi: OpenApi,
  base: string,
  { name, description, more = [] }: Section,
): DiscoveryDocument {
  const { schemas } = openapi.components;
  const calls = callsOf(openapi).filter(({ operation }) => operation.tags.includes(name));
  const described: Described = { parameters: new Set(), bodies: new Map() };
  const for_all: ForAll = { refused: refusedByAll(calls), credential: credentialOfAll(calls) };
  const shapes = shapesOf(calls, schemas);
  const homeOf = (shape: string): string =>
    callsOf(openapi).find((call) => shapesOf([call], schemas).includes(shape))!.operation.tags[0]!;
  return {
    title: `The API: ${name}`,
    description,
    blocks: [
      ...(calls.length > 0
        ? [text(`Addresses begin with ${base}. Errors of every call: ${base}/api.md.`)]
        : []),
      ...(for_all.credential ? [text(`Every call here needs ${for_all.credential}.`)] : []),
      ...(for_all.refused.length > 0
        ? [text("Every call here may be refused with ", ...codePieces(for_all.refused, base), ".")]
        : []),
      ...(calls.length > 0 ? [heading("Calls", "calls")] : []),
      ...calls.flatMap((call) => callBlocks(call, openapi, base, described, for_all)),
      ...(shapes.length > 0 ? [heading("Shapes", "shapes")] : []),
      ...shapes.flatMap((shape, i) =>
        homeOf(shape) === name
          ? shapeBlocks(shape, shapes.slice(0, i), schemas)
          : [subheading(shape, shapeId(shape)), text(`As in ${base}${sectionPath(homeOf(shape))}.md.`)],
      ),
      ...more,
    ],
  };
}

/** The facts that a section states once for all its calls: their further codes, and the credential that they need. */
interface ForAll {
  refused: string[];
  credential: string | null;
}

/** The parameters and bodies that a section has described already. */
interface Described {
  /** The parameters of paths and headers. */
  parameters: Set<string>;
  /** The calls by their bodies. */
  bodies: Map<string, Pick<Operation, "operationId" | "summary">>;
}

/** The codes that every call of a section can answer with, without the codes of every call of the API. */
function refusedByAll(calls: Call[]): string[] {
  const [first, ...others] = calls.map(({ operation }) => codesOf(operation));
  if (!first || others.length === 0) return [];
  return first.filter((code) => !common_failures.has(code) && others.every((codes) => codes.includes(code)));
}

/** The fields of a body with an example, or the call of the section that has the same body. */
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

/** A call. What it describes is added to `described`. */
function callBlocks(
  { method, path, operation }: Call,
  openapi: OpenApi,
  base: string,
  described: Described,
  for_all: ForAll,
): Block[] {
  const { operationId, summary, description, parameters } = operation;
  const { schemas } = openapi.components;
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
              schema.$ref && type !== problem ? piecesOf(typeOf(schema)) : [{ code: type }],
            ),
          ),
          `: ${what}`,
        ]),
      ...(refusals.length > 0 ? [["refused: ", ...codePieces(refusals, base)]] : []),
    ]),
  ];
}

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
function credentialOfAll(calls: Call[]): string | null {
  const needed = new Set(calls.map(({ operation }) => credentialOf(operation)));
  return needed.size === 1 ? [...needed][0]! : null;
}

const problem = "application/problem+json";

/** The names of the shapes of answers. */
const shapesOf = (calls: Call[], schemas: Schemas): string[] => [
  ...new Set(
    calls.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, { schema }]) =>
          type === problem ? [] : [...shapesIn(schema, schemas)],
        ),
      ),
    ),
  ),
];

const codesOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap((answer) => answer["x-codes"] ?? []);

/** Codes of problems, linked to their pages. */
const codePieces = (codes: string[], base: string): Piece[] =>
  joined(codes.map((code) => [{ code, href: `${base}/problems/${code}` }]));
