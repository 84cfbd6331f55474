/** Messages of MCP as they are sent, for tests that use no client library: both eras of the protocol. */

import type { Readers } from "../../src/mcp/subscriptions/followed.ts";
import { post } from "./http.ts";
import { readEvents } from "./sse.ts";

export interface Rpc<Result = Record<string, never>> {
  id: unknown;
  result?: Result;
  error?: { code: number; message: string; data?: unknown };
}

export const message = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** A request of an older revision, without a handshake; with headers, of a session. */
export const ask = <Result>(
  url: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
) => post<Rpc<Result>>(url, message(method, params), headers);

const clientInfo = { name: "test", version: "1.0.0" };
/** The params of initialize. */
export const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };

/** Begins a session. Returns the header that continues it. */
export async function beginSession(url: string): Promise<{ "mcp-session-id": string }> {
  const { headers } = await ask(url, "initialize", handshake);
  return { "mcp-session-id": headers.get("mcp-session-id")! };
}

const prefix = "io.modelcontextprotocol/";

/** A request of 2026-07-28: the headers that it needs, and its message. */
export function modern(method: string, params: Record<string, unknown> = {}, id: unknown = 1) {
  const named = params.uri ?? params.name;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof named === "string" && { "mcp-name": named }),
  };
  const meta = {
    [`${prefix}protocolVersion`]: "2026-07-28",
    [`${prefix}clientInfo`]: clientInfo,
    [`${prefix}clientCapabilities`]: {},
  };
  return { headers, body: message(method, { ...params, _meta: meta }, id) };
}

export function askModern<Result>(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  more_headers: Record<string, string> = {},
) {
  const { headers, body } = modern(method, params);
  return post<Rpc<Result>>(url, body, { ...headers, ...more_headers });
}

/** The params of subscriptions/listen. */
export const following = (uris: unknown[]) => ({ notifications: { resourceSubscriptions: uris } });

/** Opens the stream of a subscription whose id is `a`. */
export function listen(url: string, uris: string[]) {
  const { headers, body } = modern("subscriptions/listen", following(uris), "a");
  return readEvents(url, headers, JSON.stringify(body));
}

/** For a service in which everybody may read everything. */
export const everybody_reads: Readers = {
  mayFollow: () => Promise.resolve(true),
  endedBy: () => null,
  namedIn: () => [],
  mayRead: () => Promise.resolve(true),
};
