/** The rules of requests at an MCP address that hold before any message of theirs is answered. */

import { holdsSecret, refuseSecrets } from "../core/secrets.ts";
import { RpcFailure, rpc_codes } from "./errors.ts";
import { mcp_limits } from "./limits.ts";
import { batch_version, isObject, isRequest, modern_version, type ProtocolHeaders } from "./protocol.ts";

export const isToolCall = (message: unknown): boolean =>
  isRequest(message) && message.method === "tools/call";

/** The id of the session that a request names; null if it names none, or follows the revision without sessions. */
export function sessionIdIn({ version, session_id }: ProtocolHeaders): string | null {
  return version === modern_version ? null : session_id;
}

/** Throws RpcFailure for a batch that is too long, or in a revision without batches. `of_session`: the revision of its session, if it has one. */
export function checkBatch(messages: unknown[], sent: ProtocolHeaders, of_session: unknown): void {
  const version = sent.version ?? of_session ?? batch_version;
  if (String(version) > batch_version) {
    throw badRequest("This revision has no batches: send one message a request.");
  }
  if (messages.length > mcp_limits.mcp_batch_max) {
    throw badRequest(
      `A batch has at most ${mcp_limits.mcp_batch_max} messages: send several, or one message a request.`,
    );
  }
}

/** Throws RpcFailure for a message, or one in a batch, whose id is too long to be held while it is answered. */
export function checkIds(body: unknown): void {
  const messages = Array.isArray(body) ? body : [body];
  if (!messages.some(hasLongId)) return;
  const max = mcp_limits.mcp_request_id_chars_max.toLocaleString("en");
  throw badRequest(`The id of a request has at most ${max} characters.`);
}

const hasLongId = (message: unknown): boolean =>
  isObject(message) &&
  typeof message.id === "string" &&
  message.id.length > mcp_limits.mcp_request_id_chars_max;

/** Throws `contains_key` for a key in a header that the SDK repeats in an error. */
export function refuseKeysInHeaders({ version, method, name }: ProtocolHeaders): void {
  refuseKeyIn("mcp-protocol-version", version);
  refuseKeyIn("mcp-method", method);
  refuseKeyIn("mcp-name", name);
}

function refuseKeyIn(header: string, text: string | null): void {
  if (text !== null && holdsSecret(text)) refuseSecrets({ [header]: text });
}

/** Pointers to the parts of a message that may contain a key: the arguments of a tool, which checks them itself. */
export const keysBelong = (body: unknown): string[] =>
  Array.isArray(body)
    ? body.flatMap((message, i) => (isToolCall(message) ? `/${i}/params/arguments` : []))
    : isToolCall(body)
      ? ["/params/arguments"]
      : [];

export const badRequest = (message: string): RpcFailure =>
  new RpcFailure(rpc_codes.invalid_request, message, undefined, { status: 400 });
