/** The beacon's calendar: maps times to rounds and rounds to UTC days. */

import { isoTime } from "../core/clock.ts";

export const day_ms = 86_400_000;

/** The UTC day (`yyyy-mm-dd`) of a moment. */
export const dayAt = (unix_ms: number): string => isoTime(unix_ms).slice(0, 10);

/** The start of a UTC day in unix milliseconds; NaN if `day` is not a valid day. */
export const dayStarts = (day: string): number => {
  const unix_ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return !Number.isNaN(unix_ms) && dayAt(unix_ms) === day ? unix_ms : NaN;
};

export type Calendar = ReturnType<typeof calendarOf>;

/** The calendar for rounds of `round_seconds`, which must divide a day. */
export function calendarOf(round_seconds: number) {
  const round_ms = round_seconds * 1000;
  const starts = (round: number) => round * round_ms;
  return {
    round_seconds,
    rounds_per_day: day_ms / round_ms,

    /** The round at a time: floor(unix_seconds / round_seconds). */
    roundAt: (unix_ms: number): number => Math.floor(unix_ms / round_ms),

    /** The start of a round, in unix milliseconds: also the end of the round before. */
    starts,
    dayOf: (round: number): string => dayAt(starts(round)),
    firstRoundOf: (day: string): number => dayStarts(day) / round_ms,
  };
}
