/** Writes the types of the client from the OpenAPI document: `bun scripts/client_types.ts`. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { systemClock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { systemRandom } from "../src/core/random.ts";
import { default_config } from "../src/core/settings.ts";
import { serve } from "../src/app/serve.ts";
import type { OpenApi, Operation } from "../src/web/openapi/document.ts";
import type { Schema } from "../src/web/openapi/schemas.ts";

export const types_file = join(import.meta.dir, "../src/client/schema.ts");

/** Headers that the client sends by itself, from its options. */
const own_headers = new Set(["x-wf-name", "x-wf-key", "authorization"]);

const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required,
});

/** The parameters of one place, or nothing if there are none. */
function parametersIn(place: string, { parameters }: Operation): Record<string, Schema> {
  const found = parameters.filter(
    (parameter) => parameter.in === place && !own_headers.has(parameter.name.toLowerCase()),
  );
  if (found.length === 0) return {};
  const properties = found.map(({ name, description, schema }) => [name, { description, ...schema }]);
  return {
    [place === "header" ? "headers" : place]: object(
      Object.fromEntries(properties),
      found.filter(({ required }) => required).map(({ name }) => name),
    ),
  };
}

type Response = Operation["responses"][string];
type Content = NonNullable<Response["content"]>;

/** The schema of JSON, or else of text; nothing for problems. */
function mediaIn(content: Content): Schema | undefined {
  const [media] = Object.keys(content).filter((type) => type !== "application/problem+json");
  return (content["application/json"] ?? content[media ?? ""])?.schema;
}

/** The answers by status, as `schemaOf` describes them. Problems have a type of their own; no body is null. */
const answersOf = ({ responses }: Operation, schemaOf: (response: Response) => Schema | undefined): Schema =>
  object(
    Object.fromEntries(
      Object.entries(responses)
        .filter(([status, { content }]) => (content ? mediaIn(content) : Number(status) < 400))
        .map(([status, response]) => [status, schemaOf(response) ?? { type: "null" }]),
    ),
  );

/** The answers to a call with a parameter that gives them another form. */
function insteadOf(operation: Operation): Record<string, Schema> {
  const forms = Object.values(operation.responses).flatMap((response) =>
    Object.keys(response["x-instead"] ?? {}),
  );
  if (forms.length === 0) return {};
  const answers = forms.map((form) => [form, answersOf(operation, (answer) => answer["x-instead"]?.[form])]);
  return { instead: object(Object.fromEntries(answers)) };
}

/** The problems of an operation; `members`: those that other problems do not have. */
const problemsOf = ({ responses }: Operation): { status: number; code: string; members: Schema[] }[] =>
  Object.entries(responses).flatMap(([status, { "x-codes": codes = [], "x-members": members = {} }]) =>
    codes.map((code) => ({ status: Number(status), code, members: members[code] ? [members[code]] : [] })),
  );

const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content["application/json"]?.schema;

/** What an operation takes, its answers by status, and the codes of its problems. */
function operationSchema(operation: Operation): object {
  const { requestBody, summary, description = "" } = operation;
  const body = bodyOf(operation);
  const parts: Record<string, Schema> = {
    ...parametersIn("path", operation),
    ...parametersIn("query", operation),
    ...parametersIn("header", operation),
    ...(body && { body }),
  };
  const required = Object.keys(parts).filter((part) =>
    part === "body" ? (requestBody as { required?: boolean }).required : parts[part]!.required!.length > 0,
  );
  const described = object({
    request: object(parts, required),
    answers: answersOf(operation, ({ content = {} }) => mediaIn(content)),
    ...insteadOf(operation),
    problems: { enum: problemsOf(operation).map(({ code }) => code) },
  });
  return { ...described, description: `${summary}. ${description}`.trim() };
}

/** What a value has at least, in the form of `Shape` in the generated file. */
function shapeOf(schema: Schema): unknown {
  const { $ref, oneOf, type, properties = {}, required = [], items, additionalProperties: others } = schema;
  if ($ref) return `#${nameIn($ref)}`;
  if (oneOf) return oneOf.map(shapeOf);
  if (Array.isArray(type)) return type.map((one) => shapeOf({ ...schema, type: one }));
  if (type === "array") return [shapeOf(items ?? {})];
  if (type !== "object") return type === "integer" ? "number" : (type ?? "any");
  const members = required.map((name) => [name, shapeOf(properties[name]!)]);
  return { ...Object.fromEntries(members), ...(typeof others === "object" && { "*": shapeOf(others) }) };
}

const nameIn = (ref: string): string => ref.slice("#/components/schemas/".length);

/** The form of each answer of an operation, by status: `AnswerForm` in the generated file. */
const formsOf = ({ responses }: Operation): object =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content = {}, "x-instead": instead }]) => {
      const media = Object.keys(content).filter((type) => type !== "application/problem+json");
      if (Number(status) >= 400 && media.length === 0) return [];
      const json = media.find((type) => /[/+]json$/.test(type));
      const others = instead && Object.entries(instead).map(([form, schema]) => [form, shapeOf(schema)]);
      const form = {
        ...(json && { json: shapeOf(content[json]!.schema) }),
        ...(others && { instead: Object.fromEntries(others) as object }),
        media: media.filter((type) => type !== json),
      };
      return [[status, form]];
    }),
  );

