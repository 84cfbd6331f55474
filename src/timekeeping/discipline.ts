/**
 * Computes service time from the machine's clocks: follows the wall clock while it is steady, and monotonic time while it
 * is not (a clock discipline, see RFC 5905, section 11.3). Also computes steady time, which never depends on changes of
 * the wall clock.
 */

import type { Clock, Moment } from "../core/clock.ts";
import { clock_limits } from "./limits.ts";

/** A moment on all clocks, stored so that the next start continues from it. All but `boot` in milliseconds. */
export interface Mark {
  /** Identifies the boot of the machine that `uptime_ms` counts from. */
  boot: string;
  uptime_ms: number;
  now_ms: number;
  steady_ms: number;
}

/** A change of the clock, for the log. Times in unix milliseconds. */
export type ClockEvent =
  | { event: "held" | "released"; wall_ms: number; service_ms: number }
  | { event: "adopted"; from_ms: number; to_ms: number }
  | { event: "slept"; slept_ms: number };

/** How far the wall clock is ahead of steady time, and since when (in steady time). */
interface Anchor {
  ahead_ms: number;
  since_ms: number;
}

/** Smaller differences are noise: the clocks are read one after the other, and the uptime counts in steps. */
const noise_ms = 20;
/** The wall clock is steady if it gains or loses at most this much in ten minutes. */
const tolerance_ms = 2_000;
const steady_period_ms = clock_limits.clock_steady_seconds * 1000;
/** A reading of the wall clock is valid if the monotonic readings before and after it are no further apart than this. */
const reading_ms_max = 2;

const differ = (a: number, b: number, by_ms: number): boolean => Math.abs(a - b) > by_ms;

/** Reads all clocks at about the same moment. Tries again, up to five times, if the thread was suspended in between. */
function readTogether(clock: Pick<Clock, "now" | "monotonic" | "uptime">) {
  for (let tries = 1; ; tries++) {
    const before_ms = clock.monotonic();
    const uptime = clock.uptime();
    const wall_ms = clock.now();
    const monotonic_ms = clock.monotonic();
    if (monotonic_ms - before_ms <= reading_ms_max || tries === 5) return { uptime, wall_ms, monotonic_ms };
  }
}

export class ClockDiscipline {
  /** Steady time, monotonic time and uptime of one moment, from which each is counted. */
  #steady_base_ms: number;
  #monotonic_base_ms: number;
  #uptime_base_ms: number;
  /** How far service time is ahead of steady time. */
  #ahead_ms: number;
  /** The value that `#ahead_ms` moves to: how far the followed wall clock is ahead of steady time. */
  #target_ms: number;
  /** The target at the start of the current ten minutes. */
  #trusted: Anchor;
  /** A wall clock that was set: it is not followed until it has been steady for ten minutes. */
  #candidate: Anchor | null = null;
  /** While service time runs slow: the steady time up to which the slowing has been applied. */
  #slowed_through_ms: number;

  /** Whether steady time, too, follows small changes of the wall clock. */
  readonly #is_shared: boolean;
  /** While steady time runs slow: up to when that has been applied. */
  #steady_slowed_ms: number | null = null;

