/** JSON-RPC errors (JSON-RPC 2.0, section 5.1). */

export const rpc_codes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
  /** Up to revision 2025-11-25 ("Resources", "Error Handling"); 2026-07-28 uses invalid_params and the URI. */
  resource_not_found: -32002,
  session_not_found: -32001,
  /** Of the range for errors of an implementation: the address has no such HTTP method. */
  no_such_method: -32000,
} as const;

/** The JSON-RPC error of a request. `message` is for the caller: the fault, and what to do next. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
    /** The response's status, and headers; left out, the status is 200. */
    readonly http?: { status: number; headers?: Record<string, string> },
  ) {
    super(message);
  }
}

export const invalidParams = (message: string): RpcFailure =>
  new RpcFailure(rpc_codes.invalid_params, message);

/** Has the code of the newest revision; a response in an older revision replaces it. */
export class ResourceNotFound extends RpcFailure {
  constructor(uri: string, message: string) {
    super(rpc_codes.invalid_params, message, { uri });
  }
}

/** The session that a request names does not exist, or no longer. */
export class UnknownSession extends RpcFailure {
  constructor() {
    const message = "Session not found: begin a new one with initialize.";
    super(rpc_codes.session_not_found, message, undefined, { status: 404 });
  }
}

/** The string `params[name]`. Throws RpcFailure if it is none. */
export function textParam(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw invalidParams(`params.${name} must be a string.`);
}
