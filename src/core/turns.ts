/** Spreads work over turns of the event loop: a limited number of calls per turn, in order of arrival. */

import type { Clock } from "./clock.ts";

export class Turns {
  readonly #queue: (() => void)[] = [];
  /** Calls that have been resolved in this turn. */
  #resolved = 0;

  constructor(
    private readonly clock: Clock,
    private readonly per_turn: number,
  ) {}

  /** Resolves at once while the turn has room, otherwise in a later turn. */
  async next(): Promise<void> {
    if (this.#resolved === 0) void this.#atNextTurn();
    if (this.#resolved < this.per_turn) {
      this.#resolved++;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  async #atNextTurn(): Promise<void> {
    await this.clock.turn();
    const those = this.#queue.splice(0, this.per_turn);
    this.#resolved = those.length;
    if (this.#resolved > 0) void this.#atNextTurn();
    for (const resolve of those) resolve();
  }
}

/** The same for each of many keys: a limited number of calls of a key per turn. */
export class TurnsByKey {
  /** Calls that have been admitted in this turn, and those that wait, by key. */
  readonly #admitted = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #has_begun = false;

  constructor(
    private readonly clock: Clock,
    private readonly per_turn: number,
  ) {}

  /** Undefined while the turn has room for `key`; otherwise resolves in a later turn. */
  next(key: string): Promise<void> | undefined {
    if (!this.#has_begun) {
      this.#has_begun = true;
      void this.#atNextTurn();
    }
    const admitted = this.#admitted.get(key) ?? 0;
    if (admitted < this.per_turn) {
      this.#admitted.set(key, admitted + 1);
      return undefined;
    }
    return new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(resolve);
      else this.#waiting.set(key, [resolve]);
    });
  }

  async #atNextTurn(): Promise<void> {
    await this.clock.turn();
    this.#admitted.clear();
    this.#has_begun = this.#waiting.size > 0;
    if (this.#has_begun) void this.#atNextTurn();
    for (const [key, waiting] of this.#waiting) {
      const those = waiting.splice(0, this.per_turn);
      if (waiting.length === 0) this.#waiting.delete(key);
      this.#admitted.set(key, those.length);
      for (const resolve of those) resolve();
    }
  }
}