  /**
   * Continues from `stored`, the latest mark. With `trust_wall`, believes the wall clock even against the mark. `is_shared`: the
   * wall clock belongs to a database, and nodes on other machines have to count the same steady time.
   */
  constructor(
    private readonly clock: Pick<Clock, "now" | "monotonic" | "uptime">,
    stored: Mark | undefined,
    trust_wall: boolean,
    private readonly onEvent: (event: ClockEvent) => void,
    is_shared = false,
  ) {
    this.#is_shared = is_shared;
    const { uptime, wall_ms, monotonic_ms } = readTogether(clock);
    this.#monotonic_base_ms = monotonic_ms;
    this.#uptime_base_ms = uptime.ms;

    const { boot } = uptime;
    const mark = stored ?? { boot, uptime_ms: uptime.ms, now_ms: wall_ms, steady_ms: wall_ms };
    const stored_ahead_ms = mark.now_ms - mark.steady_ms;
    const is_same_boot = mark.boot === boot && uptime.ms >= mark.uptime_ms;
    const counted_ms = is_same_boot ? uptime.ms - mark.uptime_ms : 0;
    const expected_ms = mark.now_ms + counted_ms;
    const is_believed = trust_wall || wall_ms >= expected_ms - tolerance_ms;
    // After a reboot only the wall clock knows the time that has passed. If both agree, the wall clock is more precise.
    const wall_counts = is_same_boot && !is_shared ? !differ(wall_ms, expected_ms, noise_ms) : is_believed;
    const steady_ms = wall_counts
      ? Math.max(wall_ms - stored_ahead_ms, mark.steady_ms)
      : mark.steady_ms + counted_ms;

    this.#steady_base_ms = steady_ms;
    this.#slowed_through_ms = steady_ms;
    const wall_ahead_ms = wall_ms - steady_ms;
    this.#target_ms = is_believed ? wall_ahead_ms : expected_ms - steady_ms;
    const may_go_back = trust_wall || (is_same_boot && wall_counts);
    this.#ahead_ms = may_go_back ? this.#target_ms : Math.max(expected_ms - steady_ms, this.#target_ms);
    this.#trusted = { ahead_ms: this.#target_ms, since_ms: steady_ms };

    if (!is_believed) {
      this.#candidate = { ahead_ms: wall_ahead_ms, since_ms: steady_ms };
      onEvent({ event: "held", wall_ms, service_ms: expected_ms });
    } else if (
      is_same_boot ? differ(wall_ms, expected_ms, tolerance_ms) : wall_ms < expected_ms - tolerance_ms
    ) {
      onEvent({ event: "adopted", from_ms: expected_ms, to_ms: wall_ms });
    }
  }

  /** Service time in unix milliseconds. Goes back only when a wall clock that is far behind is adopted. */
  now(): number {
    const service_ms = this.steady() + this.#ahead_ms;
    const is_followed = !this.#candidate && this.#ahead_ms === this.#target_ms;
    if (is_followed && !differ(this.clock.now(), service_ms, noise_ms)) return service_ms;
    this.check();
    return this.steady() + this.#ahead_ms;
  }

