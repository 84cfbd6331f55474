/** Settles leases when their time is up, of any feature: for each node of a database, the next end that any node knows of. */

import type { ServiceClock } from "./clock.ts";
import { errorText, type Log } from "./log.ts";

interface LeaseEndsDeps {
  clock: ServiceClock;
  log: Pick<Log, "warn">;
  /** The event that is logged when leases could not be settled. */
  failure_event: string;
  /** Settles what has ended. Returns the steady time of the next end, null if nothing is held. */
  settleEnded(): Promise<string | null>;
}

/** Settlements at the ends of leases. */
export interface LeaseEnds {
  /** Settles what has ended by now, and plans the next settlement. If the storage refuses it, it is tried again later. */
  settle(): Promise<void>;
  /** Cancels what is planned. */
  close(): void;
}

const retry_ms = 1_000;

export function createLeaseEnds({ clock, log, failure_event, settleEnded }: LeaseEndsDeps): LeaseEnds {
  let cancelTimer = () => {};
  /** The steady time of the next settlement. */
  let wakes_at_ms = Infinity;
  let is_closed = false;
  let has_failed = false;
  let running = Promise.resolve();
  /** The settlement after the one that runs, for all who want it meanwhile. */
  let waiting: Promise<void> | undefined;

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

  async function settleOnce(): Promise<void> {
    if (is_closed) return;
    try {
      let next_end = await settleEnded();
      // Time has passed since what had ended was read.
      while (next_end !== null && Date.parse(next_end) <= clock.steady()) next_end = await settleEnded();
      has_failed = false;
      if (next_end !== null) plan(Date.parse(next_end));
    } catch (error) {
      // The storage refuses it when the service stops.
      if (is_closed) return;
      // They have ended anyway: try again, for those who wait.
      if (!has_failed) log.warn(failure_event, { error: errorText(error) });
      has_failed = true;
      plan(clock.steady() + retry_ms);
    }
  }

  function settle(): Promise<void> {
    waiting ??= running.then(() => {
      waiting = undefined;
      running = settleOnce();
      return running;
    });
    return waiting;
  }

  return {
    settle,
    close(): void {
      is_closed = true;
      cancelTimer();
    },
  };
}
