/** The OpenAPI document as generators of typed clients read it: rules over all its schemas, parameters and operations. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { exampleOf } from "../../src/discovery/schemas.ts";
import { asOwner } from "../support/admin.ts";
import { get } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  maximum?: number;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  enum?: unknown[];
  required?: string[];
}
interface Answer {
  description: string;
  content?: Record<string, { schema: Schema }>;
  "x-codes"?: string[];
}
interface Operation {
  operationId: string;
  parameters: { in: string; name: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
  security: Record<string, string[]>[];
}
interface Scheme {
  type: string;
  scheme?: string;
  name?: string;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Scheme> };
}

let service: SourceService;
let document: Document;
interface Call {
  line: string;
  path: string;
  method: string;
  operation: Operation;
}
let calls: Call[];
/** Every schema, with the place where it is. */
let schemas: { place: string; schema: Schema }[];
beforeAll(async () => {
  service = await startSource({ webhooks: true });
  document = (await get<Document>(`${service.url}/openapi.json`)).body;
  calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      line: `${method.toUpperCase()} ${path}`,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  schemas = [
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => within(name, schema)),
    ...calls.flatMap(({ line, operation: { parameters, requestBody, responses } }) => [
      ...parameters.flatMap(({ name, schema }) => within(`${line}: ${name}`, schema)),
      ...[...(requestBody ? [requestBody] : []), ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, { schema }]) => within(`${line}: ${type}`, schema)),
      ),
    ]),
  ];
});
afterAll(() => service.stop());

/** `schema` and all schemas in it. */
function within(place: string, schema: Schema): { place: string; schema: Schema }[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  return [
    { place, schema },
    ...Object.entries(properties).flatMap(([name, field]) => within(`${place}.${name}`, field)),
    ...(items ? within(`${place}[]`, items) : []),
    ...(typeof additionalProperties === "object" ? within(`${place}{}`, additionalProperties) : []),
    ...[...anyOf, ...oneOf].flatMap((option, i) => within(`${place}|${i}`, option)),
  ];
}

/** The code of the problem that answers a call with an example of its body; undefined if it succeeds. */
async function refusalOf({ method, path, operation }: Call, headers = {}): Promise<string | undefined> {
  const body = operation.requestBody?.content["application/json"]!.schema;
  const response = await fetch(service.url + path.replace(/\{\w+\}/g, "1"), {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(exampleOf(body as never, document.components.schemas as never)) }),
  });
  const { code } = response.ok ? {} : ((await response.json()) as { code?: string });
  return code;
}

const placesOf = (isWrong: (schema: Schema) => boolean): string[] =>
  schemas.filter(({ schema }) => isWrong(schema)).map(({ place }) => place);

test("has enums, and no constants and no patterns of properties", () => {
  expect(placesOf((schema) => "const" in schema)).toEqual([]);
  expect(placesOf((schema) => "patternProperties" in schema)).toEqual([]);
});

test("has no union but a draw of the beacon and the pace of a room: a number or a text is a text", () => {
  const of_pace = /\.pace$/;
  const unions = placesOf(({ anyOf = [] }) => anyOf.length > 0);
  expect(unions.filter((place) => !of_pace.test(place))).toEqual([]);
  const { in_reply_to, since } = document.components.schemas.SpeakPost!.properties!;
  expect([in_reply_to?.type, since?.type]).toEqual([["string", "null"], "string"]);
  expect(placesOf(({ oneOf = [] }) => oneOf.length > 0)).toEqual(["BeaconDraw"]);
});

test("bodies have their named fields only", () => {
  const bodies = calls.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema.$ref!.split("/").at(-1)!),
  );
  expect(bodies).toContain("SpeakPost");
  expect(bodies.filter((name) => document.components.schemas[name]!.additionalProperties)).toEqual([]);
});

test("a discriminator names the schema of each value", () => {
  const chosen = schemas.filter(({ schema }) => schema.discriminator);
  expect(chosen.map(({ place }) => place)).toEqual(["BeaconDraw"]);
  for (const { schema } of chosen) {
    const { propertyName, mapping } = schema.discriminator!;
    const values = schema.oneOf!.flatMap(({ $ref }) => {
      const option = document.components.schemas[$ref!.split("/").at(-1)!]!;
      return option.properties![propertyName]!.enum!.map((value) => [value, $ref]);
    });
    expect(mapping).toEqual(Object.fromEntries(values));
  }
});

test("every field and parameter has a description, its own or that of its schema", () => {
  const isBare = ({ $ref, description }: Schema): boolean =>
    !(description ?? document.components.schemas[$ref?.split("/").at(-1) ?? ""]?.description);
  const fields = schemas.flatMap(({ place, schema: { properties = {} } }) =>
    Object.entries(properties).map(([name, field]) => ({ place: `${place}.${name}`, field })),
  );
  expect(fields.filter(({ field }) => isBare(field)).map(({ place }) => place)).toEqual([]);
  const parameters = calls.flatMap(({ line, operation }) =>
    operation.parameters.map(({ name, description }) => ({ place: `${line}: ${name}`, description })),
  );
  expect(parameters.filter(({ description }) => !description).map(({ place }) => place)).toEqual([]);
});

test("says how wide each number is", () => {
  const isLoose = ({ type, format, maximum = Infinity }: Schema) =>
    (type === "number" && format !== "double") ||
    ([type].flat().includes("integer") && format !== "int64" && maximum >= 2 ** 31);
  expect(placesOf(isLoose)).toEqual([]);
});

test("the number of a round is an integer", () => {
  const { parameters } = document.paths["/api/beacon/{round}"]!.get!;
  expect(parameters.find(({ name }) => name === "round")!.schema.type).toBe("integer");
});

