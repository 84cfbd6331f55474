/** The calls in a request to a session, the keys that they were made with, and how a client resumes them. */

import type { Caller } from "../../core/caller.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { credentialOf } from "../../web/credential.ts";
import { empty_comment, event_stream_headers } from "../../web/sse/format.ts";
import { isObject, isRequest } from "../protocol.ts";
import type { Readers } from "../subscriptions/followed.ts";
import { messageEvent } from "../subscriptions/pending.ts";
import { isRequestId, type Calls, type RequestId } from "./event_store.ts";

/** The requests in a body, and the keys sent with them. */
export function callsIn(request: Request, body: unknown, { namedIn }: Readers): Omit<Calls, "repeatable"> {
  const requests = (Array.isArray(body) ? body : [body]).filter(isRequest);
  const arguments_sent = requests.map(({ params }) => params?.arguments).filter(isObject);
  const keys = [keyIn(request), ...arguments_sent.map(({ key }) => key)].filter(
    (key) => typeof key === "string",
  );
  return {
    ids: requests.map(({ id }) => id),
    keys_sha256: new Set(keys.map(sha256Hex)),
    named: keys.length > 0 ? namedIn(JSON.stringify(arguments_sent)) : [],
  };
}

/** The id of the request that a message cancels; null if it cancels none. */
export function cancelledBy(message: object): RequestId | null {
  if (!("method" in message) || message.method !== "notifications/cancelled") return null;
  const params = "params" in message && isObject(message.params) ? message.params : {};
  return isRequestId(params.requestId) ? params.requestId : null;
}

export const keyIn = (request: Request): string | null => credentialOf(request).key;

/** Whether a request to resume calls has the keys that these were made with. */
export function hasKeysOf(request: Request, { keys_sha256 }: Calls): boolean {
  const shown = sha256Hex(keyIn(request) ?? "");
  return [...keys_sha256].every((key_sha256) => key_sha256 === shown);
}

/** Whether the caller may read what its calls and these answers to them name. Without a key they have read nothing else. */
export const mayReadAgain = async (
  { namedIn, mayRead }: Readers,
  caller: Caller,
  { keys_sha256, named }: Calls,
  answers: readonly string[],
): Promise<boolean> => keys_sha256.size === 0 || mayRead(caller, [...named, ...answers.flatMap(namedIn)]);

/** A stream that sends these messages and ends. */
export const endedStream = (messages: object[]): Response =>
  new Response(empty_comment + messages.map(messageEvent).join(""), { headers: event_stream_headers });

/** The request without Last-Event-ID, which the transport would reject if unknown. */
export function withoutPosition(request: Request): Request {
  if (!request.headers.has("last-event-id")) return request;
  const headers = new Headers(request.headers);
  headers.delete("last-event-id");
  return new Request(request.url, { headers, signal: request.signal });
}
