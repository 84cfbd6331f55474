/** The beacon's time: guarded, and moved on only once it is durable how far it has come. */

import { isoTime, type Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { BeaconCommands } from "./feature.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { anchorFor, guardedTime } from "./guard.ts";
import type { Calendar } from "./rounds.ts";
import { findAnchor, findMark } from "./store.ts";

export interface Now {
  /** The beacon's time. A seed may be out when its round has ended by it. */
  now_ms: number;
  /** The round that runs now. */
  round: number;
  /** Nothing new comes out: the clocks disagree, or how far time has come cannot be written down. */
  held: boolean;
  /** What the clock that is furthest ahead says. */
  latest_ms: number;
}

export interface TimeDeps {
  storage: FeatureStorage<BeaconCommands>;
  clock: Clock;
  log: Log;
  calendar: Calendar;
  /** Takes the wall clock as right from now on, although the uptime since an earlier start says otherwise. */
  trust_clock: boolean;
  /** The rule that turns readings of clocks into time. */
  guard?: typeof guardedTime;
}

export interface BeaconTime {
  /** The time now. Whatever ended by it may be told, for it is on disk that it has come so far. */
  now(): Promise<Now>;
  /** Whether a round ended by a time that was reached before: once out, a seed stays out. */
  hasPassed(round: number): boolean;
}

export async function createTime(deps: TimeDeps): Promise<BeaconTime> {
  const { storage, clock, log, calendar, trust_clock, guard = guardedTime } = deps;
  const read = () => ({ wall_ms: clock.now(), uptime: clock.uptime() });
  const first = read();
  const { boot } = first.uptime;
  const kept = await storage.read(async (tx) => ({
    anchor: await findAnchor(tx, boot),
    mark: await findMark(tx),
  }));

  let mark_ms = kept.mark ? Date.parse(kept.mark.mark) : 0;
  const known = kept.anchor && { ...kept.anchor, wall_ms: Date.parse(kept.anchor.wall) };
  const anchor = anchorFor(first, trust_clock ? undefined : known, mark_ms);
  let is_kept = anchor === known;
  let was_held = false;
  let moving: Promise<void> | undefined;

  /** Writes the anchor down, so that a restart cannot take another one from a clock that was set meanwhile. */
  async function keepAnchor(): Promise<void> {
    if (is_kept) return;
    const { uptime_ms, wall_ms } = anchor;
    await storage.write("beacon.anchor", { boot, uptime_ms, wall: isoTime(wall_ms) });
    is_kept = true;
  }

  /** Writes down how far time has come; from then on it has. */
  async function move(to_ms: number): Promise<void> {
    await keepAnchor();
    const { result } = await storage.write("beacon.mark", { mark: isoTime(to_ms) });
    mark_ms = Math.max(mark_ms, Date.parse(result.mark));
  }

  /** Waits until time has come to the round of `to_ms`. A move that is under way may be to an earlier one. */
  async function reach(to_ms: number): Promise<void> {
    while (calendar.roundAt(to_ms) > calendar.roundAt(mark_ms)) {
      moving ??= move(to_ms).finally(() => (moving = undefined));
      await moving;
    }
  }

  function note(held: boolean, fields: Record<string, unknown>): void {
    if (held && !was_held) log.warn("beacon.held", fields);
    if (!held && was_held) log.info("beacon.released", fields);
    was_held = held;
  }

  function noteFailure(error: unknown): void {
    if (!(error instanceof ServiceError)) throw error;
    note(true, { error: error.code });
  }

  const standing = (latest_ms: number): Now => ({
    now_ms: mark_ms,
    round: calendar.roundAt(mark_ms),
    held: true,
    latest_ms,
  });

  // A disk that is full now may not be at the first move, which tries again.
  await keepAnchor().catch(noteFailure);

  return {
    async now() {
      const reading = read();
      const { now_ms, held, latest_ms } = guard(reading, anchor, mark_ms);
      const round = calendar.roundAt(now_ms);
      const clocks = { wall: isoTime(reading.wall_ms), mark: isoTime(mark_ms), uptime_ms: reading.uptime.ms };
      try {
        if (!held) await reach(now_ms);
      } catch (error) {
        noteFailure(error);
        return standing(latest_ms);
      }
      note(held, clocks);
      return held ? standing(latest_ms) : { now_ms, round, held, latest_ms };
    },
    hasPassed: (round) => calendar.starts(round + 1) <= mark_ms,
  };
}
