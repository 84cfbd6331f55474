/** What a test suite can do with the service as a whole: read its state, put it back to the start, and set its clock. */

import { version } from "../../package.json" with { type: "json" };
import { isoTime, parseTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { dev_errors } from "./errors.ts";
import type { Faults } from "./faults.ts";
import type { Instance, SavedState } from "./instance.ts";
import { dev_limits } from "./limits.ts";
import type { RequestLog } from "./request_log.ts";
import type { ChangeClock } from "./schema.ts";
import type { Snapshots } from "./snapshots.ts";

interface ControlsDeps {
  instance: Instance;
  log: RequestLog;
  faults: Faults;
  snapshots: Snapshots;
  seed: number;
  data_dir: string | null;
  /** The time of the clock at the start. */
  at_ms: number;
  /** The state at the start, to which a reset returns. */
  start: Promise<SavedState>;
}

export type Controls = ReturnType<typeof createControls>;

export function createControls({
  instance,
  log,
  faults,
  snapshots,
  seed,
  data_dir,
  at_ms,
  start,
}: ControlsDeps) {
  function clock(): { now: string; frozen: boolean } {
    const { now_ms, is_frozen } = instance.clock();
    return { now: isoTime(now_ms), frozen: is_frozen };
  }

  const state = () => ({
    wharf: version,
    seed,
    at: isoTime(at_ms),
    ...clock(),
    data_dir,
    requests: log.count(),
    faults: faults.list(),
    snapshots: snapshots.list(),
    open: instance.open(),
  });

  return {
    state,

    async reset() {
      // Requests from now on are answered after the reset.
      log.reset();
      faults.reset();
      await instance.load(await start);
      return state();
    },

    /** Throws `clock_goes_back` and `invalid_fields`; then nothing has changed. */
    async setClock(change: ChangeClock): Promise<{ now: string; frozen: boolean }> {
      const targetOf = targetIn(change);
      await instance.setClock((now_ms) => {
        const to_ms = targetOf(now_ms);
        if (to_ms < now_ms)
          throw new ServiceError(dev_errors.clock_goes_back, `It is ${isoTime(now_ms)} already.`, {
            hint: "POST /_dev/reset returns to the start, POST /_dev/snapshots/{name}/restore to the time of a snapshot.",
          });
        if (to_ms <= now_ms + dev_limits.advance_seconds_max * 1000) return to_ms;
        const path = change.now === undefined ? "/advance_seconds" : "/now";
        const message = `leads more than ${dev_limits.advance_seconds_max} seconds (31 days) ahead`;
        throw invalidFields([{ path, message }], "Call again to go further.");
      }, change.frozen);
      return clock();
    },
  };
}

/** The time to which a change leads, by the time before it. Throws `invalid_fields`. */
function targetIn({ advance_seconds, now, frozen }: ChangeClock): (now_ms: number) => number {
  if (advance_seconds !== undefined && now !== undefined) {
    throw invalidFields([{ path: "/now", message: "may not stand beside advance_seconds" }]);
  }
  if (now !== undefined) {
    const time = parseTime(now);
    if (time === null)
      throw invalidFields([{ path: "/now", message: "must be a time such as 2030-01-01T00:00:00Z" }]);
    return () => Date.parse(time);
  }
  if (advance_seconds === undefined && frozen === undefined) {
    throw invalidFields([{ path: "", message: "must have advance_seconds, now or frozen" }]);
  }
  return (now_ms) => now_ms + Math.round((advance_seconds ?? 0) * 1000);
}
