/** JSON-RPC messages as the bridge handles them: it reads no more of a message than it needs to pass it on. */

import { isObject, meta_prefix, named_by } from "../mcp/protocol.ts";
import { rpc_codes } from "../mcp/errors.ts";

export type Message = Record<string, unknown>;

export interface Request extends Message {
  id: string | number;
  method: string;
}

/** The answer to a request, without its id. */
export type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

export const isRequest = (message: Message): message is Request =>
  typeof message.method === "string" && (typeof message.id === "string" || typeof message.id === "number");

export const isAnswer = (message: Message): boolean => "result" in message || "error" in message;

export const answerIn = ({ result, error }: Message): Answer =>
  error === undefined ? { result } : { error: error as { code: number; message: string } };

export const failure = (code: number, message: string): Answer => ({ error: { code, message } });

/** The service refuses a request that a request of the client needs. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super("error" in answer ? answer.error.message : "Refused.");
  }
}

/** The answer to a call whose fate is unknown. */
export const unanswered = (reason: string): Answer =>
  failure(rpc_codes.internal, `${reason} The call may have taken effect: read before you repeat it.`);

export const paramsOf = ({ params }: Message): Message => (isObject(params) ? params : {});

const metaOf = (message: Message): Message => {
  const { _meta: meta } = paramsOf(message);
  return isObject(meta) ? meta : {};
};

/** The revision that a message of 2026-07-28 or later names; null for a message of an older revision, which has a session. */
export function revisionOf(message: Message): string | null {
  const version = metaOf(message)[`${meta_prefix}protocolVersion`];
  return typeof version === "string" ? version : null;
}

/** The headers of a message without a session, which repeat members of it (2026-07-28, "Streamable HTTP"). */
export function headersOf(message: Message, revision: string): Record<string, string> {
  const { method } = message;
  if (typeof method !== "string") return { "mcp-protocol-version": revision };
  const named = paramsOf(message)[named_by.get(method) ?? ""];
  return {
    "mcp-protocol-version": revision,
    "mcp-method": asHeader(method),
    ...(typeof named === "string" && { "mcp-name": asHeader(named) }),
  };
}

/** A value that a header cannot carry as it is gets the form that the revision defines for it. */
const asHeader = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;

const subscription_id = `${meta_prefix}subscriptionId`;

/** The notification that a resource may have changed; `id`: of the subscription, if it has one. */
export const updated = (uri: string, id?: string | number): Message => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { ...(id !== undefined && { _meta: { [subscription_id]: id } }), uri },
});
