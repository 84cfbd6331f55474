/** Spreads work over the turns of the event loop: so many may go on in each, in the order in which they asked. */

import type { Clock } from "../core/clock.ts";

export class Turns {
  readonly #clock: Clock;
  readonly #per_turn: number;
  readonly #queue: (() => void)[] = [];
  /** How many have gone on in this turn. */
  #gone = 0;

  constructor(clock: Clock, per_turn: number) {
    this.#clock = clock;
    this.#per_turn = per_turn;
  }

  /** Resolves when the caller may go on: at once while few have asked in this turn. */
  async next(): Promise<void> {
    if (this.#gone === 0) void this.#atNextTurn();
    if (this.#gone < this.#per_turn) {
      this.#gone++;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  async #atNextTurn(): Promise<void> {
    await this.#clock.turn();
    const those = this.#queue.splice(0, this.#per_turn);
    this.#gone = those.length;
    if (this.#gone > 0) void this.#atNextTurn();
    for (const resolve of those) resolve();
  }
}
