/** The events of one subject, read and written out once and handed to all who follow; whoever joins reads first. */

import type { Clock } from "../../core/clock.ts";
import { web_limits } from "../limits.ts";
import type { Follower } from "./subscriber.ts";

export interface StreamEvent {
  /** The event's place in the order; ids compare as text. */
  id: string;
  event: string;
  /** One line. */
  data: string;
}

/** Where a stream's events come from. */
export interface EventSource {
  subject: string;
  /** The earliest events after `position`, whether there are more, and whether the last one ends the stream. */
  next(position: string): Promise<{ events: StreamEvent[]; more: boolean; ended: boolean }>;
}

const utf8 = new TextEncoder();
const encode = ({ id, event, data }: StreamEvent): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);

/** All followers of one subject. */
export class Feed {
  /** Those who have caught up: they get each event as it happens. */
  readonly #followers = new Set<Follower>();
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Everything up to here has been handed to the followers. */
  #position = "";
  #pumping = false;
  #stale = false;
  #sent = 0;
  #unread_bytes = 0;
  /** Followers, those that are still catching up included. */
  members = 0;

  constructor(source: EventSource, clock: Clock, onError: (error: unknown) => void) {
    this.#source = source;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Brings a follower up to where the others are, at its reader's pace, then adds it to them. */
  async join(follower: Follower): Promise<void> {
    const isBehind = () => (this.#followers.size > 0 || this.#pumping) && follower.reached < this.#position;
    let has_more = true;
    while (has_more || isBehind()) {
      const others = this.#position;
      const { events, more, ended } = await this.#source.next(follower.reached);
      for (const event of events) {
        await follower.drained();
        follower.sendEvent(event.id, encode(event));
      }
      if (ended) follower.end();
      if (!follower.open) return;
      // What the others had before this was read, has been read with it.
      if (!more && follower.reached < others) follower.reached = others;
      has_more = more;
    }
    if (this.#followers.size === 0 && !this.#pumping) this.#position = follower.reached;
    this.#followers.add(follower);
    await this.pump();
  }

  leave(follower: Follower): void {
    this.members--;
    this.#followers.delete(follower);
  }

  /** Ends every stream. */
  end(): void {
    for (const follower of this.#followers) follower.end();
  }

  /** Hands out everything that has happened since the last time. */
  async pump(): Promise<void> {
    this.#stale = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#stale && this.#followers.size > 0) {
        this.#stale = false;
        const { events, more, ended } = await this.#source.next(this.#position);
        for (const event of events) await this.#handOut(event);
        if (ended) this.end();
        if (more) this.#stale = true;
      }
    } catch (error) {
      // Nobody may wait for what could not be read: they resume from where they are.
      this.#onError(error);
      this.end();
    } finally {
      this.#pumping = false;
    }
  }

  async #handOut(event: StreamEvent): Promise<void> {
    const chunk = encode(event);
    for (const follower of this.#followers) {
      follower.sendEvent(event.id, chunk);
      // A thousand followers must not keep a writer waiting for its answer.
      if (++this.#sent % web_limits.stream_fanout_per_turn === 0) await this.#clock.turn();
    }
    this.#position = event.id;
    // A reader that reads must not be cut off for what came in one turn.
    this.#unread_bytes += chunk.length;
    if (this.#unread_bytes < web_limits.stream_backlog_bytes_max / 4) return;
    this.#unread_bytes = 0;
    await this.#clock.turn();
  }
}
