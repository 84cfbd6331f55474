/** Failures over HTTP: RFC 9457 problem details, with a status, a stable code and a hint. */

import { Kind, Type, type Static, type TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { invalidFields, ServiceError, type Budget, type FieldError } from "../core/errors.ts";
import { hintFor, type Hints } from "../core/hints.ts";
import type { ErrorDefinition, ErrorKind } from "../core/error_definition.ts";
import { limits } from "../core/limits.ts";
import { customFault, type Fault } from "../core/fields.ts";
import { noteBody } from "./body_bytes.ts";
import { respelled } from "./respelling.ts";

const statuses = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  misdirected: 421,
  invalid: 422,
  too_early: 425,
  limited: 429,
  internal: 500,
  not_implemented: 501,
  unavailable: 503,
  full: 507,
} as const satisfies Record<ErrorKind, number>;

const FaultyField = Type.Object(
  {
    path: Type.String({ description: "JSON Pointer into the body, or the name of a parameter." }),
    message: Type.String({ description: "What is wrong with it. Never its value." }),
    at: Type.Optional(
      Type.Array(Type.Integer(), {
        description: "Places of characters that may not be there, in code points from 0.",
      }),
    ),
    did_you_mean: Type.Optional(Type.String({ description: "The field that was meant." })),
  },
  { title: "FaultyField", description: "Why a field is not valid." },
);
export const Problem = Type.Object(
  {
    type: Type.String({ format: "uri", description: "A page that explains this code." }),
    title: Type.String({ description: "What the code means." }),
    status: Type.Integer({ description: "The status of the answer.", minimum: 100, maximum: 599 }),
    detail: Type.String({ description: "What happened this time." }),
    code: Type.String({ description: "Stable, for programs." }),
    hint: Type.Optional(Type.String({ description: "What to do next. Every status below 500 has one." })),
    retryable: Type.Boolean({ description: "Whether the same call may succeed later." }),
    request_id: Type.Optional(
      Type.String({ description: "The id of the request, also in X-Request-Id and in the operator's log." }),
    ),
    errors: Type.Optional(
      Type.Array(FaultyField, {
        description: "The fields that are not valid.",
        maxItems: limits.field_errors_max,
      }),
    ),
  },
  { title: "Problem", description: "RFC 9457 problem details." },
);
export type Problem = Static<typeof Problem>;

/** The error with the hint for HTTP callers. */
export function inHttpTerms(error: ServiceError, hints: Hints): ServiceError {
  const hint = hintFor(hints, error);
  if (hint === undefined) return error;
  return new ServiceError(error.definition, error.detail, { ...error.extra, hint });
}

export const statusOf = ({ kind }: ErrorDefinition): number => statuses[kind];

/** The problem details of a failure; `base` is the base URL of the page that explains it. `request_id` is left out if empty. */
export function problemOf(error: ServiceError, base: string, request_id: string): Problem {
  const { title, retryable } = error.definition;
  const { hint, errors, members } = error.extra;
  return {
    ...members,
    type: `${base}/problems/${error.code}`,
    title,
    status: statusOf(error.definition),
    detail: error.detail,
    code: error.code,
    ...(hint && { hint }),
    retryable,
    ...(request_id && { request_id }),
    ...(errors && { errors }),
  };
}

const general_challenge = 'Bearer realm="wharf"';

/** The headers of a failure's answer (RFC 9110: Retry-After, WWW-Authenticate). */
export function problemHeaders(error: ServiceError): Record<string, string> {
  const { retry_after_seconds, allow, budget, challenge = general_challenge } = error.extra;
  return {
    ...budgetHeaders(budget),
    "cache-control": "no-store",
    // After CONNECT, Bun would treat later bytes as those of a tunnel.
    ...(error.code === "unknown_method" && { connection: "close" }),
    ...(retry_after_seconds !== undefined && { "retry-after": String(retry_after_seconds) }),
    ...(allow && { allow: allow.join(", ") }),
    ...(statusOf(error.definition) === 401 && { "www-authenticate": challenge }),
  };
}

/** The headers of a caller's tightest limit (draft-ietf-httpapi-ratelimit-headers-10). */
export const budgetHeaders = (budget: Budget | null | undefined): Record<string, string> =>
  budget ? { "ratelimit-policy": policyText(budget), ratelimit: leftText(budget) } : {};

