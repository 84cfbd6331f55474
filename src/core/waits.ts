/** Waiting for the next change of a topic. */

import type { Clock } from "./clock.ts";
import type { Topics } from "./topics.ts";

export interface WaitOptions {
  /** How long to hold a response that has no news, in seconds; 0 to 50. */
  wait_seconds?: number | undefined;
  /** Aborted when nobody waits for the response any more. */
  signal?: AbortSignal | undefined;
}

/** A wait for the next change of a topic. */
export interface Watch {
  /** Resolves to true at the next change; to false when the time is up, the caller has left or the service stops. */
  next: Promise<boolean>;
  cancel(): void;
}

export class Waits {
  readonly #topics: Topics;
  readonly #clock: Clock;
  /** What ends each wait. */
  readonly #ends = new Set<() => void>();
  #closed = false;

  constructor(topics: Topics, clock: Clock) {
    this.#topics = topics;
    this.#clock = clock;
  }

  /** Watches for the next change of `topic`, for at most `wait_ms` and no longer than `signal` allows. */
  watch(topic: string, wait_ms: number, signal?: AbortSignal): Watch {
    if (this.#closed || signal?.aborted) return { next: Promise.resolve(false), cancel() {} };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (changed: boolean) => {
      if (!this.#ends.delete(cancel)) return;
      unsubscribe();
      cancelTimer();
      signal?.removeEventListener("abort", cancel);
      resolve(changed);
    };
    const cancel = () => end(false);
    const unsubscribe = this.#topics.subscribe(topic, () => end(true));
    const cancelTimer = this.#clock.after(wait_ms, cancel);
    this.#ends.add(cancel);
    signal?.addEventListener("abort", cancel);
    return { next: promise, cancel };
  }

  /** Reads, and reads again at each change of `topic`, until `isDone` accepts the result or the wait is over. */
  async readUntil<Read>(
    topic: string,
    { wait_seconds = 0, signal }: WaitOptions,
    read: () => Promise<Read>,
    isDone: (found: Read) => boolean,
  ): Promise<Read> {
    const ends_ms = this.#clock.monotonic() + wait_seconds * 1000;
    for (;;) {
      const left_ms = ends_ms - this.#clock.monotonic();
      // Watch before reading: a change between the two would go unnoticed.
      const watch = left_ms > 0 ? this.watch(topic, left_ms, signal) : undefined;
      try {
        const found = await read();
        if (!watch || isDone(found) || !(await watch.next)) return found;
      } finally {
        watch?.cancel();
      }
    }
  }

  /** How many are waiting. */
  get waiting(): number {
    return this.#ends.size;
  }

  /** Ends every wait, and every later one at once, because the service stops. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#ends) cancel();
  }
}
