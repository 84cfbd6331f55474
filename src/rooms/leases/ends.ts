/** The ends of leases and of places in line: those who wait for them are woken, and pages change. */

import { isoTime, type ServiceClock } from "../../core/clock.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import { createLeaseEnds, type LeaseEnds } from "../../core/lease_ends.ts";
import type { Log } from "../../core/log.ts";
import type { LeaseCommands } from "./feature.ts";
import { lease_internal_limits } from "./limits.ts";
import { nextEnd, roomsWithEnded } from "./store.ts";
import { mayChangeEnds } from "./topic.ts";

interface EndsDeps {
  storage: FeatureStorage<LeaseCommands>;
  clock: ServiceClock;
  log: Pick<Log, "warn">;
}

export function createEnds({ storage, clock, log }: EndsDeps): LeaseEnds {
  async function settleEnded(): Promise<string | null> {
    for (;;) {
      const now = isoTime(clock.steady());
      const rooms = await storage.read((tx) =>
        roomsWithEnded(tx, now, lease_internal_limits.rooms_settled_at_once),
      );
      if (rooms.length === 0) return storage.read(nextEnd);
      for (const { slug } of rooms) {
        const input = { ...clock.moment(), room: slug };
        while ((await storage.write("leases.settle", input)).result.more) await clock.turn();
      }
    }
  }

  const ends = createLeaseEnds({ clock, log, failure_event: "leases.settle_failed", settleEnded });
  // A lease was taken or extended, or a place in line given, at this node or another.
  storage.onChange("notify", (topic) => {
    if (mayChangeEnds(topic)) void ends.settle();
  });
  return ends;
}
