/**
 * The guard on time: a seed must not be out before its round has ended, whatever the clock does. The wall clock is
 * believed only while it agrees with the machine's uptime, counted from a moment when it was taken as right.
 */

import type { Uptime } from "../core/clock.ts";

/** A moment whose wall time was taken as right. */
export interface Anchor {
  /** The run of the machine in which `uptime_ms` counts. */
  boot: string;
  uptime_ms: number;
  wall_ms: number;
}

export interface Reading {
  wall_ms: number;
  uptime: Uptime;
}

export interface GuardedTime {
  /** The beacon's time: what has ended by it may be out. */
  now_ms: number;
  /** The clocks disagree: nothing new may come out. */
  held: boolean;
  /** What the clock that is furthest ahead says. */
  latest_ms: number;
}

/** By how much the clocks may differ. */
const tolerance_ms = 2_000;

/** Uptime is told in steps of this length. An anchor takes the later end, so that time never runs ahead of it. */
const uptime_step_ms = 10;

/** Where time is counted from: the anchor of this run of the machine, or a new one where there is none to trust. */
export function anchorFor(reading: Reading, kept: Anchor | undefined, mark_ms: number): Anchor {
  const { boot, ms } = reading.uptime;
  // An anchor behind what the service has already seen was taken from a clock that was not set yet.
  const is_good = kept && ms >= kept.uptime_ms - uptime_step_ms && expectedAt(reading, kept) >= mark_ms;
  return is_good ? kept : { boot, uptime_ms: ms + uptime_step_ms, wall_ms: reading.wall_ms };
}

const expectedAt = ({ uptime }: Reading, anchor: Anchor): number =>
  anchor.wall_ms + uptime.ms - anchor.uptime_ms;

/**
 * The beacon's time. It is never ahead of the wall clock nor of the anchor and the uptime since, and never behind
 * `mark_ms`, the latest time by which anything came out. While the clocks differ by more than 2 s it stands still.
 */
export function guardedTime(reading: Reading, anchor: Anchor, mark_ms: number): GuardedTime {
  const expected_ms = expectedAt(reading, anchor);
  const earliest_ms = Math.min(reading.wall_ms, expected_ms);
  const latest_ms = Math.max(reading.wall_ms, expected_ms);
  const held = latest_ms - earliest_ms > tolerance_ms || earliest_ms < mark_ms - tolerance_ms;
  return { now_ms: held ? mark_ms : Math.max(mark_ms, earliest_ms), held, latest_ms };
}
