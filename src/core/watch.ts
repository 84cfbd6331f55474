/** Waiting for something to happen: wakes whoever waits for a subject once a change to it is durable. */

import type { Clock } from "./clock.ts";

export interface WaitOptions {
  /** How long to hold an answer that has nothing to tell; 0 to 50. */
  wait_seconds?: number | undefined;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

/** A place in the queue for the next change of a subject. */
export interface Watch {
  /** Resolves to true at the next change, to false when the time is up, the caller left or the house closes. */
  next: Promise<boolean>;
  /** Gives the place up. */
  cancel(): void;
}

export class Changes {
  readonly #clock: Clock;
  readonly #watchers = new Map<string, Set<(changed: boolean) => void>>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches for the next change of `subject`, for `wait_ms` at most and no longer than `signal` allows. */
  watch(subject: string, wait_ms: number, signal?: AbortSignal): Watch {
    if (this.#closed || signal?.aborted) return { next: Promise.resolve(false), cancel() {} };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const watchers = this.#watchers.get(subject) ?? new Set();
    this.#watchers.set(subject, watchers);
    const end = (changed: boolean) => {
      if (!watchers.delete(end)) return;
      if (watchers.size === 0 && this.#watchers.get(subject) === watchers) this.#watchers.delete(subject);
      cancelTimer();
      signal?.removeEventListener("abort", leave);
      resolve(changed);
    };
    const leave = () => end(false);
    const cancelTimer = this.#clock.after(wait_ms, leave);
    watchers.add(end);
    signal?.addEventListener("abort", leave);
    return { next: promise, cancel: leave };
  }

  /** Reads, and reads again at each change of `subject`, until `isDone` of what was read or the wait is over. */
  async readUntil<Read>(
    subject: string,
    { wait_seconds = 0, signal }: WaitOptions,
    read: () => Promise<Read>,
    isDone: (found: Read) => boolean,
  ): Promise<Read> {
    const ends_ms = this.#clock.monotonic() + wait_seconds * 1000;
    for (;;) {
      const left_ms = ends_ms - this.#clock.monotonic();
      // The place in the queue comes before the read: a change between the two would go unnoticed.
      const watch = left_ms > 0 ? this.watch(subject, left_ms, signal) : undefined;
      try {
        const found = await read();
        if (!watch || isDone(found) || !(await watch.next)) return found;
      } finally {
        watch?.cancel();
      }
    }
  }

  /** Wakes everybody who watches `subject`; everybody for null. */
  announce(subject: string | null): void {
    if (subject === null) {
      for (const watched of this.#watchers.keys()) this.announce(watched);
      return;
    }
    for (const end of this.#watchers.get(subject) ?? []) end(true);
  }

  /** How many are waiting. */
  get waiting(): number {
    let count = 0;
    for (const watchers of this.#watchers.values()) count += watchers.size;
    return count;
  }

  /** Ends every wait, and every later one at once: the house is closing. */
  close(): void {
    this.#closed = true;
    for (const watchers of this.#watchers.values()) for (const end of watchers) end(false);
  }
}
