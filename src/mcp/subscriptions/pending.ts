/**
 * The subscriptions of one client, and its pending notifications. A notification names the resource that changed, not the
 * change, so many changes of a resource become one notification: the number of pending notifications is bounded by the number of subscriptions.
 */

import type { Topics } from "../../core/topics.ts";
import { jsonLine } from "../../core/text.ts";
import { eventText } from "../../web/sse/format.ts";
import { followedIn, type Followed } from "./followed.ts";
import type { UpdateStream } from "./stream.ts";

/** A JSON-RPC message as a server-sent event. */
export const messageEvent = (message: object): string =>
  eventText({ event: "message", data: jsonLine({ jsonrpc: "2.0", ...message }) });

export class PendingUpdates {
  /** By URI, the text of what a subscription follows, and what ends it. */
  readonly #subscriptions = new Map<string, { text: string; end: () => void }>();
  /** Resources that have changed since the last notification. */
  readonly #pending = new Set<string>();
  /** Resources notified on the current stream, or on the last one: those notifications may not have arrived. */
  readonly #sent = new Set<string>();
  #stream: UpdateStream | undefined;
  #closed = false;
  #is_held = false;

  constructor(
    private readonly topics: Topics,
    /** Part of each notification, beside the URI. */
    private readonly params: object = {},
  ) {}

  /** Subscribes to the resource at `uri`, in place of another subscription to it. `text`: what it follows (`asText`). */
  subscribe(uri: string, text: string): void {
    const known = this.#subscriptions.get(uri);
    if (this.#closed || known?.text === text) return;
    known?.end();
    const { topic, reader } = followedIn(text);
    const changed = () => this.changed(uri);
    // The removal of a reader publishes several topics at once, in any order: the one that ends the subscription has to come first.
    const changedSoon = () =>
      queueMicrotask(() => {
        if (this.#subscriptions.get(uri)?.text === text) changed();
      });
    const end = this.topics.subscribe(
      topic,
      reader === null ? changed : changedSoon,
      // A session keeps its subscriptions while its client reads no stream.
      () => (this.has_stream ? 1 : 0),
    );
    this.#subscriptions.set(uri, { text, end });
  }

  /**
   * Follows these resources and no others: by URI, the text of what to follow. Those that were not followed count as changed,
   * because they may have been followed elsewhere.
   */
  follow(texts: Record<string, string>): void {
    this.#is_held = false;
    for (const uri of this.#subscriptions.keys()) if (!Object.hasOwn(texts, uri)) this.unsubscribe(uri);
    for (const [uri, text] of Object.entries(texts)) {
      const is_followed = this.#subscriptions.get(uri)?.text === text;
      this.subscribe(uri, text);
      if (!is_followed) this.changed(uri);
    }
    this.#stream?.wake();
  }

  /** The text of what the subscription to `uri` follows; undefined if there is none. */
  textOf(uri: string): string | undefined {
    return this.#subscriptions.get(uri)?.text;
  }

  /** What is followed. */
  get followed(): Followed[] {
    return Array.from(this.#subscriptions.values(), ({ text }) => followedIn(text));
  }

  /** Ends subscriptions: their readers may not read any more. */
  end(isEnded: (followed: Followed) => boolean): void {
    for (const [uri, { text }] of this.#subscriptions) if (isEnded(followedIn(text))) this.unsubscribe(uri);
  }

  /** Sends nothing until the next `follow`: the client may have unsubscribed elsewhere. */
  hold(): void {
    this.#is_held = true;
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.get(uri)?.end();
    for (const uris of [this.#subscriptions, this.#pending, this.#sent]) uris.delete(uri);
  }

  /** Notes that the resource has changed, or may have. The client is notified as soon as it reads a stream. */
  changed(uri: string): void {
    this.#pending.add(uri);
    this.#stream?.wake();
  }

  /** Sends notifications on this stream from now on, beginning with those that an earlier stream may have lost. */
  sendOn(stream: UpdateStream): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const uri of this.#sent) this.#pending.add(uri);
    this.#sent.clear();
    // An ended stream holds its request and its answer: a session must not.
    stream.sendFrom(
      () => this.#next(),
      () => {
        if (this.#stream === stream) this.#stream = undefined;
      },
    );
  }

  /** Ends the stream: its client opens another. */
  endStream(): void {
    this.#stream?.end();
  }

  /** Whether a stream for notifications is open. */
  get has_stream(): boolean {
    return this.#stream?.is_open ?? false;
  }

  /** All pending notifications; null if there are none. */
  #next(): string | null {
    if (this.#is_held || this.#pending.size === 0) return null;
    const uris = [...this.#pending];
    this.#pending.clear();
    for (const uri of uris) this.#sent.add(uri);
    return uris
      .map((uri) =>
        messageEvent({ method: "notifications/resources/updated", params: { ...this.params, uri } }),
      )
      .join("");
  }

  /** Ends all subscriptions, and the stream. */
  close(): void {
    this.#closed = true;
    for (const uri of this.#subscriptions.keys()) this.unsubscribe(uri);
    this.#stream?.end();
  }
}
