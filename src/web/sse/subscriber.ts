/** One open stream of server-sent events: which events its reader has, and how far it is behind. */

import { web_limits } from "../limits.ts";
import { heartbeat } from "./format.ts";

const utf8 = new TextEncoder();
/** How soon a reader reconnects, in milliseconds. Part of the first event, because some readers take a block without data for an event. */
const retry = utf8.encode("retry: 3000\n");

/** Where a stream begins. */
export interface Entry {
  /** The id of the last event that the reader has; it may be later than every event. */
  position: string;
  /** The id of the topic's latest event. */
  latest: string;
}

export class Subscriber {
  /** Everything up to here has been read for this subscriber. */
  reached: string;
  open = true;
  #position: string;
  /**
   * Hands bytes to the socket at once, where a default stream would cost a promise for each chunk. `write` returns a promise if the
   * socket takes nothing more; it settles when the socket has taken everything.
   */
  #sink: ReadableStreamDirectController | undefined;
  /** Bytes that were sent since the socket took nothing more; 0 if it has taken everything. */
  #waiting_bytes = 0;
  /** Set while data that was sent waits for the reader to take it. */
  #taken: (() => void) | undefined;
  #has_stalled = false;
  /** Whether an event has been sent. */
  #has_begun = false;
  readonly #left: () => void;
  readonly #ended = Promise.withResolvers<void>();

  /** `left` is called once, when the stream ends or its reader leaves. */
  constructor({ position, latest }: Entry, left: () => void) {
    this.#position = position;
    this.reached = position < latest ? position : latest;
    this.#left = left;
  }

  /** Begins to send to `sink`. Resolves when the stream has ended or its reader has left. */
  begin(sink: ReadableStreamDirectController): Promise<void> {
    this.#sink = sink;
    return this.#ended.promise;
  }

  send(chunk: Uint8Array): void {
    this.#write(chunk);
    this.flush();
  }

  #write(chunk: Uint8Array): void {
    if (!this.open || !this.#sink) return;
    const taken = this.#sink.write(chunk);
    if (typeof taken === "number") return;
    const took = () => this.#took();
    if (this.#waiting_bytes === 0) taken.then(took, took);
    this.#waiting_bytes += chunk.length;
    // A reader that does not read must not fill our memory. It is disconnected and resumes by Last-Event-ID.
    if (this.#waiting_bytes > web_limits.stream_backlog_bytes_max) this.end();
  }

  /** Hands what `writeEvent` has written to the socket. */
  flush(): void {
    if (this.open) void this.#sink?.flush();
  }

  /** Resolves at once; if the reader is behind, when it has taken everything or has left. */
  async drained(): Promise<void> {
    if (!this.open || this.#waiting_bytes < web_limits.stream_backlog_bytes_max / 4) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    await promise;
  }

  /** Notes that the reader has taken everything that was sent. */
  #took(): void {
    this.#waiting_bytes = 0;
    this.#taken?.();
    this.#taken = undefined;
    this.#has_stalled = false;
  }

  /** Sends a heartbeat. Disconnects a reader that has taken nothing since the last one. */
  beat(): void {
    if (this.#has_stalled) this.end();
    this.#has_stalled = this.#taken !== undefined;
    this.send(heartbeat);
  }

  /** Writes an event that the reader does not have. `flush` sends it. */
  writeEvent(id: string, chunk: Uint8Array): void {
    this.reached = id;
    if (id <= this.#position) return;
    this.#position = id;
    this.#write(this.#has_begun ? chunk : Buffer.concat([retry, chunk]));
    this.#has_begun = true;
  }

  end(): void {
    if (!this.open) return;
    this.leave();
    void this.#sink?.end();
  }

  /** Ends the subscription when the reader has left. */
  leave(): void {
    if (!this.open) return;
    this.open = false;
    this.#taken?.();
    this.#left();
    this.#ended.resolve();
  }
}
