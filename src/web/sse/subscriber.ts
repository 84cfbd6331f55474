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
  /** Set while data that was sent waits for the reader to take it. */
  #taken: (() => void) | undefined;
  #has_stalled = false;
  /** Whether an event has been sent. */
  #has_begun = false;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #left: () => void;

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array>,
    { position, latest }: Entry,
    left: () => void,
  ) {
    this.#controller = controller;
    this.#position = position;
    this.reached = position < latest ? position : latest;
    this.#left = left;
  }

  send(chunk: Uint8Array): void {
    if (!this.open) return;
    this.#controller.enqueue(chunk);
    // A reader that does not read must not fill our memory. It is disconnected and resumes by Last-Event-ID.
    if ((this.#controller.desiredSize ?? 0) < -web_limits.stream_backlog_bytes_max) this.end();
  }

  /** Resolves at once; if the reader is behind, when it has taken everything or has left. */
  async drained(): Promise<void> {
    if (!this.open || (this.#controller.desiredSize ?? 0) > -web_limits.stream_backlog_bytes_max / 4) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    await promise;
  }

  /** Notes that the reader has taken everything that was sent. */
  took(): void {
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

  sendEvent(id: string, chunk: Uint8Array): void {
    this.reached = id;
    if (id <= this.#position) return;
    this.#position = id;
    this.send(this.#has_begun ? chunk : Buffer.concat([retry, chunk]));
    this.#has_begun = true;
  }

  end(): void {
    if (!this.open) return;
    this.leave();
    this.#controller.close();
  }

  /** Ends the subscription when the reader has left. */
  leave(): void {
    if (!this.open) return;
    this.open = false;
    this.#taken?.();
    this.#left();
  }
}
