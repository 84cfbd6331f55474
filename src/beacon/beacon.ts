/** The operations of the beacon, called by every transport. They only read, except that they store the beacon's time. */

import { beacon_errors } from "./errors.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createDays, type Day, type DaysDeps } from "./days.ts";
import { seedOf } from "./derivation.ts";
import { pathOf } from "./merkle.ts";
import { calendarOf, day_ms, dayAt, dayStarts, type Calendar } from "./rounds.ts";
import type { GapRow } from "./store.ts";
import { createTime, type BeaconTime, type Now, type TimeDeps } from "./time.ts";
import { no_meter, type Meter } from "../core/meter.ts";
import { measureBeacon } from "./metrics.ts";
import type { WaitOptions, Waits } from "../core/waits.ts";
import { beacon_internal_limits } from "./limits.ts";

interface BeaconDeps extends Omit<DaysDeps, "calendar">, Pick<TimeDeps, "trust_clock" | "guard" | "storage"> {
  log: Log;
  waits: Waits;
  round_seconds: number;
  meter?: Meter;
}

const beacon_topic = "beacon";

/** A round and its current state. */
export interface Round {
  round: number;
  now: Now;
  commit: string;
  /** Null until the round has ended. */
  seed: string | null;
  /** The index of the commitment in its day's tree, and the audit path from there to the signed root. */
  proof: { index: number; path: string[]; day: Day };
}

export interface Overview {
  now: Now;
  last: { round: number; seed: string; commit: string } | null;
  upcoming: { round: number; commit: string }[];
  span: { first: string; last: string };
  /** The days that are not issued. */
  gaps: readonly GapRow[];
}

export interface Beacon {
  calendar: Calendar;
  /** The topic that is published when a round ends, and when a day is published. */
  topic: string;
  /** The current round, the last one that has ended, and the next ones. */
  overview(): Promise<Overview>;
  now: BeaconTime["now"];
  /** Whether the seed of a round may be published. */
  hasPassed: BeaconTime["hasPassed"];
  /** A round. With `wait_seconds`, waits for its seed. Throws `not_yet`, `beacon_held` or `round_not_found`. */
  round(round: number, wait?: WaitOptions): Promise<Round>;
  /** The seed of a round that has ended. Waits and throws as `round` does, and `not_yet` while it has not ended. */
  seed(round: number, wait?: WaitOptions): Promise<Round & { seed: string }>;
  /** A published day. Throws `not_yet`, `round_not_found`, or `invalid_fields` if `day` is not a day. */
  day(day: string): Promise<Day>;
  /** Advances the time and publishes the days that are due: now, at the end of each round, every `beacon_tick_seconds`. */
  start(): void;
  close(): void;
}

