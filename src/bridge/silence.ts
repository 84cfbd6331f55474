/** Notices that a connection is lost without a sign. */

import type { Clock } from "../core/clock.ts";

/** Aborts a request whose answer is silent for too long. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #stop: () => void;
  #cancel: () => void = () => {};
  #seconds = 0;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    const abort = () => this.#controller.abort(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    this.#stop = () => signal.removeEventListener("abort", abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Allows this much silence from now on. */
  allow(seconds: number): void {
    this.#seconds = seconds;
    this.#cancel();
    const text = `nothing came for ${seconds} seconds`;
    this.#cancel = this.#clock.after(seconds * 1_000, () => this.#controller.abort(new Error(text)));
  }

  /** A stream that passes everything on, and ends a silence with each part. */
  watch(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.allow(this.#seconds);
        controller.enqueue(chunk);
      },
    });
  }

  stop(): void {
    this.#cancel();
    this.#stop();
  }
}
