/** Builds responses: content negotiation, ETags, conditional requests. */

import Negotiator from "negotiator";
import { web_errors } from "./errors.ts";
import { ServiceError } from "../core/errors.ts";
import { budgetHeaders } from "./problems.ts";
import { web_limits } from "./limits.ts";
import type { Chunks } from "../core/chunks.ts";
import type { Caller } from "../core/caller.ts";
import { compressed, encodingFor, type Encoding } from "./compression.ts";
import { noteBody } from "./body_bytes.ts";
import { fromBytes, fromChunks, type BodySource } from "./body_sources.ts";

/**
 * The headers of every answer; `origin_rules.ts` adds the headers of CORS. `same-origin` hides our URLs from other sites.
 * `no-referrer` would make browsers send `Origin: null` with our own forms.
 */
export const shared_headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

export const media = {
  json: "application/json",
  markdown: "text/markdown",
  html: "text/html",
  text: "text/plain",
} as const;
export type Form = keyof typeof media;

/** The form among `offered` that the Accept header prefers; the first if it has no preference. Throws `not_acceptable`. */
export function chooseForm<F extends Form>(request: Request, offered: readonly F[]): F {
  const accept = request.headers.get("accept");
  if (accept === null || accept === "*/*") return offered[0]!;
  const types = offered.map((form) => media[form]);
  const chosen = new Negotiator({ headers: { accept } }).mediaType(types);
  const form = offered.find((form) => media[form] === chosen);
  if (form) return form;
  throw new ServiceError(web_errors.not_acceptable, `This exists as ${types.join(" and ")}.`, {
    hint: `Send Accept: ${types[0]}, or leave the header out.`,
  });
}

/** Splits `.md` from the last part of a path, which then names a markdown twin. */
export const markdownTwin = (part: string): { name: string; is_markdown: boolean } =>
  part.endsWith(".md") ? { name: part.slice(0, -3), is_markdown: true } : { name: part, is_markdown: false };

/**
 * The form to answer in at `path` (a whole path or its last part), and `path` without `.md`. With `.md` the form is Markdown,
 * otherwise `chooseForm` chooses it.
 */
export function formAt<F extends Form>(
  request: Request,
  path: string,
  offered: readonly F[],
): { name: string; form: F | "markdown" } {
  return path.endsWith(".md")
    ? { name: path.slice(0, -3), form: "markdown" }
    : { name: path, form: chooseForm(request, offered) };
}

/** The bytes of an answer, their strong validator (RFC 9110, section 8.8.3), and all headers. Made once and reused. */
export interface Tagged {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  headers: Headers;
  /** Compressed copies, made at the first request for them. */
  encoded: Partial<Record<Encoding, Promise<Tagged>>>;
}

export type ExtraHeaders = Record<string, string>;

const utf8 = new TextEncoder();

/** Adds headers to bytes. The ETag is the beginning of their SHA-256 in base64url, unless `extra` has one. */
export function withTag(
  bytes: Uint8Array<ArrayBuffer>,
  digest: string,
  content_type: string,
  extra: ExtraHeaders = {},
): Tagged {
  const etag = extra.etag ?? `"${digest.slice(0, 22)}"`;
  const always = { etag, "cache-control": "no-cache", vary: "Accept", "content-type": content_type };
  const headers = new Headers({ ...shared_headers, ...always, ...extra });
  headers.append("vary", "Accept-Encoding");
  return { bytes, etag, headers, encoded: {} };
}

/** The text as bytes with their ETag. */
export function tagged(text: string, content_type: string, extra?: ExtraHeaders): Tagged {
  const bytes = utf8.encode(text);
  const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return withTag(bytes, digest, content_type, extra);
}

export const taggedJson = (value: unknown, extra?: ExtraHeaders): Tagged =>
  tagged(JSON.stringify(value), media.json, extra);
export const taggedMarkdown = (text: string, extra?: ExtraHeaders): Tagged =>
  tagged(text, `${media.markdown}; charset=utf-8`, extra);
export const taggedText = (text: string, extra?: ExtraHeaders): Tagged =>
  tagged(text, `${media.text}; charset=utf-8`, extra);
export const taggedHtml = (text: string, extra?: ExtraHeaders): Tagged =>
  tagged(text, `${media.html}; charset=utf-8`, extra);

/**
 * Answers with the bytes, compressed if the reader accepts it, or with 304 if If-None-Match names their ETag (RFC 9110,
 * section 13.1.2).
 */
export function sendTagged(request: Request, tagged: Tagged): Response | Promise<Response> {
  const encoding = encodingFor(request, tagged.bytes.length, tagged.headers);
  return encoding === null ? send(request, tagged) : sendEncoded(request, tagged, encoding);
}

async function sendEncoded(request: Request, tagged: Tagged, encoding: Encoding): Promise<Response> {
  const making = (tagged.encoded[encoding] ??= encodedAs(tagged, encoding));
  try {
    return send(request, await making);
  } catch (error) {
    // The next reader tries again.
    if (tagged.encoded[encoding] === making) delete tagged.encoded[encoding];
    throw error;
  }
}

