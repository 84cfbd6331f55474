/**
 * The short way for the calls that make up nearly all traffic: a complete, ordinary request is recognised and answered in
 * plain JSON without the SDK's machinery of one server a request. Whatever is unusual about a request leaves it to the SDK.
 */

import { sendJson } from "../web/responses.ts";
import { ResourceNotFound, rpc_codes, type RpcFailure } from "./errors.ts";
import type { Offer, RpcRequest } from "./types.ts";

/** The revisions in which a request stands alone, and those with a handshake. */
export const modern_version = "2026-07-28";
const handshake_versions = new Set(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]);
/** All of them, the newest first. */
export const protocol_versions = [modern_version, ...handshake_versions];
/** The last revision with JSON-RPC batches, and the one that a request without the version header is taken to follow. */
export const batch_version = "2025-03-26";

/** Of the keys in `_meta` that the protocol itself gives a meaning. */
export const meta_prefix = "io.modelcontextprotocol/";

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

/** The era whose rules an ordinary request follows to the letter; null when the SDK has to look at it. */
export function ordinaryEra(headers: Headers, message: RpcRequest): Era | null {
  const version = headers.get("mcp-protocol-version");
  const meta = message.params?.["_meta"] ?? {};
  if (!isObject(meta)) return null;
  if (version === modern_version) return isOrdinaryModern(headers, message, meta) ? "modern" : null;
  const is_known = version === null || handshake_versions.has(version);
  return is_known && !(`${meta_prefix}protocolVersion` in meta) ? "handshake" : null;
}

/** Which of the params the header Mcp-Name repeats. */
const named_by = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

// The rules of 2026-07-28, "Streamable HTTP": the headers repeat what the body says, and each request says who asks.
function isOrdinaryModern(headers: Headers, message: RpcRequest, meta: Record<string, unknown>): boolean {
  const client = meta[`${meta_prefix}clientInfo`];
  const capabilities = meta[`${meta_prefix}clientCapabilities`];
  const named = message.params?.[named_by.get(message.method) ?? ""];
  return (
    headers.get("mcp-method") === message.method &&
    (typeof named !== "string" || headers.get("mcp-name") === named) &&
    meta[`${meta_prefix}protocolVersion`] === modern_version &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    isObject(client) &&
    typeof client.name === "string" &&
    typeof client.version === "string" &&
    meta[`${meta_prefix}logLevel`] === undefined
  );
}

/** What a client may keep for a while; here for no time at all, for all of it changes. */
const cacheable = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** The answer to a request in the terms of its era. */
export function resultResponse(era: Era, offer: Offer, message: RpcRequest, result: object): Response {
  const { id, method } = message;
  if (era === "handshake") return sendJson({ jsonrpc: "2.0", id, result }, 200);
  const said = {
    ...result,
    resultType: "complete",
    ...(cacheable.has(method) && { ttlMs: 0, cacheScope: "private" }),
    _meta: { [`${meta_prefix}serverInfo`]: offer.info },
  };
  return sendJson({ jsonrpc: "2.0", id, result: said }, 200);
}

/** The response with a JSON-RPC error, in the terms of `era`. `id` is that of the request; null if the error answers no single one. */
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
