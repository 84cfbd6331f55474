/** Reads request bodies: bounded, strict UTF-8, strict JSON, limited depth. */

import { Kind, Type, TypeRegistry, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { call_errors } from "../core/general_errors.ts";
import { web_errors } from "./errors.ts";
import { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { web_limits } from "./limits.ts";
import { jsonMayHoldSecret, refuseSecretsIn } from "../core/secrets.ts";
import type { OriginRules } from "./origin_rules.ts";
import { knownFields } from "./known_fields.ts";
import { checkBy } from "./problems.ts";
import { factsOf } from "./request_facts.ts";

/** Whether Content-Length is over the limit. */
export const declaresTooMuch = (request: Request): boolean =>
  Number(request.headers.get("content-length") ?? 0) > limits.request_body_bytes_max;

export const tooLarge = (): ServiceError =>
  new ServiceError(
    web_errors.body_too_large,
    `The body is over the limit of ${limits.request_body_bytes_max} bytes.`,
  );

/** Reads the body. Throws `body_too_large`, and `malformed_request` if the sender disconnects or breaks the framing. */
const bodyBytes = (request: Request): Promise<BufferSource> =>
  sentBytes(request).catch((error: unknown) => {
    throw notRead(error);
  });

const sentBytes = (request: Request): Promise<BufferSource> =>
  // The ingress has checked a declared length, and the server ends a request that sends more than it declared.
  request.headers.has("content-length") ? request.arrayBuffer() : countedBytes(request);

const notRead = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? error
    : new ServiceError(call_errors.malformed_request, "The body could not be read to its end.");

/** Reads a body of undeclared length. Throws `body_too_large` as soon as it is over the limit. */
async function countedBytes(request: Request): Promise<BufferSource> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limits.request_body_bytes_max) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The media type of the request's body in lower case, without parameters. */
export function mediaType(request: Request): string {
  const sent = request.headers.get("content-type") ?? "";
  // Fast path: what most programs send.
  return sent === "application/json" ? sent : sent.split(";")[0]!.trim().toLowerCase();
}

const malformedJson = (detail: string) => new ServiceError(web_errors.malformed_json, detail);

/** Counts `bracket` in `text`. Stops one above `web_limits.json_depth_max`. */
function countUpToDepth(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0 && count <= web_limits.json_depth_max; count++) {
    at = text.indexOf(bracket, at + 1);
  }
  return count;
}

/** Whether brackets outside of strings nest deeper than `web_limits.json_depth_max`. The text need not be JSON. */
function nestsTooDeep(text: string): boolean {
  // Fast path: most texts have fewer brackets than that.
  if (countUpToDepth(text, "{") + countUpToDepth(text, "[") <= web_limits.json_depth_max) return false;
  let depth = 0;
  let in_string = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (in_string) {
      if (char === 0x5c) i++;
      else if (char === 0x22) in_string = false;
    } else if (char === 0x22) in_string = true;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > web_limits.json_depth_max) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}

/** Reads the body as text. Throws `body_too_large`, and `malformed_request` if it is not UTF-8. */
export async function bodyText(request: Request): Promise<string> {
  const bytes = await bodyBytes(request);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError(call_errors.malformed_request, "The body is not valid UTF-8.");
  }
}

/** Returns the JSON Pointers (RFC 6901) below which a JSON body may contain a key of this service. */
type KeysBelong = (body: unknown) => readonly string[];

const nowhere: KeysBelong = () => [];

