/**
 * The difference between the clocks of this machine and of the database, so that all nodes have one time. A reading lies between
 * sending and receiving: of several, the one that took least is the most exact (as in NTP, RFC 5905, section 10).
 */

import { postgres_limits } from "./limits.ts";

interface Sample {
  offset_ms: number;
  /** Half of the time that the reading took: by how much the offset may be wrong. */
  error_ms: number;
}

export class ServerTime {
  readonly #samples: Sample[] = [];
  #offset_ms = 0;
  #is_known = false;

  /** Notes a reading: the clock of this machine before and after, and the clock of the database in between, in unix milliseconds. */
  note(sent_ms: number, received_ms: number, server_ms: number): void {
    const error_ms = (received_ms - sent_ms) / 2;
    this.#samples.push({ offset_ms: server_ms - (sent_ms + received_ms) / 2, error_ms });
    if (this.#samples.length > postgres_limits.time_samples) this.#samples.shift();
    const best = this.#samples.reduce((least, sample) => (sample.error_ms < least.error_ms ? sample : least));
    this.#is_known = best.error_ms <= postgres_limits.time_error_ms_max;
    const { offset_ms } = best;
    // Small differences are noise, and a time that moves back and forth helps nobody.
    if (Math.abs(offset_ms - this.#offset_ms) > postgres_limits.time_noise_ms)
      this.#offset_ms = Math.round(offset_ms);
  }

  /** What to add to the clock of this machine. */
  get offset_ms(): number {
    return this.#offset_ms;
  }

  /** Whether the time is known well enough for writes. */
  get is_known(): boolean {
    return this.#is_known;
  }
}
