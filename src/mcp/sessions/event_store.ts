/** The latest messages of one session's calls, kept so that a client that lost its connection can resume. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { mcp_limits } from "../limits.ts";
import { rpc_codes } from "../errors.ts";

type RequestId = string | number;

/** The requests that one POST carries: the stream that answers it belongs to them. */
export interface Calls {
  ids: RequestId[];
  /** SHA-256 of every key that was shown with them, in headers or arguments. */
  keys_sha256: Set<string>;
}

interface KeptEvent {
  id: string;
  stream: string;
  message: JSONRPCMessage | null;
  chars: number;
}

/** Longer ids of requests are not repeated in ids of events. */
const request_ids_chars_max = 128;

const lost =
  "The answer to this call is not available any more. The call may have taken effect: read before you repeat it.";

/** The error that takes the place of a lost answer, so that the call of this id ends at the client. */
export const lostAnswer = (id: RequestId): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: rpc_codes.internal, message: lost },
});

/**
 * The ids of the requests on whose stream an event of this id was sent, also when another run of the service sent it.
 * Null for an id that does not say.
 */
export function requestIdsOf(event_id: string): RequestId[] | null {
  const encoded = /^[0-9a-f]+-\d+-([\w-]+)$/.exec(event_id)?.[1];
  if (encoded === undefined || encoded.length > 2 * request_ids_chars_max) return null;
  try {
    const ids: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
    const is_valid = Array.isArray(ids) && ids.every(isRequestId);
    return is_valid && ids.length <= mcp_limits.mcp_batch_max ? ids : null;
  } catch {
    return null;
  }
}

const isRequestId = (id: unknown): id is RequestId => typeof id === "string" || Number.isSafeInteger(id);

export class RecentEvents implements EventStore {
  /** Part of every id, so that an id from before a restart is not taken for one of ours. */
  readonly #mark: string;
  /** The calls whose messages are stored: the transport names a stream without saying what it answers. */
  readonly #posting = new AsyncLocalStorage<Calls>();
  /** The calls of each stream that has an event here. */
  readonly #calls = new Map<string, Calls>();
  #events: KeptEvent[] = [];
  #chars = 0;
  #count = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Runs `post`; all events that it causes belong to `calls`. */
  during<Result>(calls: Calls, post: () => Promise<Result>): Promise<Result> {
    return this.#posting.run(calls, post);
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const calls = this.#calls.get(stream) ?? this.#posting.getStore();
    if (calls) this.#calls.set(stream, calls);
    const id = `${this.#mark}-${++this.#count}${suffix(calls?.ids ?? [])}`;
    // The SDK marks the place where a stream begins with an empty message, which is never sent again.
    const is_mark = Object.keys(message).length === 0;
    const kept = is_mark ? null : withinLimit(message);
    const chars = kept === null ? 0 : JSON.stringify(kept).length;
    this.#events.push({ id, stream, message: kept, chars });
    this.#chars += chars;
    while (
      this.#chars > mcp_limits.mcp_session_event_chars_max ||
      this.#events.length > mcp_limits.mcp_session_events_max
    ) {
      this.#drop(this.#events.shift()!);
    }
    return id;
  }

  #drop({ stream, chars }: KeptEvent): void {
    this.#chars -= chars;
    if (!this.#events.some((event) => event.stream === stream)) this.#calls.delete(stream);
  }

  /** The calls on whose stream the event of this id was sent; null when it is not kept. */
  callsOf(id: string): Calls | null {
    const stream = this.#events.find((event) => event.id === id)?.stream;
    return stream === undefined ? null : (this.#calls.get(stream) ?? null);
  }

  /** Sends what came on the same stream after the event `last_id`; resolves to the stream. */
  async replayEventsAfter(
    last_id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = this.#events.findIndex((event) => event.id === last_id);
    const stream = this.#events[from]?.stream;
    if (stream === undefined) throw new Error("The event is not kept.");
    for (const event of this.#events.slice(from + 1)) {
      if (event.stream === stream && event.message) await send(event.id, event.message);
    }
    return stream;
  }
}

function suffix(ids: RequestId[]): string {
  const text = JSON.stringify(ids);
  return ids.length === 0 || text.length > request_ids_chars_max
    ? ""
    : `-${Buffer.from(text).toString("base64url")}`;
}

/** What is kept of a message: one that is too long is kept as a lost answer. */
function withinLimit(message: JSONRPCMessage): JSONRPCMessage | null {
  if (JSON.stringify(message).length <= mcp_limits.mcp_session_event_chars_max) return message;
  return "id" in message && isRequestId(message.id) ? lostAnswer(message.id) : null;
}
