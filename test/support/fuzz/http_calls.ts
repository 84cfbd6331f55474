/** Calls that are made from the OpenAPI document, and forms of pages: with values that fit, nearly fit and do not fit. */

import type { Documents, Fixtures } from "./fixtures.ts";
import type { Random } from "./random.ts";
import type { Sent } from "./request.ts";
import { jsonBytes, junkText, valueFor, type Definitions, type Schema } from "./values.ts";

interface Parameter {
  in: string;
  name: string;
  schema: Schema;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
const types = [
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json, text/html",
  "",
  "/",
];
const accepts = [
  "application/json",
  "text/html",
  "text/markdown",
  "*/*;q=0",
  "text/event-stream",
  "text/html;q=abc",
  ",",
  "",
];
const encodings = ["identity", "gzip", "br", "zstd", "*;q=0", "gzip;q=2, ,"];
const prefers = ["wait=0", "wait=1", "wait=z", "wait=0, wait=1", "return=minimal"];

/** A text as it may stand in a header: no line breaks, which Sent does not write. */
const inHeader = (value: unknown): string =>
  String(value)
    .replaceAll(/[\r\n\0]/g, " ")
    .slice(0, 7_000);

const inTarget = (value: unknown, random: Random): string => {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A lone surrogate has no form in UTF-8.
  if (!random.once(10)) return encodeURIComponent(text.toWellFormed().slice(0, 3_000));
  return text.replaceAll(/[\s\0]/g, "%20").slice(0, 3_000);
};

/** The headers that say who calls. */
function credentials({ ada, cookie }: Fixtures, random: Random): [string, string][] {
  const basic = (name: string, password: string) => `Basic ${btoa(`${name}:${password}`)}`;
  return random.oneOf<[string, string][]>([
    [],
    [],
    [["authorization", `Bearer ${ada.key}`]],
    [
      ["x-wf-name", ada.name],
      ["x-wf-key", ada.key],
    ],
    [["x-wf-key", ada.key]],
    [["authorization", basic(ada.name.normalize(), ada.key)]],
    [["cookie", cookie]],
    [["cookie", `${cookie}; ${inHeader(junkText(random))}`]],
    [["authorization", inHeader(`${random.oneOf(["Bearer", "Basic", "Digest", ""])} ${junkText(random)}`)]],
    [
      ["x-wf-name", inHeader(junkText(random))],
      ["x-wf-key", inHeader(junkText(random))],
    ],
  ]);
}

/** Headers that any call may have. */
function furtherHeaders(random: Random): [string, string][] {
  const all: [string, readonly string[]][] = [
    ["accept", accepts],
    ["accept-encoding", encodings],
    ["prefer", prefers],
    ["if-none-match", ['"a"', 'W/"1"', "*", '"', "a, b"]],
    ["if-match", ['"1"', "*", '"a']],
    ["origin", ["http://localhost", "null", "https://elsewhere.example", "::"]],
    ["sec-fetch-site", ["cross-site", "same-origin", "zz"]],
    ["x-forwarded-for", ["192.0.2.1", "z", "::1, ,"]],
    ["range", ["bytes=0-1", "bytes=5-", "z"]],
    ["expect", ["100-continue", "200-ok"]],
    ["upgrade", ["websocket", "h2c"]],
    ["traceparent", ["00-0-0-0", "z"]],
    ["x-request-id", ["a", "é"]],
  ];
  return all.filter(() => random.once(8)).map(([name, values]) => [name, random.oneOf(values)]);
}

/** A call of the document. Those of admins are rarer. */
export function documentedCall({ openapi, tokens }: Documents, fixtures: Fixtures, random: Random): Sent {
  const definitions = openapi.components.schemas as unknown as Definitions;
  const paths = Object.keys(openapi.paths);
  let path = random.oneOf(paths);
  if (path.includes("/admin") && !random.once(4)) path = random.oneOf(paths);
  const item = openapi.paths[path]!;
  const method = random.oneOf(Object.keys(item));
  const operation = item[method as keyof typeof item]!;
  const value = ({ schema, name }: Parameter) => valueFor(schema, random, fixtures.known, definitions, name);
  const parameters = operation.parameters as unknown as Parameter[];
  let target = path;
  const query: string[] = [];
  const is_admin = path.includes("/admin") && !random.once(10);
  const token: [string, string] = ["authorization", `Bearer ${random.oneOf(tokens)}`];
  const headers = [...(is_admin ? [token] : credentials(fixtures, random)), ...furtherHeaders(random)];
  for (const parameter of parameters) {
    if (parameter.in === "path")
      target = target.replace(`{${parameter.name}}`, () => inTarget(value(parameter), random));
    else if (random.once(3)) {
      if (parameter.in === "query") query.push(`${parameter.name}=${inTarget(value(parameter), random)}`);
      else headers.push([parameter.name, inHeader(value(parameter))]);
    }
  }
  if (random.once(20))
    query.push(`${inTarget(junkText(random), random)}=${inTarget(junkText(random), random)}`);
  if (query.length > 0) target += `?${query.join(random.once(20) ? ";" : "&")}`;
  const sent: Sent = {
    method: random.once(15) ? random.oneOf(methods) : method.toUpperCase(),
    target,
    headers,
  };
  const schema = operation.requestBody?.content["application/json"]?.schema as Schema | undefined;
  if (!schema && !random.once(20)) return sent;
  headers.push(["content-type", random.once(12) ? random.oneOf(types) : "application/json"]);
  const body = valueFor(schema ?? {}, random, fixtures.known, definitions);
  return { ...sent, body: jsonBytes(body, random) };
}

/** A form of a page, sent by a browser. */
export function sentForm({ forms, known, cookie }: Fixtures, random: Random): Sent {
  const { action, fields } = random.oneOf(forms);
  const chosen = fields.filter(() => !random.once(10));
  if (random.once(10)) chosen.push(...chosen, junkText(random));
  const pairs = chosen.map((name) => {
    const value = known[name] && random.once(2) ? random.oneOf(known[name]) : junkText(random);
    return `${inTarget(name, random)}=${inTarget(value, random)}`;
  });
  const headers: [string, string][] = [
    ["content-type", random.once(15) ? random.oneOf(types) : "application/x-www-form-urlencoded"],
    ["origin", random.once(10) ? "https://elsewhere.example" : "http://localhost"],
    ["accept", "text/html"],
    ...(random.once(5) ? [] : [["cookie", cookie] as [string, string]]),
  ];
  return { method: "POST", target: action, headers, body: Buffer.from(pairs.join("&")) };
}