/** Opens the beacon. Throws a user-facing error if `round_seconds` differs from the published days. */
export async function createBeacon(deps: BeaconDeps): Promise<Beacon> {
  const { clock, log, waits } = deps;
  const calendar = calendarOf(deps.round_seconds);
  const time = await createTime({ ...deps, calendar });
  const days = await createDays({ ...deps, calendar });
  let stopTick: (() => void) | undefined;
  let is_closed = false;
  let is_stale = false;
  let refreshing = Promise.resolve();
  deps.storage.onChange("invalidate", (topic) => {
    if (topic === null || topic === beacon_topic) is_stale = true;
  });

  async function reload(): Promise<void> {
    try {
      await Promise.all([time.refresh(), days.refresh()]);
    } catch (error) {
      // The rounds that are in memory can still be read. The next call tries again.
      is_stale = true;
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** Reads what another node may have changed: what one node has published, all others return. */
  function refresh(): Promise<void> {
    if (!is_stale) return refreshing;
    is_stale = false;
    refreshing = reload();
    return refreshing;
  }

  /** The beacon's time. Publishes the days that are due. */
  async function now(): Promise<Now> {
    await refresh();
    const now = await time.now();
    try {
      if (!now.held) await days.publishDue(now.now_ms);
    } catch (error) {
      // Published days can still be read.
      if (!(error instanceof ServiceError) || !days.span()) throw error;
      if (!is_closed) log.warn("beacon.publishing_failed", { error: error.code });
    }
    return now;
  }

  const commitIn = (day: Day, round: number): string => day.commits[round - day.first_round]!;

  /** The seed of a round that has ended; else null. */
  function revealed(day: Day, round: number) {
    if (!time.hasPassed(round)) return null;
    return { round, seed: seedOf(day.secret, round), commit: commitIn(day, round) };
  }

  /** Throws if a time is in a day that is not issued, before the first published day or after the last. */
  function checkSpan(starts_ms: number, now_ms: number): void {
    const span = days.span();
    const gap = days.gaps.find(({ first, last }) => isBetween(first, dayAt(starts_ms), last));
    if (gap) throw notIssued(gap);
    if (!span) throw isHeld();
    if (starts_ms < dayStarts(span.first)) throw notFound();
    if (starts_ms < dayStarts(span.last) + day_ms) return;
    throw notYet(
      "That lies beyond the days whose commitments have been published.",
      days.dueAt(starts_ms) - now_ms,
    );
  }

  /** Throws if a time is after every day that could be published now. Called first, so that such a call costs nothing. */
  function refuseFar(starts_ms: number): void {
    const early_ms = days.dueAt(starts_ms - day_ms) - clock.now();
    if (days.span() && early_ms > 0) checkSpan(starts_ms, clock.now());
  }

  async function readRound(round: number): Promise<Round> {
    const starts_ms = calendar.starts(round);
    await refresh();
    refuseFar(starts_ms);
    const at = await now();
    checkSpan(starts_ms, at.now_ms);
    if (at.held && !time.hasPassed(round) && calendar.starts(round + 1) <= at.latest_ms) throw isHeld();
    const day = await days.find(calendar.dayOf(round));
    if (!day) throw notFound();
    const index = round - day.first_round;
    const seed = revealed(day, round)?.seed ?? null;
    return {
      round,
      now: at,
      commit: commitIn(day, round),
      seed,
      proof: { index, path: pathOf(day.tree, index), day },
    };
  }

  const round = (round: number, wait: WaitOptions = {}): Promise<Round> =>
    waits.readUntil(
      beacon_topic,
      wait,
      () => readRound(round),
      ({ seed }) => seed !== null,
    );

  measureBeacon(deps.meter ?? no_meter, {
    now: async () => ({ ...(await now()), clock_ms: clock.now() }),
    starts: calendar.starts,
    lastDay: () => days.span()?.last ?? null,
  });

  const tick_ms = beacon_internal_limits.beacon_tick_seconds * 1000;

  function tickIn(delay_ms: number): void {
    stopTick?.();
    if (!is_closed) stopTick = clock.after(delay_ms, tick);
  }

  /** Advances the time, and schedules the next advance for the end of the running round: it wakes the waits for its seed. */
  async function advance(): Promise<void> {
    const { now_ms, round, held } = await now();
    const left_ms = calendar.starts(round + 1) - now_ms;
    if (!held && left_ms < tick_ms) tickIn(Math.max(left_ms, beacon_internal_limits.beacon_tick_ms_min));
  }

  function tick(): void {
    tickIn(tick_ms);
    advance().catch((error: unknown) => {
      // After a stop, the next start continues.
      if (is_closed) return;
      // If the storage refuses the write, the next tick tries again.
      if (error instanceof ServiceError) log.warn("beacon.tick_failed", { error: error.code });
      else log.error("beacon.tick_failed", { error: String(error) });
    });
  }

  return {
    calendar,
    topic: beacon_topic,
    now,
    hasPassed: time.hasPassed,
    round,

    async overview() {
      const at = await now();
      const span = days.span();
      if (!span) throw days.gaps[0] ? notIssued(days.gaps[0]) : isHeld();
      const at_day = async (round: number) => days.find(calendar.dayOf(round));
      const last_day = await at_day(at.round - 1);
      const upcoming = [];
      for (let next = at.round; next <= at.round + beacon_internal_limits.beacon_rounds_ahead_shown; next++) {
        const day = await at_day(next);
        if (day) upcoming.push({ round: next, commit: commitIn(day, next) });
      }
      return { now: at, last: last_day && revealed(last_day, at.round - 1), upcoming, span, gaps: days.gaps };
    },

    async seed(number, wait) {
      const found = await round(number, wait);
      const { seed, now } = found;
      if (seed !== null) return { ...found, seed };
      throw notYet("The round has not ended: its seed is not out.", calendar.starts(number + 1) - now.now_ms);
    },

    async day(day) {
      const starts_ms = dayStarts(day);
      if (Number.isNaN(starts_ms))
        throw invalidFields([{ path: "day", message: "must be a day such as 2026-03-01" }]);
      await refresh();
      refuseFar(starts_ms);
      const { now_ms } = await now();
      checkSpan(starts_ms, now_ms);
      const found = await days.find(day);
      if (!found) throw notFound();
      return found;
    },

    start: tick,
    close() {
      is_closed = true;
      stopTick?.();
    },
  };
}

const isBetween = (first: string, day: string, last: string): boolean => first <= day && day <= last;

const notIssued = ({ first, last }: GapRow): ServiceError =>
  new ServiceError(
    beacon_errors.not_issued,
    `No commitments are issued for ${first === last ? first : `${first} to ${last}`}: this instance was restored or copied, ` +
      "and the original may have published them.",
  );

const notFound = (): ServiceError =>
  new ServiceError(beacon_errors.round_not_found, "No commitments of that day have been published.");

function notYet(detail: string, wait_ms: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(wait_ms / 1000));
  return new ServiceError(beacon_errors.not_yet, detail, {
    retry_after_seconds: Math.min(seconds, beacon_internal_limits.beacon_retry_after_seconds_max),
  });
}

const isHeld = (): ServiceError =>
  new ServiceError(
    beacon_errors.beacon_held,
    "The clocks of this service disagree: no new seed comes out until they agree.",
    {
      retry_after_seconds: beacon_internal_limits.beacon_tick_seconds,
      members: { clock: "held" },
    },
  );
