/** The latest messages of one session's streams, kept so that a client that lost its connection can resume. */

import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { limits } from "../../limits.ts";

interface KeptEvent {
  id: string;
  stream: string;
  message: JSONRPCMessage | null;
  chars: number;
}

export class RecentEvents implements EventStore {
  /** Part of every id, so that an id from before a restart is not taken for one of ours. */
  readonly #mark: string;
  #events: KeptEvent[] = [];
  #chars = 0;
  #count = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${this.#mark}-${++this.#count}`;
    // The SDK marks the place where a stream begins with an empty message, which is never sent again.
    const is_mark = Object.keys(message).length === 0;
    const chars = is_mark ? 0 : JSON.stringify(message).length;
    if (chars > limits.mcp_session_event_chars_max) return id;
    this.#events.push({ id, stream, message: is_mark ? null : message, chars });
    this.#chars += chars;
    while (
      this.#chars > limits.mcp_session_event_chars_max ||
      this.#events.length > limits.mcp_session_events_max
    ) {
      this.#chars -= this.#events.shift()!.chars;
    }
    return id;
  }

  knows(id: string): boolean {
    return this.#events.some((event) => event.id === id);
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
