/**
 * Computes the beacon's time so that no seed is published before its round has ended, even if the wall clock is wrong. The
 * wall clock is trusted only while it agrees with the machine's uptime since an anchor.
 */

import type { Uptime } from "../core/clock.ts";

/** A moment whose wall time is trusted. */
interface Anchor {
  /** Identifies the boot of the machine that `uptime_ms` counts from. */
  boot: string;
  uptime_ms: number;
  wall_ms: number;
}

interface Reading {
  wall_ms: number;
  uptime: Uptime;
}

interface GuardedTime {
  /** The beacon's time: seeds of rounds that ended before it may be published. */
  now_ms: number;
  /** Whether the clocks disagree. While they do, nothing new is published. */
  held: boolean;
  /** The time of the clock that is furthest ahead. */
  latest_ms: number;
}

/** How far the clocks may differ. */
const tolerance_ms = 2_000;

/** Resolution of the machine's uptime. An anchor uses the end of its step, so that the beacon's time is never early. */
const machine_step_ms = 10;

/** The stored anchor of this boot if it can be trusted, else a new one. */
export function anchorFor(reading: Reading, stored: Anchor | undefined, mark_ms: number): Anchor {
  const { boot, ms, step_ms = machine_step_ms } = reading.uptime;
  // An anchor that leads to a time before the mark came from a clock that was not set yet. The mark of another node may be a little later.
  const is_good =
    stored && ms >= stored.uptime_ms - step_ms && expectedAt(reading, stored) >= mark_ms - tolerance_ms;
  return is_good ? stored : { boot, uptime_ms: ms + step_ms, wall_ms: reading.wall_ms };
}

const expectedAt = ({ uptime }: Reading, anchor: Anchor): number =>
  anchor.wall_ms + uptime.ms - anchor.uptime_ms;

/**
 * The beacon's time. Never ahead of the wall clock or of the anchor plus the uptime since then; never behind `mark_ms`, the
 * latest time up to which seeds were published. Does not advance while the clocks differ by more than 2 seconds.
 */
export function guardedTime(reading: Reading, anchor: Anchor, mark_ms: number): GuardedTime {
  const expected_ms = expectedAt(reading, anchor);
  const earliest_ms = Math.min(reading.wall_ms, expected_ms);
  const latest_ms = Math.max(reading.wall_ms, expected_ms);
  const held = latest_ms - earliest_ms > tolerance_ms || earliest_ms < mark_ms - tolerance_ms;
  return { now_ms: held ? mark_ms : Math.max(mark_ms, earliest_ms), held, latest_ms };
}
