/** The ends of leases of jobs: both sides are notified. */

import type { ServiceClock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { createLeaseEnds, type LeaseEnds } from "../core/lease_ends.ts";
import type { Log } from "../core/log.ts";
import type { JobCommands } from "./feature.ts";
import { open_jobs_changed } from "./open_jobs.ts";
import { nextLeaseEnd } from "./store.ts";

interface EndsDeps {
  storage: FeatureStorage<JobCommands>;
  clock: ServiceClock;
  log: Pick<Log, "warn">;
}

export function createEnds({ storage, clock, log }: EndsDeps): LeaseEnds {
  async function settleEnded(): Promise<string | null> {
    const next_end = await storage.read(nextLeaseEnd);
    if (next_end === null || Date.parse(next_end) > clock.steady()) return next_end;
    for (;;) {
      const { result } = await storage.write("jobs.settle", clock.moment());
      if (!result.more) return result.next_end;
    }
  }

  const ends = createLeaseEnds({ clock, log, failure_event: "jobs.settle_failed", settleEnded });
  // A job was claimed, perhaps at another node, which may be gone when the lease ends.
  storage.onChange("notify", (topic) => {
    if (topic === null || topic === open_jobs_changed) void ends.settle();
  });
  return ends;
}
