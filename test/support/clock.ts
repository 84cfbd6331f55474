/** A clock that stands still until a test moves it. */

import type { Clock } from "../../src/core/clock.ts";

export class FakeClock implements Clock {
  #monotonic_ms = 0;
  /** What the clock on the wall shows when the monotonic time is 0. */
  #wall_ms: number;
  /** The uptime when the monotonic time is 0. */
  #up_ms = 1_000_000;
  #boot = 1;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  constructor(start = "2026-03-01T12:00:00.000Z") {
    this.#wall_ms = Date.parse(start);
  }

  now(): number {
    return Math.floor(this.#wall_ms + this.#monotonic_ms);
  }

  monotonic(): number {
    return this.#monotonic_ms;
  }

  uptime() {
    return { boot: `boot-${this.#boot}`, ms: Math.floor(this.#up_ms + this.#monotonic_ms) };
  }

  after(delay_ms: number, run: () => void): () => void {
    const timer = { at: this.#monotonic_ms + delay_ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves on, running what falls due on the way, in order. */
  advance(seconds: number): void {
    const end = this.#monotonic_ms + seconds * 1000;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#monotonic_ms = Math.max(this.#monotonic_ms, due.at);
      due.run();
    }
    this.#monotonic_ms = end;
  }

  /** Moves on without running what falls due: timers may be late. */
  pass(seconds: number): void {
    this.#monotonic_ms += seconds * 1000;
  }

  /** The machine sleeps: the wall and the uptime move on, monotonic time and what counts it do not. */
  sleep(seconds: number): void {
    this.#wall_ms += seconds * 1000;
    this.#up_ms += seconds * 1000;
  }

  /** Sets the clock on the wall, backwards too; nothing falls due by that. */
  set(time: string): void {
    this.#wall_ms = Date.parse(time) - this.#monotonic_ms;
  }

  /** The machine starts anew: whatever time passed meanwhile, nothing counts it but the clock on the wall. */
  reboot(): void {
    this.#boot++;
    this.#up_ms = 10_000 - this.#monotonic_ms;
  }

  /** Resolves once somebody waits for the moment that is `seconds` from now. */
  async timerAt(seconds: number): Promise<void> {
    const at = this.#monotonic_ms + seconds * 1000;
    while (![...this.#timers].some((timer) => timer.at === at)) await this.turn();
  }

  get timers(): number {
    return this.#timers.size;
  }
}
