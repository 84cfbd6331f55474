/** The jobs that a claimed name posted, holds or delivered, for the export of the name. */

import { joinedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import type { ExportedLine, ExportOf } from "../discovery/feature.ts";
import type { ReceiptLineOf, ReceiptSource } from "../receipts/receipts.ts";
import type { JobFilter } from "./filter.ts";
import type { Jobs } from "./jobs.ts";
import * as receipt_source from "./receipt.ts";
import { jobAt, type JobRecord } from "./representations.ts";

/** The receipts of a job for its poster, and for its deliverer. The texts of a job that the operator erased are not stored. */
const receiptsOf = {
  poster: (job: JobRecord): ReceiptSource[] => [receipt_source.posted(job)],
  holder: (job: JobRecord): ReceiptSource[] => [
    ...(job.state === "delivered" ? [receipt_source.delivered(job)] : []),
    ...(job.verdict === "accepted" ? [receipt_source.accepted(job, job.reviewed_at!)] : []),
  ],
};

const of_others = {
  poster: (job: JobRecord): string[] => (job.result === null ? [] : ["result"]),
  holder: (job: JobRecord): string[] => ["title", "job", "tags", ...(job.verdict ? ["review"] : [])],
};

export function createJobsExport(jobs: Jobs, receiptLine: ReceiptLineOf): ExportOf {
  const linesOf = (base: string, you: "poster" | "holder", job: JobRecord): ExportedLine[] => {
    const { treat_as: _treat_as, ...shown } = jobAt(base, job);
    const line = { kind: "job", you, ...shown, of_others: of_others[you](job) };
    if (job.redacted) return [line];
    return [line, ...receiptsOf[you](job).map(receiptLine)];
  };
  const part = (base: string, you: "poster" | "holder", filter: JobFilter) => (): Chunks<ExportedLine[]> =>
    mapChunks(jobs.all(filter), (some) => some.flatMap((job) => linesOf(base, you, job)));
  return ({ canonical }, base) =>
    joinedChunks([
      part(base, "poster", { by: canonical }),
      part(base, "holder", { held_by: canonical }),
      part(base, "holder", { delivered_by: canonical }),
    ]);
}
