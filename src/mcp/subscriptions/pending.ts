/**
 * What one client follows, and the stream on which it is told. It is told that a resource has changed, never what has
 * changed in it, so a slow reader is told once of many changes: what waits for it is bounded by what it follows.
 */

import { jsonLine } from "../../core/text.ts";
import type { Subscribers } from "./registry.ts";
import type { UpdateStream } from "./stream.ts";

/** A message as an event of a stream (HTML Standard, section 9.2). */
export const eventOf = (message: object): string =>
  `event: message\ndata: ${jsonLine({ jsonrpc: "2.0", ...message })}\n\n`;

export const stream_headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export class Updates {
  readonly #subscribers: Subscribers;
  /** Part of each notification, beside the URI. */
  readonly #params: object;
  /** What ends the subscription, by URI. */
  readonly #followed = new Map<string, () => void>();
  /** What changed and was not told yet. */
  readonly #untold = new Set<string>();
  /** What was told on the stream that is open, or on the last one: it may not have arrived. */
  readonly #told = new Set<string>();
  #stream: UpdateStream | undefined;
  #closed = false;

  constructor(subscribers: Subscribers, params: object = {}) {
    this.#subscribers = subscribers;
    this.#params = params;
  }

  /** Follows the resource whose changes are announced as `subject`. */
  follow(uri: string, subject: string): void {
    if (this.#closed || this.#followed.has(uri)) return;
    this.#followed.set(
      uri,
      this.#subscribers.add(subject, () => this.changed(uri)),
    );
  }

  unfollow(uri: string): void {
    this.#followed.get(uri)?.();
    for (const kept of [this.#followed, this.#untold, this.#told]) kept.delete(uri);
  }

  /** The resource has changed, or may have: it is told as soon as there is a stream whose reader takes it. */
  changed(uri: string): void {
    this.#untold.add(uri);
    this.#stream?.offer();
  }

  /** Tells on this stream from now on, beginning with what an earlier one may have lost. */
  tellOn(stream: UpdateStream): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const uri of this.#told) this.#untold.add(uri);
    this.#told.clear();
    stream.tell(() => this.#next());
  }

  /** Ends the stream: its client opens another. */
  endStream(): void {
    this.#stream?.end();
  }

  /** Whether a stream is open on which its client is told. */
  get has_stream(): boolean {
    return this.#stream?.is_open ?? false;
  }

  /** All that there is to tell now; null when there is nothing. */
  #next(): string | null {
    if (this.#untold.size === 0) return null;
    const uris = [...this.#untold];
    this.#untold.clear();
    for (const uri of uris) this.#told.add(uri);
    return uris
      .map((uri) => eventOf({ method: "notifications/resources/updated", params: { ...this.#params, uri } }))
      .join("");
  }

  /** Ends all subscriptions, and the stream. */
  close(): void {
    this.#closed = true;
    for (const uri of this.#followed.keys()) this.unfollow(uri);
    this.#stream?.end();
  }
}
