/**
 * Token buckets: at most `quota` tokens, refilled evenly over the window. Each is stored as the time when it will be full
 * again (GCRA, ITU-T I.371). Their number is bounded: buckets with the smallest debts are dropped first.
 */

import type { Budget } from "../errors.ts";

/** Number of buckets from which on full ones are dropped. */
const swept_from = 1_000;
/** Parts of the window by which debts are sorted when buckets must be dropped. */
const debt_steps = 64;

/** Rounding error of sums of fractions of milliseconds. */
const rounding_ms = 0.001;

export class TokenBuckets {
  readonly #full_again_ms = new Map<string, number>();
  readonly policy: string;
  readonly #quota: number;
  readonly #window_ms: number;
  /** How long a token takes to be refilled. */
  readonly token_ms: number;
  readonly #buckets_max: number;
  #sweep_at = swept_from;

  constructor(policy: string, quota: number, window_seconds: number, buckets_max: number) {
    this.policy = policy;
    this.#quota = quota;
    this.#window_ms = window_seconds * 1000;
    this.token_ms = this.#window_ms / quota;
    this.#buckets_max = buckets_max;
  }

  /** Milliseconds until the bucket of `key` has a token; 0 when it has one. `now_ms` is monotonic time. */
  wait(key: string, now_ms: number): number {
    const full_again_ms = this.#full_again_ms.get(key);
    if (full_again_ms === undefined) return 0;
    const wait_ms = full_again_ms + this.token_ms - now_ms - this.#window_ms;
    return wait_ms < rounding_ms ? 0 : wait_ms;
  }

  /**
   * Takes tokens from the bucket of `key`, also those that it does not have: then it refills for longer before it has one again,
   * at most for a window.
   */
  take(key: string, now_ms: number, tokens = 1): void {
    const full_again_ms = Math.max(this.#full_again_ms.get(key) ?? now_ms, now_ms) + tokens * this.token_ms;
    this.#set(key, Math.min(full_again_ms, now_ms + 2 * this.#window_ms), now_ms);
  }

  /** Raises the debt of `key` to `debt_ms`: the time until its bucket is full, which may be more than the window. */
  raise(key: string, debt_ms: number, now_ms: number): void {
    if (debt_ms > this.debt(key, now_ms)) this.#set(key, now_ms + debt_ms, now_ms);
  }

  /** Milliseconds until the bucket of `key` is full. */
  debt(key: string, now_ms: number): number {
    return Math.max((this.#full_again_ms.get(key) ?? now_ms) - now_ms, 0);
  }

  #set(key: string, full_again_ms: number, now_ms: number): void {
    this.#full_again_ms.set(key, full_again_ms);
    if (this.#full_again_ms.size > this.#sweep_at) this.#sweep(now_ms);
  }

  /** The budget that is left in the bucket of `key`. */
  left(key: string, now_ms: number): Budget {
    const debt_ms = this.debt(key, now_ms);
    return {
      policy: this.policy,
      quota: this.#quota,
      window_seconds: this.#window_ms / 1000,
      remaining: Math.max(Math.floor((this.#window_ms - debt_ms + rounding_ms) / this.token_ms), 0),
      resets_in_seconds: Math.ceil(debt_ms / 1000),
    };
  }

  /** The number of stored buckets. */
  get size(): number {
    return this.#full_again_ms.size;
  }

  /** Drops full buckets, which have no debt; then, if there are still too many, those with the smallest debts. */
  #sweep(now_ms: number): void {
    for (const [key, full_again_ms] of this.#full_again_ms) {
      if (full_again_ms <= now_ms) this.#full_again_ms.delete(key);
    }
    if (this.#full_again_ms.size > this.#buckets_max) this.#makeRoom(now_ms);
    this.#sweep_at = Math.min(Math.max(this.#full_again_ms.size * 2, swept_from), this.#buckets_max);
  }

  /**
   * Drops the quarter of the buckets with the smallest debts. To get rid of a debt, a caller must first create as large a
   * debt in all the others.
   */
  #makeRoom(now_ms: number): void {
    const stepOf = (full_again_ms: number) =>
      Math.min(Math.floor(((full_again_ms - now_ms) / this.#window_ms) * debt_steps), debt_steps);
    const counts = Array.from({ length: debt_steps + 1 }, () => 0);
    for (const full_again_ms of this.#full_again_ms.values()) counts[stepOf(full_again_ms)]!++;
    const surplus = this.#full_again_ms.size - Math.floor(this.#buckets_max * 0.75);
    let last_step = 0;
    for (let dropped = 0; last_step < debt_steps; last_step++) {
      dropped += counts[last_step]!;
      if (dropped >= surplus) break;
    }
    // Drop all of the smaller steps, and of the last one as many as needed, the oldest first.
    let of_last_step = surplus - counts.slice(0, last_step).reduce((sum, count) => sum + count, 0);
    for (const [key, full_again_ms] of this.#full_again_ms) {
      const step = stepOf(full_again_ms);
      if (step > last_step || (step === last_step && of_last_step-- <= 0)) continue;
      this.#full_again_ms.delete(key);
    }
  }
}
