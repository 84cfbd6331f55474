/** The receipts of a claimed name for jobs: of those that it posted, delivered, had accepted, and accepted. */

import type { FeatureStorage } from "../core/commands.ts";
import type { ListedSource, ReceiptStream } from "../receipts/listed.ts";
import type { JobCommands } from "./feature.ts";
import { receiptsSeenBy } from "./receipt.ts";
import { jobFromRow, type JobRecord } from "./representations.ts";
import { jobsOfNameBefore, type JobsOfName } from "./name_lists_store.ts";

/** The kind of receipt that each list has, the last act of a job first. */
const lists: Record<JobsOfName, string> = {
  had_accepted: "job.accept",
  accepted: "job.accept",
  delivered: "job.deliver",
  posted: "job.post",
};

/** `canonical`: of the name. */
function receiptOf(canonical: string, job: JobRecord, act: string): ListedSource | null {
  const source = receiptsSeenBy(canonical, job).find((seen) => seen.act === act);
  if (!source) return null;
  const other = job.canonical.poster === canonical ? job.holder : job.poster;
  return {
    source,
    title: job.title,
    path: `/jobs/${job.id}`,
    ...(other !== null && act !== "job.post" && { other }),
  };
}

export const createJobReceipts = (storage: FeatureStorage<JobCommands>): ReceiptStream[] =>
  (Object.keys(lists) as JobsOfName[]).map((list) => ({
    kind: "jobs",
    async read({ canonical }, before, count) {
      const rows = await storage.read((tx) => jobsOfNameBefore(tx, list, canonical, before, count));
      return rows.map((row) => ({
        position: [row.at, row.seq],
        receipt: receiptOf(canonical, jobFromRow(row, [], 0), lists[list]),
      }));
    },
  }));