/** The shapes of the components that `used` names, directly or through others. */
function shapesFor(used: unknown, { components: { schemas } }: OpenApi): Record<string, unknown> {
  const shapes: Record<string, unknown> = {};
  const add = (shape: unknown): void => {
    for (const [, name] of JSON.stringify(shape).matchAll(/"#(\w+)"/g)) {
      if (Object.hasOwn(shapes, name!)) continue;
      add((shapes[name!] = shapeOf(schemas[name!] as Schema)));
    }
  };
  add(used);
  return shapes;
}

/** Schemas that are in no answer as such: of refusals, and of the events of streams. */
const further_shapes = ["#Problem", "#Post", "#Note", "#Room", "#Lease"];

/**
 * The text of `src/client/schema.ts` for an OpenAPI document. `openapi-typescript` translates schemas. It gets each problem as a
 * schema named by its code, and each operation as a schema named by its method and path: that is shorter than its own types of
 * operations, and knows the codes.
 */
export async function clientTypes(document: OpenApi): Promise<string> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const problems = operations
    .flatMap(({ operation }) => problemsOf(operation))
    .map(({ status, code, members }) => {
      const hint: Record<string, Schema> = status < 500 ? { hint: { type: "string" } } : {};
      const exact = object({ status: { const: status }, code: { const: code }, ...hint });
      return [code, { allOf: [{ $ref: "#/components/schemas/Problem" }, exact, ...members] }] as const;
    });
  // The schemas of problems by status: those by code replace them.
  const isUsed = ([name]: [string, object]) => !/.Problem$/.test(name);
  const types = await openapiTS({
    openapi: "3.1.0",
    info: document.info,
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(document.components.schemas).filter(isUsed)),
        BEGIN_Problems: {},
        ...Object.fromEntries(problems),
        BEGIN_Operations: {},
        ...Object.fromEntries(
          operations.map(({ method, path, operation }) => [`${method} ${path}`, operationSchema(operation)]),
        ),
      },
    },
  } as unknown as Parameters<typeof openapiTS>[0]);
  const [, interfaces] =
    /^export interface components \{\s+schemas: \{\n([\s\S]*)\n {4}\};\n {4}responses: never;/m.exec(
      astToString(types),
    )!;
  const keyed = operations
    .filter(({ operation }) => operation.parameters.some(({ name }) => name === "Idempotency-Key"))
    .map(({ path }) => path);
  const forms = Object.fromEntries(
    operations.map(({ method, path, operation }) => [`${method} ${path}`, formsOf(operation)]),
  );
  return formatted(`/** The types of the API, from its OpenAPI document. Written by scripts/client_types.ts: do not edit. */

/** What callers send and get. */
export interface Schemas {
${interfaces!
  .replaceAll('components["schemas"]', "Schemas")
  // The types say as much.
  .replace(/^ *\/\*\* (?:@enum \{\w+\}|@constant|Format: \w+) \*\/\n/gm, "")
  .replace(/^ *\* (?:@enum \{\w+\}|@constant|Format: (?:int64|double))\n/gm, "")
  .replace(/^ *BEGIN_Problems: .*$/m, "}\n\n/** Problems by code. */\nexport interface Problems {")
  .replace(
    /^ *BEGIN_Operations: .*$/m,
    "}\n\n/** Operations by method and path. */\nexport interface Operations {",
  )}
}

/** The paths whose POST reads an Idempotency-Key. */
export const keyed_paths: readonly string[] = ${JSON.stringify(keyed.toSorted())};

/**
 * What a value has at least: its type; \`#\` and the name of a shape; the members that an object always has, and with \`*\` all its other
 * members; a list, as one shape in brackets; or one of several shapes in brackets.
 */
export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

/** An answer: its JSON, the JSON that a parameter of the query replaces it by, and the types of other bodies. */
export interface AnswerForm {
  json?: Shape;
  instead?: Record<string, Shape>;
  media: readonly string[];
}

/** The answers of each operation by status. Problems are not among them. */
export const answer_forms: Record<string, Record<number, AnswerForm>> = ${JSON.stringify(forms)};

/** Shapes by name. */
export const shapes: Record<string, Shape> = ${JSON.stringify(shapesFor([forms, further_shapes], document))};
`);
}

/** The text as `bun fmt` writes it. */
function formatted(text: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [process.execPath, "fmt", "--no-script", `--stdin-filepath=${types_file}`],
    { cwd: join(import.meta.dir, ".."), stdin: Buffer.from(text), stdout: "pipe", stderr: "pipe" },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

/** The OpenAPI document of this source with every call, from a service with an empty data directory. */
async function ownDocument(): Promise<OpenApi> {
  const data_dir = mkdtempSync(join(tmpdir(), "wharf-types-"));
  const log = createLog(systemClock, "error", (line) => void process.stderr.write(line));
  const deps = { clock: systemClock, random: systemRandom, log };
  const service = await serve({ ...default_config, webhooks: true, port: 0, data_dir }, deps);
  try {
    return (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  } finally {
    await service.stop();
    rmSync(data_dir, { recursive: true });
  }
}

if (import.meta.main) await Bun.write(types_file, await clientTypes(await ownDocument()));
