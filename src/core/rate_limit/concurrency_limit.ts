/** A limit on the calls that one caller may have open at the same time. Its memory is bounded by the number of open calls. */

import type { Budget } from "../errors.ts";

export class ConcurrencyLimit {
  readonly #open = new Map<string, number>();

  constructor(
    private readonly policy: string,
    private readonly quota: number,
  ) {}

  hasRoom = (key: string): boolean => (this.#open.get(key) ?? 0) < this.quota;

  /** Counts one more of `key`. */
  add(key: string): void {
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
  }

  /** Counts one less of `key`. */
  remove(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }

  left(key: string): Budget {
    return {
      policy: this.policy,
      quota: this.quota,
      window_seconds: null,
      remaining: Math.max(this.quota - (this.#open.get(key) ?? 0), 0),
      resets_in_seconds: null,
    };
  }
}
