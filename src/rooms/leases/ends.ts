/**
 * Settles leases and places in line when their time is up, so that those who wait for them are woken and pages change. Every node of a
 * database plans the next end that any node knows of: one of them settles it.
 */

import { isoTime, type ServiceClock } from "../../core/clock.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import { errorText, type Log } from "../../core/log.ts";
import type { LeaseCommands } from "./feature.ts";
import { lease_internal_limits } from "./limits.ts";
import { nextEnd, roomsWithEnded } from "./store.ts";
import { mayChangeEnds } from "./topic.ts";

interface EndsDeps {
  storage: FeatureStorage<LeaseCommands>;
  clock: ServiceClock;
  log: Pick<Log, "warn">;
}

const retry_ms = 1_000;

export function createEnds({ storage, clock, log }: EndsDeps) {
  let cancelTimer = () => {};
  /** The steady time of the next settlement. */
  let wakes_at_ms = Infinity;
  let is_closed = false;
  /** The settlement that runs, and whether something has changed since it began. */
  let running: Promise<void> | undefined;
  let has_changed = false;

  /** Plans a settlement for this steady time, unless an earlier one is planned. */
  function plan(at_ms: number): void {
    if (is_closed || at_ms >= wakes_at_ms) return;
    wakes_at_ms = at_ms;
    cancelTimer();
    cancelTimer = clock.after(Math.max(at_ms - clock.steady(), 0), () => {
      wakes_at_ms = Infinity;
      void settle();
    });
  }

  /** Settles what has ended, and plans the next settlement. */
  async function settleNow(): Promise<void> {
    for (;;) {
      const now = isoTime(clock.steady());
      const rooms = await storage.read((tx) =>
        roomsWithEnded(tx, now, lease_internal_limits.rooms_settled_at_once),
      );
      if (rooms.length === 0) break;
      for (const { slug } of rooms) {
        const input = { ...clock.moment(), room: slug };
        while ((await storage.write("leases.settle", input)).result.more) await clock.turn();
      }
    }
    const next_end = await storage.read(nextEnd);
    if (next_end === null) return;
    const end_ms = Date.parse(next_end);
    // Time has passed since the rooms were read.
    if (end_ms <= clock.steady()) has_changed = true;
    else plan(end_ms);
  }

  /** Settles once for all who want it meanwhile. */
  async function settle(): Promise<void> {
    has_changed = true;
    running ??= (async () => {
      try {
        while (has_changed) {
          if (is_closed) return;
          has_changed = false;
          await settleNow();
        }
      } catch (error) {
        // The storage refuses it when the service stops.
        if (is_closed) return;
        // They have ended anyway: try again, for those who wait.
        log.warn("leases.settle_failed", { error: errorText(error) });
        plan(clock.steady() + retry_ms);
      } finally {
        running = undefined;
      }
    })();
    await running;
  }

  // A lease was taken or extended, or a place in line given, at this node or another.
  storage.onChange("notify", (topic) => {
    if (mayChangeEnds(topic) && !is_closed) void settle();
  });

  return {
    settle,
    close(): void {
      is_closed = true;
      cancelTimer();
    },
  };
}
