/** Metrics of writes, alike for both engines. */

import type { ErrorDefinition } from "../core/error_definition.ts";
import { no_meter, seconds_buckets, type Meter } from "../core/meter.ts";

/** How a write ended: stored, answered again, refused by a rule, or failed because of the storage or a fault. */
type Outcome = "stored" | "repeated" | "refused" | "failed";

const own_faults = new Set(["internal", "unavailable", "full"]);

/** The outcome of a write that ended with an error; `definition` is null for an unexpected one. */
export const outcomeOfError = (definition: ErrorDefinition | null): Outcome =>
  definition && !own_faults.has(definition.kind) ? "refused" : "failed";

export const outcomeOfResult = ({ repeated }: { repeated: boolean }): Outcome =>
  repeated ? "repeated" : "stored";

/** An answered write. */
interface Counted {
  /** The command. */
  name: string;
  outcome: Outcome;
}

/** Counts an answered group; `commit_ms`: how long COMMIT took, if it came so far. */
export type CountWrites = (group: Counted[], commit_ms?: number) => void;

/** Returns the function that counts writes; null if nobody reads the metrics. */
export function countsWrites(meter: Meter): CountWrites | null {
  if (meter === no_meter) return null;
  const writes = meter.counter({
    name: "wharf_writes_total",
    help: "Answered writes by command: stored, repeated, refused by a rule, or failed.",
    labels: ["command", "outcome"],
  });
  const sizes = meter.histogram({
    name: "wharf_commit_writes",
    help: "Writes in a group, which share one commit.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  });
  const durations = meter.histogram({
    name: "wharf_commit_duration_seconds",
    help: "Time of COMMIT, which waits for the fsync of the write-ahead log.",
    buckets: seconds_buckets,
  });
  return (group, commit_ms) => {
    sizes.observe(group.length);
    if (commit_ms !== undefined) durations.observe(commit_ms / 1000);
    for (const { name, outcome } of group) writes.count(name, outcome);
  };
}
