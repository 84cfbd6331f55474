/** Waiting for the next change of topics. */

import type { Clock } from "./clock.ts";
import type { OpenCall } from "./open_calls.ts";
import type { Topics } from "./topics.ts";

export interface WaitOptions {
  /** How long to hold a response that has no news, in seconds; 0 to 280. */
  wait_seconds?: number | undefined;
  /** The call that waits: it ends when nobody waits for the response any more. */
  open?: WaitingCall | undefined;
}

/** What a wait needs of the call that waits. */
type WaitingCall = Pick<OpenCall, "signal" | "follow" | "timed_out">;

/** A wait for changes of topics. */
interface Watch {
  /**
   * Resolves to the topics that have changed since the last call, as soon as there is one; to none when the time is up, the
   * caller has left or the service stops.
   */
  next(): Promise<string[]>;
  /** Whether the time is up. */
  isOver(): boolean;
  cancel(): void;
}

const nothing: Watch = { next: () => Promise.resolve([]), isOver: () => false, cancel() {} };

export class Waits {
  /** What ends each wait. */
  readonly #ends = new Set<() => void>();
  #closed = false;

  constructor(
    private readonly topics: Topics,
    private readonly clock: Clock,
  ) {}

  /** Watches `topics` from now on, for at most `wait_ms` and no longer than the call is open. */
  watch(topics: readonly string[], wait_ms: number, open?: WaitingCall): Watch {
    const signal = open?.signal;
    if (this.#closed || signal?.aborted) return nothing;
    open?.follow(topics);
    const changed = new Set<string>();
    let wake = () => {};
    const subscriptions = topics.map((topic) =>
      this.topics.subscribe(topic, () => {
        changed.add(topic);
        wake();
      }),
    );
    const cancel = () => {
      if (!this.#ends.delete(cancel)) return;
      for (const unsubscribe of subscriptions) unsubscribe();
      cancelTimer();
      signal?.removeEventListener("abort", cancel);
      wake();
    };
    let is_over = false;
    const cancelTimer = this.clock.after(wait_ms, () => {
      is_over = this.#ends.has(cancel);
      cancel();
    });
    this.#ends.add(cancel);
    signal?.addEventListener("abort", cancel);
    return {
      cancel,
      isOver: () => is_over,
      next: async () => {
        if (changed.size === 0 && this.#ends.has(cancel)) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
        const topics = [...changed];
        changed.clear();
        return topics;
      },
    };
  }

  /** Reads, and reads again at each change of `topic`, until `isDone` accepts the result or the wait is over. */
  async readUntil<Read>(
    topic: string,
    wait: WaitOptions,
    read: () => Promise<Read>,
    isDone: (found: Read) => boolean,
  ): Promise<Read> {
    // Most reads do not wait.
    if (!wait.wait_seconds) return read();
    let latest!: Read;
    await this.readAny(
      new Map([
        [
          topic,
          async () => {
            latest = await read();
            return isDone(latest) ? true : null;
          },
        ],
      ]),
      wait,
    );
    return latest;
  }

  /**
   * Reads for each topic, and again for those that change, until some reads find something or the wait is over. Returns what
   * was found; null is nothing.
   */
  async readAny<Found>(
    reads: ReadonlyMap<string, () => Promise<Found | null>>,
    { wait_seconds = 0, open }: WaitOptions,
  ): Promise<Found[]> {
    // Watch before reading: a change between the two would go unnoticed.
    const watch = wait_seconds > 0 ? this.watch([...reads.keys()], wait_seconds * 1000, open) : nothing;
    try {
      for (let topics: Iterable<string> = reads.keys(); ;) {
        const found: Found[] = [];
        for (const topic of topics) {
          const one = await reads.get(topic)!();
          if (one !== null) found.push(one);
        }
        if (found.length > 0) return found;
        const changed = await watch.next();
        if (changed.length === 0) {
          if (open && watch.isOver()) open.timed_out = true;
          return found;
        }
        topics = changed;
      }
    } finally {
      watch.cancel();
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
