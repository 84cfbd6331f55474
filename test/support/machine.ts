/** A machine for simulations: true time, its wall clock, and its uptime while it runs, sleeps or is off. */

import type { Clock } from "../../src/core/clock.ts";

export class Machine implements Clock {
  true_ms = Date.parse("2026-03-01T12:00:00.000Z");
  /** The error of the wall clock. */
  wrong_ms = 0;
  /** True time that the uptime has counted, over all runs of the machine: all except the time when it was off. */
  counted_ms = 0;
  #boot = 0;
  #slept_ms = 0;
  #booted_ms = this.true_ms - 60_000;
  #process = { number: 0, started_ms: 0 };
  readonly #timers = new Set<{ at: number; run: () => void }>();

  /** `has_uptime`: as Linux does, sleep included. Otherwise each process counts its own uptime, without sleep. */
  constructor(readonly has_uptime: boolean) {}

  now = (): number => Math.floor(this.true_ms + this.wrong_ms);

  monotonic = (): number => this.true_ms - this.#booted_ms - this.#slept_ms;

  uptime = () =>
    this.has_uptime
      ? // In steps of 10 ms.
        { boot: `boot ${this.#boot}`, ms: Math.floor((this.true_ms - this.#booted_ms) / 10) * 10 }
      : {
          boot: `process ${this.#process.number}`,
          ms: Math.floor(this.monotonic() - this.#process.started_ms),
        };

  after = (delay_ms: number, run: () => void) => {
    const timer = { at: this.monotonic() + delay_ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Advances time and runs the due timers in order. */
  async run(ms: number): Promise<void> {
    const end = this.monotonic() + ms;
    for (;;) {
      let due: { at: number; run: () => void } | undefined;
      for (const timer of this.#timers) if (timer.at <= end && (!due || timer.at < due.at)) due = timer;
      const passed_ms = Math.max((due?.at ?? end) - this.monotonic(), 0);
      this.true_ms += passed_ms;
      this.counted_ms += passed_ms;
      if (!due) return;
      this.#timers.delete(due);
      due.run();
      await this.turn();
    }
  }

  sleep(ms: number): void {
    this.true_ms += ms;
    this.#slept_ms += ms;
    if (this.has_uptime) this.counted_ms += ms;
  }

  /** The process ends, and another one starts after `ms`. */
  restart(ms: number): void {
    this.#timers.clear();
    this.true_ms += ms;
    if (this.has_uptime) this.counted_ms += ms;
    this.#process = { number: this.#process.number + 1, started_ms: this.monotonic() };
  }

  /** The machine is off for `ms`. */
  powerCycle(ms: number): void {
    this.#boot++;
    this.#slept_ms = 0;
    this.true_ms += ms;
    this.#booted_ms = this.true_ms;
    this.#timers.clear();
    this.#process = { number: this.#process.number + 1, started_ms: 0 };
  }
}