/** Sets the headers of a limit. Used for every answer, so it creates no object. */
export function setBudget(headers: Headers, budget: Budget): void {
  headers.set("ratelimit-policy", policyText(budget));
  headers.set("ratelimit", leftText(budget));
}

const policyText = ({ policy, quota, window_seconds }: Budget): string =>
  window_seconds === null
    ? `"${policy}";q=${quota};qu="concurrent-requests"`
    : `"${policy}";q=${quota};w=${window_seconds}`;

const leftText = ({ policy, remaining, resets_in_seconds }: Budget): string =>
  resets_in_seconds === null
    ? `"${policy}";r=${remaining}`
    : `"${policy}";r=${remaining};t=${resets_in_seconds}`;

export function problemResponse(error: ServiceError, base: string, request_id = ""): Response {
  const text = JSON.stringify(problemOf(error, base, request_id));
  const headers = { "content-type": "application/problem+json", ...problemHeaders(error) };
  return noteBody(new Response(text, { status: statusOf(error.definition), headers }), text);
}

/**
 * The errors of each field; their messages never repeat the input. At most `limits.field_errors_max` fields: `errors` is not
 * read further. `where` is "body", or the part of the URL.
 */
function fieldErrors(errors: Iterable<ValueError>, where: string): FieldError[] {
  const by_path = new Map<string, Fault>();
  for (const error of errors) {
    const path = where === "body" ? error.path : error.path.slice(1);
    if (!by_path.has(path)) by_path.set(path, fieldFault(error));
    if (by_path.size === limits.field_errors_max) break;
  }
  return Array.from(by_path, ([path, fault]) => ({ path, ...fault }));
}

export const invalid = (errors: Iterable<ValueError>, where: string): ServiceError =>
  invalidFields(fieldErrors(errors, where));

/**
 * Returns a check by `schema`, which is compiled at the first call. The check returns a valid value, also of one whose members
 * are only spelled otherwise (`respelled`), and throws `invalid_fields` for another. `where` as for `fieldErrors`.
 */
export function checkBy<Schema extends TSchema>(
  schema: Schema,
  where: string,
): (value: unknown) => Static<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(value)) return value;
    const meant = respelled(schema, value);
    if (meant && compiled.Check(meant)) return meant;
    throw invalid(compiled.Errors(withShortLists(schema, value)), where);
  };
}

/**
 * Cuts each list in `value` to one item above the limit of `schema`. TypeBox checks every item to list the errors, so a long
 * list would be expensive.
 */
function withShortLists(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { maxItems = Infinity } = schema as { maxItems?: number };
    return value.length > maxItems ? value.slice(0, maxItems + 1) : value;
  }
  if (typeof value !== "object" || value === null || schema.type !== "object") return value;
  // A map with any keys has no properties.
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  const fields = Object.entries(properties)
    .filter(([field]) => Object.hasOwn(value, field))
    .map(([field, inner]) => [field, withShortLists(inner, (value as Record<string, unknown>)[field])]);
  return { ...value, ...Object.fromEntries(fields) };
}

function fieldFault({ schema, value }: ValueError): Fault {
  if (value === undefined) return { message: "is required" };
  if (Array.isArray(value) && schema.type === "array") return { message: listFault(schema, value) };
  if (isTooLarge(schema, value)) return { message: `has more than ${schema.maxProperties} members` };
  return customFault(schema, value) ?? { message: `must be ${described(schema)}` };
}

const isTooLarge = ({ maxProperties = Infinity }: TSchema, value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > maxProperties;

/** Schemas have no other rules for lists. */
function listFault({ minItems = 0, maxItems = Infinity }: TSchema, { length }: unknown[]): string {
  if (length < minItems) return "must not be empty";
  return length > maxItems ? `has more than ${maxItems} items` : "has an item twice";
}

const types: Record<string, string> = {
  object: "a JSON object",
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
};

function described(schema: TSchema): string {
  const options = (schema.anyOf ?? []) as TSchema[];
  if (options.length > 0) return options.map(described).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema[Kind] === "Null") return "null";
  return [schema.type]
    .flat()
    .map((type) => types[String(type)] ?? `a ${String(type)}`)
    .join(" or ");
}
