/** The beacon's time: guarded against a wrong clock, and stored before it advances. */

import { isoTime, type Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { BeaconCommands } from "./feature.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { anchorFor, guardedTime } from "./guard.ts";
import type { Calendar } from "./rounds.ts";
import { findAnchor, findMark } from "./store.ts";

export interface Now {
  /** The beacon's time: seeds of rounds that ended before it may be published. */
  now_ms: number;
  /** The current round. */
  round: number;
  /** Nothing new is published: the clocks disagree, or the time cannot be stored. */
  held: boolean;
  /** The time of the clock that is furthest ahead. */
  latest_ms: number;
}

export interface TimeDeps {
  storage: FeatureStorage<BeaconCommands>;
  clock: Clock;
  log: Log;
  calendar: Calendar;
  /** Whether to trust the wall clock at this start, even against the stored anchor. */
  trust_clock: boolean;
  /** Computes the time from readings of the clocks; tests replace it. */
  guard?: typeof guardedTime;
}

export interface BeaconTime {
  /** The current time. Rounds that ended before this time may be revealed: the mark is durable. */
  now(): Promise<Now>;
  /** Reads the stored mark, which another node may have advanced. */
  refresh(): Promise<void>;
  /** Whether a round ended before the stored mark. Once published, a seed stays published. */
  hasPassed(round: number): boolean;
}

export async function createTime(deps: TimeDeps): Promise<BeaconTime> {
  const { storage, clock, log, calendar, trust_clock, guard = guardedTime } = deps;
  const read = () => ({ wall_ms: clock.now(), uptime: clock.uptime() });
  const first = read();
  const { boot } = first.uptime;
  const stored = await storage.read(async (tx) => ({
    anchor: await findAnchor(tx, boot),
    mark: await findMark(tx),
  }));

  let mark_ms = stored.mark ? Date.parse(stored.mark.mark) : 0;
  const known = stored.anchor && { ...stored.anchor, wall_ms: Date.parse(stored.anchor.wall) };
  const anchor = anchorFor(first, trust_clock ? undefined : known, mark_ms);
  let is_stored = anchor === known;
  let was_held = false;
  let moving: Promise<void> | undefined;

  /** Stores the anchor, so that a restart does not create another one from a clock that was set meanwhile. */
  async function storeAnchor(): Promise<void> {
    if (is_stored) return;
    const { uptime_ms, wall_ms } = anchor;
    await storage.write("beacon.anchor", { boot, uptime_ms, wall: isoTime(wall_ms) });
    is_stored = true;
  }

  /** Stores a new mark; the time advances when it is durable. */
  async function move(to_ms: number): Promise<void> {
    await storeAnchor();
    const { result } = await storage.write("beacon.mark", { mark: isoTime(to_ms) });
    mark_ms = Math.max(mark_ms, Date.parse(result.mark));
  }

  /** Advances the mark to the round of `to_ms`. Loops, because a move in progress may be to an earlier round. */
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

  const heldAt = (latest_ms: number): Now => ({
    now_ms: mark_ms,
    round: calendar.roundAt(mark_ms),
    held: true,
    latest_ms,
  });

  // If the disk is full, the first move tries again.
  await storeAnchor().catch(noteFailure);

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
        return heldAt(latest_ms);
      }
      note(held, clocks);
      return held ? heldAt(latest_ms) : { now_ms, round, held, latest_ms };
    },
    async refresh() {
      const found = await storage.read(findMark);
      if (found) mark_ms = Math.max(mark_ms, Date.parse(found.mark));
    },
    hasPassed: (round) => calendar.starts(round + 1) <= mark_ms,
  };
}
