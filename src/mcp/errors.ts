/** Failures of a request as JSON-RPC tells them (section 5.1), and which of them a ServiceError is. */

import { hintFor, ServiceError, type Hints } from "../core/errors.ts";
import { statusOf } from "../web/problems.ts";

export const rpc_codes = {
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
  /** Of revisions up to 2025-11-25 ("Resources", "Error Handling"); 2026-07-28 says it with invalid_params and the URI. */
  resource_not_found: -32002,
} as const;

/** A request that cannot be answered. `message` is for the caller: what is wrong, and what to do next. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

export const invalidParams = (message: string): RpcFailure =>
  new RpcFailure(rpc_codes.invalid_params, message);

/** The newest revision's code; the older one's is put in its place where an older revision is spoken. */
export class ResourceNotFound extends RpcFailure {
  constructor(uri: string, message: string) {
    super(rpc_codes.invalid_params, message, { uri });
  }
}

/** The text among `params` under this name. Throws when there is none. */
export function textParam(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw invalidParams(`params.${name} must be a string.`);
}

/** What an MCP client does next after an error that any tool can meet. */
export const mcp_hints: Hints = {
  contains_key:
    "Take the key out, then make the same call. If others may have seen it, revoke it: no tool does that, /api.md says how.",
  "unknown_credential.two_keys": "Send one key: with the call, or with every request of the client.",
};

/** A refusal in one line: its code, what happened, what to do. */
export const refusalText = (error: ServiceError): string =>
  `Refused (${error.code}): ${error.detail} ${hintFor(mcp_hints, error) ?? error.extra.hint ?? ""}`.trim();

/** `error` as a failure that may be told; null for one that nobody expected. */
export function rpcFailureOf(error: unknown): RpcFailure | null {
  if (error instanceof RpcFailure) return error;
  if (!(error instanceof ServiceError)) return null;
  const code = statusOf(error.definition) < 500 ? rpc_codes.invalid_params : rpc_codes.internal;
  return new RpcFailure(code, refusalText(error));
}
