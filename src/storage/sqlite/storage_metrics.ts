/** Metrics of the storage: groups of writes, and the files. */

import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { seconds_buckets, type Meter } from "../../core/meter.ts";
import type { GroupOutcome, WriteReply, WriteRequest } from "./group_commit.ts";

const own_faults = new Set(["internal", "unavailable", "full"]);

/** How a write ended: refused by a rule, or failed because of the storage or a fault. */
function outcomeOf(reply: WriteReply): string {
  if (!reply.failure) return reply.repeated ? "repeated" : "stored";
  const { definition } = reply.failure;
  return definition && !own_faults.has(definition.kind) ? "refused" : "failed";
}

/** Returns the function that counts an answered group. */
export function countsWrites(meter: Meter) {
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
  return (group: { request: WriteRequest }[], { replies, commit_ms }: GroupOutcome): void => {
    sizes.observe(group.length);
    if (commit_ms !== undefined) durations.observe(commit_ms / 1000);
    for (const [i, reply] of replies.entries()) writes.count(group[i]!.request.name, outcomeOf(reply));
  };
}

/** Adds the sizes of the database `file`, of its log and of the free space on its disk. */
export function measureFiles(meter: Meter, file: string): void {
  const gauge = (name: string, help: string, read: () => number) =>
    meter.reading({ name, help, type: "gauge" }, read);
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  gauge("wharf_database_bytes", "Size of the database file.", () => sizeOf(file));
  gauge("wharf_log_bytes", "Size of the write-ahead log.", () => sizeOf(`${file}-wal`));
  gauge("wharf_disk_free_bytes", "Space that is free on the disk of the data directory.", () => {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  });
}
