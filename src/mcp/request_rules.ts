/** The rules of requests at an MCP address that hold before any message of theirs is answered. */

import { holdsSecret, refuseSecrets } from "../core/secrets.ts";
import { RpcFailure, rpc_codes } from "./errors.ts";
import { mcp_limits } from "./limits.ts";
import { progressTokenIn } from "./progress.ts";
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

/**
 * Throws RpcFailure for a message, or one in a batch, that is too long to be checked, or to be held while it is answered: its id, the
 * token of its progress, or all but the arguments of a tool.
 */
export function checkLengths(body: unknown): void {
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isObject(message)) continue;
    refuseLonger(message.id, mcp_limits.mcp_request_id_chars_max, "The id of a request");
    const params = isObject(message.params) ? message.params : {};
    refuseLonger(progressTokenIn(params), mcp_limits.mcp_progress_token_chars_max, "A progress token");
    const { arguments: args, ...others } = params;
    const given = isToolCall(message) && isObject(args) ? { ...message, params: others } : message;
    // The icons of a client may be long texts, which are nothing to check.
    const is_handshake = isRequest(message) && message.method === "initialize";
    refuseLonger(
      JSON.stringify(given, is_handshake ? shortened : undefined),
      mcp_limits.mcp_message_chars_max,
      "A message without the arguments of a tool",
    );
  }
}

const shortened = (_: string, value: unknown) => (typeof value === "string" ? value.slice(0, 256) : value);

function refuseLonger(text: unknown, chars_max: number, what: string): void {
  if (typeof text === "string" && text.length > chars_max)
    throw badRequest(`${what} has at most ${chars_max.toLocaleString("en")} characters.`);
}

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
