/** The latest messages of one session's calls, stored so that a client that lost its connection can resume. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { mcp_limits } from "../limits.ts";
import { rpc_codes } from "../errors.ts";
import { requestIdIn } from "./repeatable_call.ts";

export type RequestId = string | number;

/** The requests of one POST. One stream answers them. */
export interface Calls {
  ids: RequestId[];
  /** SHA-256 of every key sent with them, in headers or arguments. */
  keys_sha256: Set<string>;
  /** What their arguments name that not everybody may read. */
  named: string[];
  /** The end of the id of the stream's first event: the call, for other nodes. Null if none can make it again. */
  repeatable: string | null;
}

interface StoredEvent {
  id: string;
  stream: string;
  message: JSONRPCMessage | null;
  chars: number;
}

/** Longer ids of requests are not repeated in ids of events. */
const request_ids_chars_max = 128;

const lost =
  "The answer to this call is not available any more. The call may have taken effect: read before you repeat it.";

const errorFor = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: rpc_codes.internal, message },
});

/** The error in place of a lost answer: it ends the call at the client. */
export const lostAnswer = (id: RequestId): JSONRPCMessage => errorFor(id, lost);

/** The error in place of the answer to a cancelled call: it ends the stream of the call. */
export const cancelledAnswer = (id: RequestId): JSONRPCMessage => errorFor(id, "The call was cancelled.");

/**
 * The ids of the requests on whose stream the event was sent, even if another run of the service sent it. Null if the id of
 * the event does not contain them.
 */
export function requestIdsOf(event_id: string): RequestId[] | null {
  const [, encoded, code] = /^[0-9a-f]+-\d+-([\w-]+)(\.[\w-]+)?$/.exec(event_id) ?? [];
  if (encoded === undefined || encoded.length > mcp_limits.mcp_event_id_chars_max) return null;
  try {
    const ids: unknown =
      code === undefined ? JSON.parse(Buffer.from(encoded, "base64url").toString()) : [requestIdIn(encoded)];
    const is_valid = Array.isArray(ids) && ids.every(isRequestId);
    return is_valid && ids.length <= mcp_limits.mcp_batch_max ? ids : null;
  } catch {
    return null;
  }
}

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === "string" || Number.isSafeInteger(id);

/** The stored events of all sessions, the oldest first. Each counts with what it needs beside its message. */
export class StoredEvents {
  readonly #sessions = new Map<StoredEvent, RecentEvents>();
  #chars = 0;

  /** Adds an event of a session. Drops the oldest of all if they are too many together. */
  add(event: StoredEvent, session: RecentEvents): void {
    this.#sessions.set(event, session);
    this.#chars += event.chars + mcp_limits.mcp_event_chars_around;
    for (const its_session of this.#sessions.values()) {
      if (this.#chars <= mcp_limits.mcp_event_chars_max) return;
      its_session.dropOldest();
    }
  }

  delete(event: StoredEvent): void {
    if (this.#sessions.delete(event)) this.#chars -= event.chars + mcp_limits.mcp_event_chars_around;
  }

  /** How many characters they have. */
  get chars(): number {
    return this.#chars;
  }
}

export class RecentEvents implements EventStore {
  /** The calls of the current POST: the transport of the SDK gives the id of a stream without its requests. */
  readonly #posting = new AsyncLocalStorage<Calls>();
  /** The calls of each stream that has a stored event. */
  readonly #calls = new Map<string, Calls>();
  readonly #events: StoredEvent[] = [];
  #chars = 0;
  #count = 0;

  constructor(
    /** Part of every id, so that an id from before a restart never equals one of this run. */
    private readonly mark: string,
    private readonly all: StoredEvents,
  ) {}

  /** Runs `post`; all events that it causes belong to `calls`. */
  during<Result>(calls: Calls, post: () => Promise<Result>): Promise<Result> {
    return this.#posting.run(calls, post);
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    // Progress is sent once. Without an id it leaves the position of its reader where the call can be found.
    if ("method" in message && message.method === "notifications/progress") return "";
    const calls = this.#calls.get(stream) ?? this.#posting.getStore();
    if (calls) this.#calls.set(stream, calls);
    // The SDK marks the beginning of a stream with an empty message, which is never sent again.
    const is_mark = Object.keys(message).length === 0;
    const repeatable = is_mark && calls?.repeatable ? `-${calls.repeatable}` : null;
    const id = `${this.mark}-${++this.#count}${repeatable ?? suffix(calls?.ids ?? [])}`;
    const ids_chars = JSON.stringify(calls?.ids ?? []).length;
    const chars_max = mcp_limits.mcp_session_event_chars_max - ids_chars;
    const stored = is_mark ? null : withinLimit(message, chars_max);
    const chars = ids_chars + (stored === null ? 0 : JSON.stringify(stored).length);
    const event = { id, stream, message: stored, chars };
    this.#events.push(event);
    this.#chars += chars;
    this.all.add(event, this);
    // It may be this one, too.
    while (
      this.#chars > mcp_limits.mcp_session_event_chars_max ||
      this.#events.length > mcp_limits.mcp_session_events_max
    ) {
      this.dropOldest();
    }
    return id;
  }

  /** Drops the oldest event. */
  dropOldest(): void {
    const event = this.#events.shift()!;
    this.#chars -= event.chars;
    this.all.delete(event);
    if (!this.#events.some(({ stream }) => stream === event.stream)) this.#calls.delete(event.stream);
  }

  /** Drops all events: the session is not in use any more. */
  clear(): void {
    while (this.#events.length > 0) this.dropOldest();
  }

  /** Replaces every stored answer by a lost one. */
  forgetAnswers(): void {
    for (const event of this.#events) {
      if (event.message === null || !("result" in event.message)) continue;
      event.message = lostAnswer(event.message.id);
    }
  }

  /** The calls on whose stream the event of this id was sent; null if it is not stored. */
  callsOf(id: string): Calls | null {
    const stream = this.#events.find((event) => event.id === id)?.stream;
    return stream === undefined ? null : (this.#calls.get(stream) ?? null);
  }

  /** The messages after the event `last_id` on its stream. */
  answersAfter(last_id: string): JSONRPCMessage[] {
    return this.#after(last_id).later.map(({ message }) => message);
  }

  /** Sends the later events of the stream of `last_id`. Resolves to the id of the stream. */
  async replayEventsAfter(
    last_id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { stream, later } = this.#after(last_id);
    for (const { id, message } of later) await send(id, message);
    return stream;
  }

  #after(last_id: string): { stream: string; later: { id: string; message: JSONRPCMessage }[] } {
    const from = this.#events.findIndex((event) => event.id === last_id);
    const stream = this.#events[from]?.stream;
    if (stream === undefined) throw new Error("The event is not stored.");
    const later = this.#events
      .slice(from + 1)
      .flatMap(({ id, stream: its_stream, message }) =>
        its_stream === stream && message ? [{ id, message }] : [],
      );
    return { stream, later };
  }
}

function suffix(ids: RequestId[]): string {
  const text = JSON.stringify(ids);
  return ids.length === 0 || text.length > request_ids_chars_max
    ? ""
    : `-${Buffer.from(text).toString("base64url")}`;
}

/** The message as it is stored: one that is too long becomes a lost answer. */
function withinLimit(message: JSONRPCMessage, chars_max: number): JSONRPCMessage | null {
  if (JSON.stringify(message).length <= chars_max) return message;
  return "id" in message && isRequestId(message.id) ? lostAnswer(message.id) : null;
}
