/** Server-sent events: each subscriber of a topic receives every event once and in order. */

import type { Clock } from "../../core/clock.ts";
import type { Topics } from "../../core/topics.ts";
import type { OpenCall } from "../../core/open_calls.ts";
import { event_stream_headers } from "./format.ts";
import { OpenStreams } from "./open_streams.ts";
import { Subscriber, type Entry } from "./subscriber.ts";
import { Topic, type EventSource } from "./topic.ts";

const utf8 = new TextEncoder();

export class EventStreams {
  readonly #topics: Topics;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #by_name = new Map<string, Topic>();
  readonly #open: OpenStreams;

  constructor(topics: Topics, clock: Clock, onError: (error: unknown) => void) {
    this.#topics = topics;
    this.#clock = clock;
    this.#onError = onError;
    this.#open = new OpenStreams(clock);
  }

  /**
   * A response that streams the source's events after the entry's position, until the source or `call` ends or the reader
   * leaves. Closes `call`.
   */
  open(source: EventSource, entry: Entry, call: OpenCall): Response {
    const topic = this.#by_name.get(source.topic) ?? this.#add(source);
    topic.members++;
    let subscriber: Subscriber | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const joined = new Subscriber(controller, entry, () => {
            this.#open.delete(joined);
            topic.leave(joined);
            call.close();
          });
          subscriber = joined;
          // The head of the response leaves with the first byte.
          joined.send(utf8.encode(`: following ${source.topic}\n\n`));
          this.#open.add(joined);
          call.signal.addEventListener("abort", () => joined.end());
          if (!joined.open) return;
          topic.join(joined).catch((error: unknown) => {
            this.#onError(error);
            joined.end();
          });
        },
        pull: () => subscriber?.took(),
        cancel: () => subscriber?.leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    return new Response(body, { headers: event_stream_headers });
  }

  /** Adds the topic of `source`, subscribed for as long as it has members. */
  #add(source: EventSource): Topic {
    const topic = new Topic(source, this.#clock, this.#onError, () => {
      unsubscribe();
      this.#by_name.delete(source.topic);
    });
    const unsubscribe = this.#topics.subscribe(
      source.topic,
      () => void topic.pump(),
      () => topic.members,
    );
    this.#by_name.set(source.topic, topic);
    return topic;
  }

  /** How many streams are open. */
  get open_streams(): number {
    return this.#open.size;
  }

  /** Ends all streams. */
  close(): void {
    this.#open.close();
  }
}
