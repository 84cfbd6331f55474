/** Numbers that this process keeps in memory about the database that it writes. */

import { storage_limits } from "./limits.ts";

/** A number that a transaction remembers, with its key. */
export type Remembered = [key: string, value: number];

/** Numbers by key. The oldest are forgotten beyond a limit. */
export class Memory {
  readonly #numbers = new Map<string, number>();

  recall(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  /** Adds what a transaction has remembered that is durable now. */
  add(remembered: readonly Remembered[]): void {
    for (const [key, value] of remembered) {
      this.#numbers.delete(key);
      this.#numbers.set(key, value);
    }
    for (const key of this.#numbers.keys()) {
      if (this.#numbers.size <= storage_limits.remembered_max) return;
      this.#numbers.delete(key);
    }
  }
}
