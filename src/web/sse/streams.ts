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
  readonly #by_name = new Map<string, Topic>();
  readonly #open: OpenStreams;

  constructor(
    private readonly topics: Topics,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#open = new OpenStreams(clock);
  }

  /**
   * A response that streams the source's events after the entry's position, until the source or `call` ends or the reader
   * leaves. Closes `call`.
   */
  open(source: EventSource, entry: Entry, call: OpenCall): Response {
    const topic = this.#by_name.get(source.topic) ?? this.#add(source);
    topic.members++;
    const subscriber = new Subscriber(entry, () => {
      this.#open.delete(subscriber);
      topic.leave(subscriber);
      call.close();
    });
    this.#open.add(subscriber);
    call.follow([source.topic]);
    call.signal.addEventListener("abort", () => subscriber.end());
    const body: Bun.DirectUnderlyingSource<Uint8Array> = {
      type: "direct",
      pull: (sink) => {
        const ended = subscriber.begin(sink);
        // The head of the response leaves with the first byte.
        subscriber.send(utf8.encode(`: following ${source.topic}\n\n`));
        if (subscriber.open) {
          topic.join(subscriber).catch((error: unknown) => {
            this.onError(error);
            subscriber.end();
          });
        }
        return ended;
      },
      // Without `pull`, if the answer is for HEAD.
      cancel: () => subscriber.leave(),
    };
    // The types of the DOM know no direct streams.
    return new Response(new ReadableStream(body as unknown as UnderlyingSource<Uint8Array>), {
      headers: event_stream_headers,
    });
  }

  /** Adds the topic of `source`, subscribed for as long as it has members. */
  #add(source: EventSource): Topic {
    const topic = new Topic(source, this.clock, this.onError, () => {
      unsubscribe();
      this.#by_name.delete(source.topic);
    });
    const unsubscribe = this.topics.subscribe(
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
