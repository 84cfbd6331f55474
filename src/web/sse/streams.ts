/** Server-sent events (HTML Standard, section 9.2): everybody who follows a subject gets each event once and in order. */

import type { Clock } from "../../core/clock.ts";
import { web_limits } from "../limits.ts";
import { Feed, type EventSource } from "./topic.ts";
import { Follower, type Entry } from "./subscriber.ts";

const utf8 = new TextEncoder();

export class EventStreams {
  readonly #clock: Clock;
  readonly #feeds = new Map<string, Feed>();
  readonly #followers = new Set<Follower>();
  readonly #onError: (error: unknown) => void;
  #stopHeartbeat: (() => void) | undefined;
  #closed = false;

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /**
   * A response that streams the source's events after the entry's position, until the source ends or the reader leaves;
   * `ends` is called just before.
   */
  open(source: EventSource, entry: Entry, ends: () => void = () => {}): Response {
    const feed = this.#feeds.get(source.subject) ?? new Feed(source, this.#clock, this.#onError);
    this.#feeds.set(source.subject, feed);
    feed.members++;
    let follower: Follower | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const joined = new Follower(controller, entry, () => {
            this.#followers.delete(joined);
            feed.leave(joined);
            ends();
            if (feed.members === 0) this.#feeds.delete(source.subject);
          });
          follower = joined;
          this.#followers.add(joined);
          // Headers leave with the first byte.
          joined.send(utf8.encode(`: following ${source.subject}\n\n`));
          if (this.#closed) return joined.end();
          feed.join(joined).catch((error: unknown) => {
            this.#onError(error);
            joined.end();
          });
        },
        pull: () => follower?.took(),
        cancel: () => follower?.leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    this.#stopHeartbeat ??= this.#beat();
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      },
    });
  }

  #beat(): () => void {
    return this.#clock.after(web_limits.stream_heartbeat_seconds * 1000, () => {
      for (const follower of this.#followers) follower.beat();
      this.#stopHeartbeat = this.#followers.size > 0 ? this.#beat() : undefined;
    });
  }

  /** Tells the followers of `subject` that something happened; all of them for null. */
  announce(subject: string | null): void {
    for (const followed of subject === null ? this.#feeds.keys() : [subject]) {
      void this.#feeds.get(followed)?.pump();
    }
  }

  /** How many streams are open. */
  get open_streams(): number {
    return this.#followers.size;
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    this.#stopHeartbeat?.();
    for (const follower of this.#followers) follower.end();
  }
}
