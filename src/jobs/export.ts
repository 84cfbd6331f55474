/** The jobs that a claimed name posted, holds or delivered, for the export of the name. */

import { joinedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import type { ExportedLine, ExportOf } from "../discovery/feature.ts";
import type { ReceiptLineOf } from "../receipts/receipts.ts";
import type { JobFilter } from "./filter.ts";
import type { Jobs } from "./jobs.ts";
import { receiptsOf } from "./receipt.ts";
import { jobAt, type JobRecord } from "./representations.ts";

const of_others = {
  poster: (job: JobRecord): string[] => (job.result === null ? [] : ["result"]),
  holder: (job: JobRecord): string[] => ["title", "job", "tags", ...(job.verdict ? ["review"] : [])],
};

export function createJobsExport(jobs: Jobs, receiptLine: ReceiptLineOf): ExportOf {
  const linesOf = (base: string, you: "poster" | "holder", job: JobRecord): ExportedLine[] => {
    const { treat_as: _treat_as, ...shown } = jobAt(base, job);
    const line = { kind: "job", you, ...shown, of_others: of_others[you](job) };
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
