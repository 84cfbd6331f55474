/**
 * Calls that wait, as ids of events. The first event of such a call's stream has the call itself in its id, with a code. A
 * client that lost its connection names that event, and any node can make the call again: it is written so that a repetition
 * changes nothing, and misses nothing (`Tool.repeatable`).
 */

import { mcp_limits } from "../limits.ts";
import { metaOfRepetition, progressTokenIn } from "../progress.ts";
import { isObject } from "../protocol.ts";
import type { RpcRequest } from "../types.ts";

/** Makes the code of a text that the session got. */
type CodeOf = (text: string) => string;

interface StoredCall {
  id: string | number;
  name: unknown;
  /** The arguments of the call. A key among them is replaced by null, and has to be sent again. */
  arguments: Record<string, unknown>;
  made_ms: number;
  /** The token by which its client asks for progress. */
  token?: string | number;
}

/** The call as the end of an id; null if that would be too long for a header. */
export function asIdEnd({ id, params = {} }: RpcRequest, made_ms: number, codeOf: CodeOf): string | null {
  // Without a key is as with null.
  const { key = null, ...sent } = params.arguments as Record<string, unknown>;
  const token = progressTokenIn(params);
  const call: StoredCall = {
    id,
    name: params.name,
    arguments: { ...sent, ...(key !== null && { key: null }) },
    made_ms,
    ...(token !== null && { token }),
  };
  const text = Buffer.from(JSON.stringify(call)).toString("base64url");
  return text.length > mcp_limits.mcp_event_id_chars_max ? null : `${text}.${codeOf(text)}`;
}

/**
 * The call whose stream began with the event of this id, with `key` (null: none was sent) in place of its own key. Null if the
 * id does not contain a call, is older than an hour, was not given to this session, or if the call had a key and none is sent.
 */
export function repeatableCall(
  event_id: string,
  key: string | null,
  now_ms: number,
  codeOf: CodeOf,
): RpcRequest | null {
  const [, text, code] = /^[0-9a-f]+-\d+-([\w-]+)\.([\w-]+)$/.exec(event_id) ?? [];
  if (text === undefined || code !== codeOf(text)) return null;
  const call = JSON.parse(Buffer.from(text, "base64url").toString()) as StoredCall;
  if (now_ms - call.made_ms > mcp_limits.mcp_resume_minutes * 60_000) return null;
  const { id, name, arguments: args, made_ms, token } = call;
  if ("key" in args && key === null) return null;
  const params = {
    name,
    arguments: { ...args, ...("key" in args && { key }) },
    ...(token !== undefined && { _meta: metaOfRepetition(token, made_ms) }),
  };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** The id of the request in the end of an event's id; undefined if it has none. Its code is not checked. */
export function requestIdIn(text: string): unknown {
  const call: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
  return isObject(call) ? call.id : undefined;
}
