/** The contents of the receipts of jobs. */

import type { ReceiptSource } from "../receipts/receipts.ts";
import { sha256Hex } from "../core/secrets.ts";
import { jobText, type JobRecord } from "./representations.ts";

const ofJob = (job: JobRecord) => ({ ref: job.id, where: `/api/jobs/${job.id}`, name_claimed: true });

const delivery = (job: JobRecord) => ({
  ...ofJob(job),
  name: job.holder!,
  text: job.result!,
  more: { poster: job.poster, claim_no: job.claim_no, job_sha256: sha256Hex(jobText(job)) },
});

/** The poster's receipt. Its hash covers the title, an empty line and the detail. */
export const posted = (job: JobRecord): ReceiptSource => ({
  ...ofJob(job),
  act: "job.post",
  at: job.created,
  name: job.poster,
  text: jobText(job),
});

/** The deliverer's receipt. Its hash covers the result. */
export const delivered = (job: JobRecord): ReceiptSource => ({
  ...delivery(job),
  act: "job.deliver",
  at: job.delivered_at!,
});

/** The deliverer's receipt for an accepted delivery. Its hash covers the result. */
export const accepted = (job: JobRecord, at: string): ReceiptSource => ({
  ...delivery(job),
  act: "job.accept",
  at,
});

/** The texts of a job that the operator erased are not stored, so it has no receipts. */
const acceptance = (job: JobRecord): ReceiptSource[] =>
  job.redacted || job.verdict !== "accepted" ? [] : [accepted(job, job.reviewed_at!)];

/** The receipts of a job for its poster, and for its deliverer. */
export const receiptsOf = {
  poster: (job: JobRecord): ReceiptSource[] => (job.redacted ? [] : [posted(job)]),
  holder: (job: JobRecord): ReceiptSource[] =>
    job.redacted || job.state !== "delivered" ? [] : [delivered(job), ...acceptance(job)],
};

/** The receipts that a name has seen of a job: its own, and as the poster that of the acceptance. `name`: its canonical form. */
export function receiptsSeenBy(name: string | undefined, job: JobRecord): ReceiptSource[] {
  const { poster, holder } = job.canonical;
  if (name === poster) return [...receiptsOf.poster(job), ...acceptance(job)];
  return name === holder ? receiptsOf.holder(job) : [];
}
