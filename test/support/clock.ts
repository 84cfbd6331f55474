/** A clock that stands still until a test moves it. */

import type { Clock } from "../../src/clock.ts";

export class FakeClock implements Clock {
  #now: number;
  #up_ms = 1_000_000;
  #boot = 1;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  constructor(start = "2026-03-01T12:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  uptime() {
    return { boot: `boot-${this.#boot}`, ms: this.#up_ms };
  }

  after(delay_ms: number, run: () => void): () => void {
    const timer = { at: this.#now + delay_ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves on, running what falls due on the way, in order. */
  advance(seconds: number): void {
    const end = this.#now + seconds * 1000;
    this.#up_ms += seconds * 1000;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }

  /** Sets the clock, backwards too; nothing falls due by that. */
  set(time: string): void {
    this.#now = Date.parse(time);
  }

  /** The machine starts anew: whatever time passed meanwhile, nothing counts it but the clock on the wall. */
  reboot(): void {
    this.#boot++;
    this.#up_ms = 10_000;
  }

  /** Resolves once somebody waits for the moment that is `seconds` from now. */
  async timerAt(seconds: number): Promise<void> {
    const at = this.#now + seconds * 1000;
    while (![...this.#timers].some((timer) => timer.at === at)) await this.turn();
  }

  get timers(): number {
    return this.#timers.size;
  }
}