/** The same in another encoding, with an ETag of its own. */
async function encodedAs({ bytes, etag, headers, encoded }: Tagged, encoding: Encoding): Promise<Tagged> {
  const its_etag = etag.replace(/"$/, `-${encoding}"`);
  const its_headers = new Headers(headers);
  its_headers.set("etag", its_etag);
  its_headers.set("content-encoding", encoding);
  const is_lasting = headers.get("cache-control")?.includes("immutable") === true;
  return {
    bytes: await compressed(bytes, encoding, is_lasting),
    etag: its_etag,
    headers: its_headers,
    encoded,
  };
}

function send(request: Request, { bytes, etag, headers }: Tagged): Response {
  return notModified(request, etag, headers) ?? sendBytes(bytes, { headers });
}

/** 304 without a body if If-None-Match names `etag` (RFC 9110, section 13.1.2); else null. */
function notModified(request: Request, etag: string, headers: Headers): Response | null {
  const known = request.headers.get("if-none-match");
  if (known === null || !matches(known, etag)) return null;
  const not_modified = new Response(null, { status: 304, headers });
  not_modified.headers.delete("content-type");
  not_modified.headers.delete("content-encoding");
  return not_modified;
}

const matches = (condition: string, etag: string): boolean =>
  condition.trim() === "*" ||
  condition.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);

// Made once, because building headers costs as much as the rest of an answer.
const json_headers = new Headers({
  ...shared_headers,
  "content-type": media.json,
  "cache-control": "no-store",
});

/** A JSON answer, already serialised, that must not be cached. */
export const sendJsonText = (json: string, status: number): Response =>
  sendText(json, { status, headers: json_headers });

/** A JSON answer that must not be cached. */
export function sendJson(
  value: unknown,
  status: number,
  caller: Caller | null = null,
  extra?: ExtraHeaders,
): Response {
  const response = sendJsonText(JSON.stringify(value), status);
  if (caller?.budget) addHeaders(response, budgetHeaders(caller.budget));
  if (caller?.replayed) response.headers.set("idempotency-replayed", "true");
  if (extra) addHeaders(response, extra);
  return response;
}

/** Leads the browser that sent a form to another page (RFC 9110, section 15.4.4). */
export const seeOther = (location: string, extra: ExtraHeaders = {}): Response =>
  new Response(null, { status: 303, headers: { location, "cache-control": "no-store", ...extra } });

/** Leads to another page, and sets cookies: the texts of Set-Cookie headers. */
export function seeOtherWith(location: string, cookies: string[]): Response {
  const response = seeOther(location);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Sets headers of an answer. */
export function addHeaders({ headers }: Response, extra: ExtraHeaders): void {
  for (const [name, text] of Object.entries(extra)) headers.set(name, text);
}

const source_of = Symbol("where the body comes from");
type Answer = Response & { [source_of]?: BodySource };

/** The source of a body that the ingress sends in pieces (`body_streams.ts`); undefined for other answers. */
export const sourceOf = (response: Answer): BodySource | undefined => response[source_of];

/** An answer with the body of `source`. */
export function sendFrom(source: BodySource, init: ResponseInit): Response {
  const response: Answer = new Response(null, init);
  response[source_of] = source;
  return response;
}

/** An answer with these bytes; large ones are sent in pieces. */
const sendBytes = (bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response =>
  bytes.length <= web_limits.whole_body_bytes_max
    ? noteBody(new Response(bytes, init), bytes)
    : sendFrom(fromBytes(bytes), init);

/** An answer with this text, as for `sendBytes`. A UTF-16 unit is at most 3 bytes of UTF-8. */
export const sendText = (text: string, init: ResponseInit): Response =>
  text.length <= web_limits.whole_body_bytes_max / 3
    ? noteBody(new Response(text, init), text)
    : sendBytes(utf8.encode(text), init);

/** An answer that is made in chunks, as fast as it is read. `held_bytes` stay in memory until it ends. */
export const sendChunks = (
  chunks: Chunks<string>,
  content_type: string,
  headers: Record<string, string> = {},
  held_bytes = 0,
): Response =>
  sendFrom(fromChunks(chunks, held_bytes), {
    headers: { "content-type": content_type, "cache-control": "no-cache", vary: "Accept", ...headers },
  });

/**
 * An answer that is made in chunks, as fast as it is read, with the validator of `version`: a text that changes whenever the
 * answer does. It has the headers of `tagged`.
 */
export function sendTaggedChunks(
  request: Request,
  version: string,
  chunks: Chunks<string>,
  content_type: string,
  extra?: ExtraHeaders,
): Response {
  const { etag, headers } = tagged(version, content_type, extra);
  return notModified(request, etag, headers) ?? sendFrom(fromChunks(chunks), { headers });
}
