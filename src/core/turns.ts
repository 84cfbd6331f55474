/** Spreads work over turns of the event loop: a limited number of calls per turn, in order of arrival. */

import type { Clock } from "./clock.ts";

export class Turns {
  readonly #clock: Clock;
  readonly #per_turn: number;
  readonly #queue: (() => void)[] = [];
  /** Calls that have been resolved in this turn. */
  #resolved = 0;

  constructor(clock: Clock, per_turn: number) {
    this.#clock = clock;
    this.#per_turn = per_turn;
  }

  /** Resolves at once while the turn has room, otherwise in a later turn. */
  async next(): Promise<void> {
    if (this.#resolved === 0) void this.#atNextTurn();
    if (this.#resolved < this.#per_turn) {
      this.#resolved++;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  async #atNextTurn(): Promise<void> {
    await this.#clock.turn();
    const those = this.#queue.splice(0, this.#per_turn);
    this.#resolved = those.length;
    if (this.#resolved > 0) void this.#atNextTurn();
    for (const resolve of those) resolve();
  }
}
