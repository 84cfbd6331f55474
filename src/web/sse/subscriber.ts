/** One open stream of server-sent events: what its reader has, and how far it is behind. */

import { web_limits } from "../limits.ts";

const utf8 = new TextEncoder();
/** How soon a reader comes back, in milliseconds. Part of the first event: some readers take a block without data for one. */
const retry = utf8.encode("retry: 3000\n");
const heartbeat = utf8.encode(": still here\n\n");

/** Where a reader comes in. */
export interface Entry {
  /** The last event that the reader has; it may lie ahead of all events. */
  position: string;
  /** The place of the subject's latest event. */
  latest: string;
}

/** One open stream. */
export class Follower {
  /** Everything up to here has been read for this follower. */
  reached: string;
  open = true;
  #position: string;
  /** Set while what was sent waits for the reader to take it. */
  #taken: (() => void) | undefined;
  #has_stalled = false;
  /** Whether an event was sent. */
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
    // A reader that does not read must not fill our memory: it is cut off and resumes by Last-Event-ID.
    if ((this.#controller.desiredSize ?? 0) < -web_limits.stream_backlog_bytes_max) this.end();
  }

  /** Resolves at once, or where the reader is behind, when it has taken everything or is gone. */
  async drained(): Promise<void> {
    if (!this.open || (this.#controller.desiredSize ?? 0) > -web_limits.stream_backlog_bytes_max / 4) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    await promise;
  }

  /** The reader has taken everything that was sent. */
  took(): void {
    this.#taken?.();
    this.#taken = undefined;
    this.#has_stalled = false;
  }

  /** Shows that the stream lives. A reader that took nothing since the last time is cut off. */
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

  /** The reader is gone. */
  leave(): void {
    if (!this.open) return;
    this.open = false;
    this.#taken?.();
    this.#left();
  }
}
