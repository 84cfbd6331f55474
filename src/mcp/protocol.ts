/**
 * Revisions of the protocol, and the fast path: nearly every request is complete and ordinary, and is answered in plain JSON
 * without a server of the SDK. Every other request is left to the SDK.
 */

import { sendJson, sendJsonText } from "../web/responses.ts";
import { ResourceNotFound, rpc_codes, RpcFailure } from "./errors.ts";
import { jsonOf } from "./result_text.ts";
import type { Endpoint, RpcRequest } from "./types.ts";

/** The revision without a handshake, and those with one. */
export const modern_version = "2026-07-28";
const handshake_versions = new Set(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]);
/** All revisions, the newest first. */
export const protocol_versions = [modern_version, ...handshake_versions];
/** The last revision with JSON-RPC batches. Also the revision of a request without the version header. */
export const batch_version = "2025-03-26";

/** The prefix of the keys in `_meta` that the protocol defines. */
export const meta_prefix = "io.modelcontextprotocol/";
const meta_version = `${meta_prefix}protocolVersion`;
const meta_client = `${meta_prefix}clientInfo`;
const meta_capabilities = `${meta_prefix}clientCapabilities`;
const meta_log_level = `${meta_prefix}logLevel`;
const meta_server = `${meta_prefix}serverInfo`;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isRequest = (message: unknown): message is RpcRequest =>
  isObject(message) &&
  message.jsonrpc === "2.0" &&
  (typeof message.id === "string" || Number.isSafeInteger(message.id)) &&
  typeof message.method === "string" &&
  (message.params === undefined || isObject(message.params)) &&
  message.result === undefined &&
  message.error === undefined;

export type Era = "modern" | "handshake";

/** The headers of a request that the protocol defines; null for those that were not sent. */
export interface ProtocolHeaders {
  version: string | null;
  method: string | null;
  name: string | null;
  session_id: string | null;
}

export const protocolHeaders = (headers: Headers): ProtocolHeaders => ({
  version: headers.get("mcp-protocol-version"),
  method: headers.get("mcp-method"),
  name: headers.get("mcp-name"),
  session_id: headers.get("mcp-session-id"),
});

/** The era of an ordinary request, which follows its rules exactly; null if the SDK has to check the request. */
export function ordinaryEra(sent: ProtocolHeaders, message: RpcRequest): Era | null {
  const { version } = sent;
  const meta = message.params?.["_meta"] ?? {};
  if (!isObject(meta)) return null;
  if (version === modern_version) return isOrdinaryModern(sent, message, meta) ? "modern" : null;
  const is_known = version === null || handshake_versions.has(version);
  return is_known && !(meta_version in meta) ? "handshake" : null;
}

/** The param that the header Mcp-Name repeats, by method. */
export const named_by: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

// The rules of 2026-07-28, "Streamable HTTP": headers repeat members of the body, and each request names its client.
function isOrdinaryModern(
  sent: ProtocolHeaders,
  message: RpcRequest,
  meta: Record<string, unknown>,
): boolean {
  const client = meta[meta_client];
  const capabilities = meta[meta_capabilities];
  const named = message.params?.[named_by.get(message.method) ?? ""];
  return (
    sent.method === message.method &&
    (typeof named !== "string" || sent.name === named) &&
    meta[meta_version] === modern_version &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    isObject(client) &&
    typeof client.name === "string" &&
    typeof client.version === "string" &&
    meta[meta_log_level] === undefined
  );
}

/** Methods whose results a client may cache. All of ours change, so that the time to live is 0. */
const cacheable = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** The response with a result or an error, in the form of `era`. */
export function answerResponse(
  era: Era,
  endpoint: Endpoint,
  { id, method }: RpcRequest,
  result: object | RpcFailure,
): Response {
  if (result instanceof RpcFailure) return failureResponse(result, id, era);
  const text = era === "handshake" ? jsonOf(result) : modernText(endpoint, method, result);
  return sendJsonText(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`, 200);
}

/** The JSON of a result with the members that revision 2026-07-28 adds to it. */
function modernText(endpoint: Endpoint, method: string, result: object): string {
  // Fast path: the result of a tool has members, and none of these. Its JSON may have been made before.
  if (method === "tools/call") return `${jsonOf(result).slice(0, -1)},${addedTo(endpoint)}`;
  return JSON.stringify({
    ...result,
    resultType: "complete",
    ...(cacheable.has(method) && { ttlMs: 0, cacheScope: "private" }),
    _meta: { [meta_server]: endpoint.info },
  });
}

const added = new WeakMap<Endpoint, string>();

/** The end of the JSON of the result of a tool: what the revision adds to every one. */
function addedTo(endpoint: Endpoint): string {
  let text = added.get(endpoint);
  if (text === undefined) {
    text = JSON.stringify({ resultType: "complete", _meta: { [meta_server]: endpoint.info } }).slice(1);
    added.set(endpoint, text);
  }
  return text;
}

/** The response with a JSON-RPC error, in the form of `era`. `id`: the id of the request; null if the error answers no single request. */
export function failureResponse(
  failure: RpcFailure,
  id: string | number | null = null,
  era: Era = "modern",
): Response {
  const { message, data, http } = failure;
  const is_older = era === "handshake" && failure instanceof ResourceNotFound;
  const code = is_older ? rpc_codes.resource_not_found : failure.code;
  const error = { code, message, ...(data && { data }) };
  return sendJson({ jsonrpc: "2.0", id, error }, http?.status ?? 200, null, http?.headers);
}