test("calls the receipt that is verified receipt, and the service takes r as well", async () => {
  const { parameters } = document.paths["/receipt/verify"]!.get!;
  expect(parameters.map(({ name, required }) => [name, required])).toEqual([["receipt", true]]);
  for (const name of ["r", "receipt"]) {
    const { status, body } = await get(`${service.url}/receipt/verify?${name}=x.y.z`);
    expect([status, body.verdict]).toEqual([200, "invalid"]);
  }
  const missing = await get<{ errors: object[] }>(`${service.url}/receipt/verify`);
  expect([missing.status, missing.body.errors]).toEqual([422, [{ path: "receipt", message: "is required" }]]);
});

test("answers every problem with one schema, and names the codes of each status and a head that is too large", () => {
  for (const { line, operation } of calls) {
    const { responses } = operation;
    expect([line, Object.keys(responses)]).toEqual([
      line,
      expect.arrayContaining(["401", "429", "431", "500"]),
    ]);
    const refused = Object.values(responses).filter((answer) => answer["x-codes"]);
    for (const { content = {} } of refused) {
      expect([line, content["application/problem+json"]]).toEqual([
        line,
        { schema: { $ref: "#/components/schemas/Problem" } },
      ]);
    }
  }
});

test("calls no schema as generated code calls something else", () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => names.includes(name.replace(/^New/, "")) && name.startsWith("New"))).toEqual(
    [],
  );
  const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
  const fields = schemas.flatMap(({ place, schema: { properties = {} } }) =>
    Object.keys(properties).map((field) => ({ place, field, others: Object.keys(properties) })),
  );
  const own = fields.filter(({ place, field }) => plain(field) === plain(place));
  expect(own.map(({ place }) => place)).toEqual([]);
  const accessors = fields.filter(
    ({ field, others }) =>
      others.includes(field.replace(/^(?:has|is|get|set)_/, "")) && /^(?:has|is|get|set)_/.test(field),
  );
  expect(accessors).toEqual([]);
});

test("the id of each operation is the name of a method: a verb, and what it is about", () => {
  const verbs =
    /^(?:check|describe|list|plan|run|read|lookUp|open|post|redact|close|reopen|stream|export|hide|restore|erase|delete|remove|write|claim|extend|release|deliver|withdraw|review|takeOver|test|rotate|recover|revoke|suspend|unsuspend|reserve|unreserve|create|make|ack|clear|waitFor|verify|ban|lift|report|dismiss|add|end|set|take|break)[A-Z][a-zA-Z]+$|^whoAmI$/;
  const ids = calls.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !verbs.test(id))).toEqual([]);
});

test("describes every scheme of security, and uses each", () => {
  const used = calls.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
  expect(new Set(used)).toEqual(new Set(Object.keys(document.components.securitySchemes)));
});

/** The headers of a generated client that has only a secret, and sends it in these schemes. A later one replaces the header of an earlier one. */
function headersWith(secret: string, names: string[]): Record<string, string> {
  const schemes = names.map((name) => document.components.securitySchemes[name]!);
  return Object.fromEntries(
    schemes.map(({ scheme, name = "authorization" }) => {
      if (scheme === "basic") return [name, `Basic ${btoa(secret)}`];
      return [name, scheme === "bearer" ? `Bearer ${secret}` : secret];
    }),
  );
}

test("admits a client that sends its secret in the first scheme of an operation, or in each", async () => {
  const { key } = await claim(service.url, "generated");
  const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
    label: "generated",
    scope: "operate",
  });
  for (const [line, secret] of [
    ["POST /api/name/whoami", key],
    ["POST /api/meet/rooms", key],
    ["GET /api/admin/tokens", made.body.token],
  ]) {
    const { method, path, operation } = calls.find((call) => call.line === line)!;
    const names = operation.security.flatMap(Object.keys);
    for (const used of [names.slice(0, 1), names]) {
      const { status } = await fetch(service.url + path, {
        method,
        headers: { "content-type": "application/json", ...headersWith(secret!, used) },
        ...(path.endsWith("rooms") && { body: JSON.stringify({ goal: "Generated", name: "generated" }) }),
      });
      expect([line, used, status]).toEqual([line, used, path.endsWith("rooms") ? 201 : 200]);
    }
  }
});

test("names under security no header that is a parameter too", () => {
  const secret = /^(x-wf-name|x-wf-key|authorization)$/i;
  const doubled = calls.filter(({ operation }) => operation.parameters.some(({ name }) => secret.test(name)));
  expect(doubled.map(({ line }) => line)).toEqual([]);
});

test("names the credential of every operation that refuses a wrong one", async () => {
  for (const call of calls) {
    const code = await refusalOf(call, { "x-wf-key": "wfk_wrong" });
    expect([call.line, code]).toEqual([
      call.line,
      expect.stringMatching(/^(unknown_credential|admin_required)$/),
    ]);
    expect([call.line, call.operation.security.length]).not.toEqual([call.line, 0]);
  }
});

test("a credential is optional exactly where the service answers without one", async () => {
  const needs_host_key = ["POST /api/meet/rooms/{room}/close", "DELETE /api/meet/rooms/{room}/posts/{id}"];
  const says_what_it_is = ["GET /api/locker"];
  for (const call of calls) {
    if ([...needs_host_key, ...says_what_it_is].includes(call.line)) continue;
    const is_optional = call.operation.security.some((scheme) => Object.keys(scheme).length === 0);
    const is_required = /^(credential|admin)_required$/.test((await refusalOf(call)) ?? "");
    expect([call.line, is_optional]).toEqual([call.line, !is_required]);
  }
});
