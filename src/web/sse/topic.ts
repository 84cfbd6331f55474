/** The events of one topic: read and encoded once, then sent to every subscriber. A new subscriber first catches up. */

import type { Clock } from "../../core/clock.ts";
import { web_limits } from "../limits.ts";
import { eventText, type EventText } from "./format.ts";
import type { Subscriber } from "./subscriber.ts";

export interface StreamEvent extends EventText {
  /** The event's place in the order; ids compare as text. */
  id: string;
}

/** Where a stream's events come from. */
export interface EventSource {
  topic: string;
  /** The earliest events after `position`, whether there are more, and whether the last one ends the stream. */
  next(position: string): Promise<{ events: StreamEvent[]; more: boolean; ended: boolean }>;
}

const utf8 = new TextEncoder();
const encode = (event: StreamEvent): Uint8Array => utf8.encode(eventText(event));

/** All subscribers of one topic. */
export class Topic {
  /** Readers who have caught up: they receive each event as it happens. */
  readonly #subscribers = new Set<Subscriber>();
  /** Everything up to here has been sent to the subscribers. */
  #position = "";
  #pumping = false;
  #stale = false;
  #sent = 0;
  #unread_bytes = 0;
  /** How many subscribers there are, including those that are still catching up. */
  members = 0;

  /** `onEmpty` is called when the last member has left. */
  constructor(
    private readonly source: EventSource,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
    private readonly onEmpty: () => void,
  ) {}

  /** Sends a subscriber what the others have received, at its reader's pace, then adds it to them. */
  async join(subscriber: Subscriber): Promise<void> {
    const isBehind = () =>
      (this.#subscribers.size > 0 || this.#pumping) && subscriber.reached < this.#position;
    let has_more = true;
    while (has_more || isBehind()) {
      const others = this.#position;
      const { events, more, ended } = await this.source.next(subscriber.reached);
      for (const event of events) {
        await subscriber.drained();
        subscriber.writeEvent(event.id, encode(event));
      }
      subscriber.flush();
      if (ended) subscriber.end();
      if (!subscriber.open) return;
      // This read included everything that the others had received before it.
      if (!more && subscriber.reached < others) subscriber.reached = others;
      has_more = more;
    }
    if (this.#subscribers.size === 0 && !this.#pumping) this.#position = subscriber.reached;
    this.#subscribers.add(subscriber);
    await this.pump();
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    this.members--;
    if (this.members === 0) this.onEmpty();
  }

  #end(): void {
    for (const subscriber of this.#subscribers) subscriber.end();
  }

  /** Sends everything that has happened since the last time. */
  async pump(): Promise<void> {
    this.#stale = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#stale && this.#subscribers.size > 0) {
        this.#stale = false;
        const { events, more, ended } = await this.source.next(this.#position);
        for (const event of events) await this.#send(event);
        if (ended) this.#end();
        if (more) this.#stale = true;
      }
    } catch (error) {
      // Do not leave anybody waiting for events that cannot be read. Readers resume from where they are.
      this.onError(error);
      this.#end();
    } finally {
      this.#pumping = false;
    }
  }

  async #send(event: StreamEvent): Promise<void> {
    const chunk = encode(event);
    for (const subscriber of this.#subscribers) {
      subscriber.writeEvent(event.id, chunk);
      subscriber.flush();
      // A thousand subscribers must not delay a writer's response.
      if (++this.#sent % web_limits.stream_fanout_per_turn === 0) await this.clock.turn();
    }
    this.#position = event.id;
    // A reader that does read must not be disconnected for the amount sent in one turn.
    this.#unread_bytes += chunk.length;
    if (this.#unread_bytes < web_limits.stream_backlog_bytes_max / 4) return;
    this.#unread_bytes = 0;
    await this.clock.turn();
  }
}
