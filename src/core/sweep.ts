/** Removal of old data: the declarations of the features, and the pace of the removal. */

import type { Clock } from "./clock.ts";
import type { Retention } from "./retention.ts";

/** How many of each kind. */
export type Counts = Record<string, number>;

/** The data that a feature removes by the rules of the instance. */
export interface Sweep {
  /** How many of each kind the rules would remove now. */
  count(rules: Retention): Promise<Counts>;
  /** Removes them. Returns how many it has removed. */
  remove(rules: Retention, steps: Steps): Promise<Counts>;
}

/** How long a pause is, as a multiple of the step before: writes of callers come first. */
const pause_factor = 2;

/** Runs steps one after another with pauses. A step that took long, because others write, is followed by a long pause. */
export class Steps {
  #is_over = false;

  /** `has_pauses`: whether others may write at the same time. */
  constructor(
    private readonly clock: Clock,
    private readonly has_pauses: boolean,
  ) {}

  /** Whether the service stops. The rest is removed after the next start. */
  get is_over(): boolean {
    return this.#is_over;
  }

  stop(): void {
    this.#is_over = true;
  }

  /** Repeats `step` until it returns false, or the service stops. */
  async until(step: () => Promise<boolean>): Promise<void> {
    for (;;) {
      if (this.#is_over) return;
      const began_ms = this.clock.monotonic();
      const more = await step();
      if (!more) return;
      const pause_ms = (this.clock.monotonic() - began_ms) * pause_factor;
      await (pause_ms < 1 || !this.has_pauses ? this.clock.turn() : this.#pause(pause_ms));
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve));
  }
}
