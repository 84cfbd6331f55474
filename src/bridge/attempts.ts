/** When something that failed is tried again, and for how long. */

import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import { bridge_limits } from "./limits.ts";

export class Attempts {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #seconds_max: number;
  #failing_since_ms: number | null = null;
  #failures = 0;

  /** `seconds_max`: how long it may fail without a success. */
  constructor({ clock, random }: { clock: Clock; random: Random }, seconds_max: number) {
    this.#clock = clock;
    this.#random = random;
    this.#seconds_max = seconds_max;
  }

  succeeded(): void {
    this.#failing_since_ms = null;
    this.#failures = 0;
  }

  /** Notes a failure. Resolves to true when the next attempt is due, to false if it has failed for too long. Rejects when `signal` aborts. */
  async again(signal: AbortSignal): Promise<boolean> {
    const now_ms = this.#clock.monotonic();
    this.#failing_since_ms ??= now_ms;
    if (now_ms - this.#failing_since_ms > this.#seconds_max * 1_000) return false;
    const { pause_ms_min, pause_ms_max } = bridge_limits;
    const pause_ms = Math.min(pause_ms_min * 2 ** this.#failures++, pause_ms_max);
    // At random, so that all clients of a service that has restarted do not return at once.
    await pause(this.#clock, pause_ms * (0.5 + this.#random.bytes(1)[0]! / 512), signal);
    return true;
  }
}

/** Resolves after `pause_ms`. Rejects when `signal` aborts. */
export function pause(clock: Clock, pause_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(pause_ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