  /** Service time, and how far it is ahead of steady time. */
  moment(): Moment {
    const now_ms = this.now();
    return { now_ms, ahead_ms: this.#ahead_ms };
  }

  /** Steady time in milliseconds. Never goes back. */
  steady(): number {
    return this.#steady_base_ms + Math.floor(this.clock.monotonic() - this.#monotonic_base_ms);
  }

  /** Whether the wall clock was set and is not followed yet. */
  get is_held(): boolean {
    return this.#candidate !== null;
  }

  /** How far service time is ahead of steady time. */
  get ahead_ms(): number {
    return this.#ahead_ms;
  }

  /** Reads all clocks and adjusts service time. Call it regularly: `now` skips it while the wall clock agrees. */
  check(): void {
    this.#countSleep();
    const before_ms = this.clock.monotonic();
    const wall_ms = this.clock.now();
    const steady_ms = this.steady();
    // The thread may have been suspended between the readings; then the next call judges.
    if (this.clock.monotonic() - before_ms <= reading_ms_max) this.#judge(wall_ms, steady_ms);
    this.#approach(steady_ms);
  }

  /** A moment on all clocks. */
  mark(): Mark {
    const { now_ms, ahead_ms } = this.moment();
    // Read the uptime last: the next start adds the uptime since then, which must not include time before `now_ms`.
    const { boot, ms } = this.clock.uptime();
    return { boot, uptime_ms: ms, now_ms, steady_ms: now_ms - ahead_ms };
  }

  /** Adds the time that the machine slept to steady time: the uptime counts it, monotonic time may not. */
  #countSleep(): void {
    // Read the uptime first: a process that is stopped between the two readings must not look asleep.
    const up_ms = this.clock.uptime().ms - this.#uptime_base_ms;
    const slept_ms = Math.floor(up_ms - (this.clock.monotonic() - this.#monotonic_base_ms));
    if (slept_ms <= tolerance_ms) return;
    this.#uptime_base_ms += slept_ms;
    this.#steady_base_ms += slept_ms;
    this.onEvent({ event: "slept", slept_ms });
  }

  /** Decides whether to follow the wall clock, and sets the target. */
  #judge(wall_ms: number, steady_ms: number): void {
    const wall_ahead_ms = wall_ms - steady_ms;
    if (steady_ms - this.#trusted.since_ms >= steady_period_ms) {
      this.#trusted = { ahead_ms: this.#target_ms, since_ms: steady_ms };
    }
    if (!differ(wall_ahead_ms, this.#trusted.ahead_ms, tolerance_ms)) {
      if (this.#candidate) this.#release(wall_ms, steady_ms);
      if (this.#is_shared) this.#moveSteady(wall_ahead_ms - this.#target_ms, steady_ms);
      else if (differ(wall_ahead_ms, this.#target_ms, noise_ms)) this.#aimAt(wall_ahead_ms, steady_ms);
      return;
    }
    if (!this.#candidate) {
      this.onEvent({ event: "held", wall_ms, service_ms: steady_ms + this.#ahead_ms });
    }
    if (!this.#candidate || differ(wall_ahead_ms, this.#candidate.ahead_ms, tolerance_ms)) {
      this.#candidate = { ahead_ms: wall_ahead_ms, since_ms: steady_ms };
    }
    if (steady_ms - this.#candidate.since_ms >= steady_period_ms) this.#adopt(wall_ahead_ms, steady_ms);
  }

  #release(wall_ms: number, steady_ms: number): void {
    this.#candidate = null;
    this.onEvent({ event: "released", wall_ms, service_ms: steady_ms + this.#ahead_ms });
  }

  /** Follows a wall clock that has been steady for ten minutes. Sets time back if it would run slow for too long. */
  #adopt(wall_ahead_ms: number, steady_ms: number): void {
    const from_ms = steady_ms + this.#ahead_ms;
    this.#candidate = null;
    this.#aimAt(wall_ahead_ms, steady_ms);
    this.#trusted = { ahead_ms: wall_ahead_ms, since_ms: steady_ms };
    if (this.#ahead_ms - wall_ahead_ms > clock_limits.clock_slow_seconds_max * 1000)
      this.#ahead_ms = wall_ahead_ms;
    this.onEvent({ event: "adopted", from_ms, to_ms: steady_ms + wall_ahead_ms });
  }

  /** Moves steady time by `off_ms`, which it is behind the wall clock: forward at once, back by running at half speed. */
  #moveSteady(off_ms: number, steady_ms: number): void {
    const is_slow = off_ms < -noise_ms;
    const slowed_ms = this.#steady_slowed_ms ?? steady_ms;
    const move_ms = is_slow ? Math.max(off_ms, -Math.floor((steady_ms - slowed_ms) / 2)) : off_ms;
    if (is_slow || off_ms > noise_ms) this.#steady_base_ms += move_ms;
    this.#steady_slowed_ms = is_slow ? steady_ms + move_ms : null;
  }

  #aimAt(wall_ahead_ms: number, steady_ms: number): void {
    if (this.#ahead_ms === this.#target_ms) this.#slowed_through_ms = steady_ms;
    this.#target_ms = wall_ahead_ms;
  }

  /** Moves service time to the target: forward at once, back by running at half speed. */
  #approach(steady_ms: number): void {
    const ahead_of_target_ms = this.#ahead_ms - this.#target_ms;
    if (ahead_of_target_ms <= 0) this.#ahead_ms = this.#target_ms;
    else {
      const lost_ms = Math.min(ahead_of_target_ms, Math.floor((steady_ms - this.#slowed_through_ms) / 2));
      this.#ahead_ms -= lost_ms;
      this.#slowed_through_ms += 2 * lost_ms;
    }
  }
}
