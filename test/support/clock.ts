/** A clock that only a test advances. */

import type { Clock } from "../../src/core/clock.ts";

export class FakeClock implements Clock {
  #monotonic_ms = 0;
  /** The wall clock's time when the monotonic time is 0. */
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

  /** Advances time and runs the due timers in order. */
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

  /** Advances time without running due timers: timers may be late. */
  pass(seconds: number): void {
    this.#monotonic_ms += seconds * 1000;
  }

  /** The machine sleeps: the wall clock and the uptime advance, monotonic time and its timers do not. */
  sleep(seconds: number): void {
    this.#wall_ms += seconds * 1000;
    this.#up_ms += seconds * 1000;
  }

  /** Sets the wall clock, also backwards. No timer becomes due by that. */
  set(time: string): void {
    this.#wall_ms = Date.parse(time) - this.#monotonic_ms;
  }

  /** The machine restarts: only the wall clock counts the time that passed meanwhile. */
  reboot(): void {
    this.#boot++;
    this.#up_ms = 10_000 - this.#monotonic_ms;
  }

  /** Resolves when a timer is set for `seconds` from now. */
  async timerAt(seconds: number): Promise<void> {
    const at = this.#monotonic_ms + seconds * 1000;
    while (![...this.#timers].some((timer) => timer.at === at)) await this.turn();
  }

  get timers(): number {
    return this.#timers.size;
  }
}
