/**
 * The clock of the service: service time, steady time, and the stored mark from which the next start continues. Only the
 * beacon has its own, stricter clock (beacon/guard.ts).
 */

import type { Check } from "../core/storage.ts";
import { isoTime, type Clock, type ServiceClock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { ClockCommands } from "./feature.ts";
import { clock_limits } from "./limits.ts";
import type { Log } from "../core/log.ts";
import { ClockDiscipline, type ClockEvent, type Mark } from "./discipline.ts";
import { findMark, type MarkRow } from "./store.ts";

interface ServiceClockDeps {
  /** The clocks of the machine. */
  clock: Clock;
  storage: Pick<FeatureStorage<ClockCommands>, "read" | "write">;
  log: Log;
  /** Whether to believe the wall clock at this start, even against the stored mark. */
  trust_clock: boolean;
  /** Whether the wall clock belongs to a database, which other nodes follow, too. */
  follows_database?: boolean;
}

export interface RunningClock extends ServiceClock {
  /** Whether service time follows the wall clock. */
  health(): Check;
  /** Starts to check the clocks and to store a mark, once every `clock_tick_seconds`. */
  start(): void;
  /** Stores a last mark. Call it before the storage closes. */
  close(): void;
}

const markFromRow = ({ service_time, steady_time, ...row }: MarkRow): Mark => ({
  ...row,
  now_ms: Date.parse(service_time),
  steady_ms: Date.parse(steady_time),
});

/** Continues from the latest stored mark, and stores a new one. */
export async function createServiceClock(deps: ServiceClockDeps): Promise<RunningClock> {
  const { clock, storage, log, trust_clock, follows_database } = deps;
  const row = await storage.read(findMark);
  let stopTick = () => {};
  let is_closed = false;
  let is_failing = false;
  const discipline = new ClockDiscipline(
    clock,
    row && markFromRow(row),
    trust_clock,
    onEvent,
    follows_database,
  );

  function onEvent(event: ClockEvent): void {
    note(log, event);
    // The stored mark is now hours behind, and a power cut would return to it. Store another in the next turn: now the
    // discipline is still in its constructor or in the middle of a reading.
    if (event.event === "adopted" || event.event === "slept") {
      void clock.turn().then(() => (is_closed ? undefined : saveMark()));
    }
  }

  /** Stores a mark. Logs a failure; the next tick tries again. */
  async function saveMark(): Promise<void> {
    try {
      while ((await storage.write("clock.mark", discipline.mark())).result.more);
      is_failing = false;
    } catch (error) {
      if (!is_failing && !is_closed) log.warn("clock.mark_failed", { error: String(error) });
      is_failing = true;
    }
  }

  function tick(): void {
    stopTick = clock.after(clock_limits.clock_tick_seconds * 1000, tick);
    discipline.check();
    void saveMark();
  }

  await saveMark();
  return {
    now: () => discipline.now(),
    moment: () => discipline.moment(),
    steady: () => discipline.steady(),
    monotonic: () => clock.monotonic(),
    uptime: () => clock.uptime(),
    after: (delay_ms, run) => clock.after(delay_ms, run),
    turn: () => clock.turn(),
    health() {
      discipline.check();
      return discipline.is_held ? { status: "failing", code: "clock_held" } : { status: "ok" };
    },
    start() {
      stopTick = clock.after(clock_limits.clock_tick_seconds * 1000, tick);
    },
    close() {
      stopTick();
      is_closed = true;
      void saveMark();
    },
  };
}

function note(log: Log, event: ClockEvent): void {
  if (event.event === "slept") return log.info("clock.slept", { seconds: Math.round(event.slept_ms / 1000) });
  if (event.event === "adopted") {
    return log.warn("clock.adopted", { from: isoTime(event.from_ms), to: isoTime(event.to_ms) });
  }
  const fields = { wall: isoTime(event.wall_ms), service: isoTime(event.service_ms) };
  if (event.event === "released") return log.info("clock.released", fields);
  const hint = `The wall clock was set. Service time goes on by monotonic time until the wall clock has been steady for ${clock_limits.clock_steady_seconds} seconds.`;
  log.warn("clock.held", { ...fields, hint });
}
