/** Metrics of the beacon. */

import type { Meter } from "../core/meter.ts";
import { day_ms, dayStarts } from "./rounds.ts";

interface Measured {
  /** The beacon's time with the current round, and the time of the machine's clock. */
  now(): Promise<{ now_ms: number; round: number; held: boolean; clock_ms: number }>;
  /** When a round starts. */
  starts(round: number): number;
  /** The last day whose commitments are published; null if there is none. */
  lastDay(): string | null;
}

export function measureBeacon(meter: Meter, { now, starts, lastDay }: Measured): void {
  const gauge = (name: string, help: string, read: () => Promise<number | null>) =>
    meter.reading({ name: `wharf_beacon_${name}`, help, type: "gauge" }, read);
  gauge("last_round", "The last round whose value is published.", async () => (await now()).round - 1);
  gauge(
    "value_age_seconds",
    "Time since the last value was due; more than a round: none comes out.",
    async () => {
      const { round, clock_ms } = await now();
      return Math.max(0, clock_ms - starts(round)) / 1000;
    },
  );
  const ahead = "Time until the end of the last day whose commitments are published.";
  gauge("published_ahead_seconds", ahead, async () => {
    const { now_ms } = await now();
    const last = lastDay();
    return last === null ? null : (dayStarts(last) + day_ms - now_ms) / 1000;
  });
  gauge("held", "1 while the beacon publishes nothing, because the clocks disagree.", async () =>
    Number((await now()).held),
  );
}