/** Parses JSON. Throws `malformed_json`, and `contains_key` if a key is outside of the places that `keysBelong` returns. */
function parseJson(bytes: BufferSource, keysBelong = nowhere): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformedJson("The body is not valid UTF-8.");
  }
  if (nestsTooDeep(text)) {
    throw malformedJson(`The body is nested deeper than ${web_limits.json_depth_max} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedJson("The body is not valid JSON.");
  }
  if (jsonMayHoldSecret(text)) refuseSecretsIn(value, keysBelong(value));
  return value;
}

/** Reads the body as JSON. Throws `unsupported_media_type`, and what `parseJson` and `bodyBytes` throw. */
export async function readJson(request: Request, keysBelong?: KeysBelong): Promise<unknown> {
  const type = mediaType(request);
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new ServiceError(web_errors.unsupported_media_type, "This path reads JSON only.");
  }
  let bytes: BufferSource;
  try {
    bytes = await sentBytes(request);
  } catch (error) {
    throw notRead(error);
  }
  return parseJson(bytes, keysBelong);
}

/** Reads the body as JSON; `{}` if the request has none. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  const has_body =
    request.headers.has("transfer-encoding") || Number(request.headers.get("content-length") ?? 0) > 0;
  return has_body ? readJson(request) : {};
}

/** Returns a reader of JSON that may contain a key of this service in the field at `pointer`. */
export const readJsonWithKey =
  (pointer: string) =>
  (request: Request): Promise<unknown> =>
    readJson(request, () => [pointer]);

/**
 * Reads the fields of a form body (application/x-www-form-urlencoded), the first of each name. Throws `origin_refused`,
 * before it reads the body, unless a page of this service sent the form.
 */
export async function readForm(request: Request, origins: OriginRules): Promise<Record<string, string>> {
  if (mediaType(request) !== "application/x-www-form-urlencoded") {
    throw new ServiceError(web_errors.unsupported_media_type, "This page takes its own form only.", {
      hint: "Programs post JSON to the API: POST /api/meet/rooms/{room}/posts",
    });
  }
  origins.checkForm(request);
  return Object.fromEntries((await readFields(request)).reverse());
}

/** Reads the names and values of a form body (application/x-www-form-urlencoded) in their order, of any sender. Throws `malformed_form`. */
export async function readFields(request: Request): Promise<[name: string, value: string][]> {
  const bytes = await bodyBytes(request);
  try {
    return utf8
      .decode(bytes)
      .split("&")
      .map((pair) => {
        const [name = "", ...values] = pair.split("=");
        return [formText(name), formText(values.join("="))];
      });
  } catch {
    throw new ServiceError(web_errors.malformed_form, "The form is not valid UTF-8.");
  }
}

// URLSearchParams would replace invalid UTF-8 with U+FFFD; this throws. Forms have CRLF as line ends.
export const formText = (text: string): string =>
  decodeURIComponent(text.replaceAll("+", " ")).replaceAll("\r\n", "\n");

/** What a form sends for a field with this schema. A list is words with spaces or commas between them. */
function valueOfField({ type }: TSchema, text: string): unknown {
  if (type === "integer") return Number(text);
  return type === "array" ? text.split(/[\s,]+/).filter(Boolean) : text;
}

/** Returns what the fields of a form send as a body. An optional field that is empty is left out. That function throws `invalid_fields`. */
export function bodyOfForm<Schema extends TObject>(
  schema: Schema,
): (form: Record<string, string | undefined>) => Static<Schema> {
  const check = checkBy(schema, "body");
  return (form) => {
    const sent = Object.entries(schema.properties).flatMap(([name, field]) => {
      const text = form[name];
      const is_left_out = text === undefined || (!text.trim() && !schema.required?.includes(name));
      return is_left_out ? [] : [[name, valueOfField(field, text)]];
    });
    return check(Object.fromEntries(sent));
  };
}

/** Headers that callers send as fields, by the plain names of these. */
const sent_as_headers = { once: "Idempotency-Key", idempotencykey: "Idempotency-Key" };

/** The kind of a schema whose values have been checked. */
const checked = "Checked";
TypeRegistry.Set(checked, () => true);

/**
 * The options of a route with a body: its schema, and how the body is read and checked. `parse: "none"` turns Elysia's own
 * parser off; docs/adr/0002-elysia.md says why. Throws `invalid_fields`, `unknown_field` and what `read` throws.
 */
export function bodyOf<Schema extends TSchema>(
  schema: Schema,
  read: (request: Request) => Promise<unknown> = readJson,
) {
  const check = checkBy(schema, "body");
  const fields = Object.keys(schema.properties as object);
  const ignoredIn = knownFields(fields, (name) => `/${name}`, sent_as_headers);
  async function transform(context: { request: Request; body: unknown }): Promise<void> {
    const sent = await read(context.request);
    const ignored = typeof sent === "object" && sent !== null ? ignoredIn(sent) : null;
    const body = check(sent) as Record<string, unknown>;
    context.body = body;
    if (!ignored) return;
    // The handler gets the known fields alone, so it may pass the body on whole.
    context.body = Object.fromEntries(
      fields.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]),
    );
    factsOf(context.request).ignored_fields = ignored;
  }
  // For the types and the OpenAPI document. Elysia would check the body by it a second time.
  const body = Type.Unsafe<Static<Schema>>({ ...schema, [Kind]: checked });
  return { body, parse: "none", transform } as const;
}
