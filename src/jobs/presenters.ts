/** Turns rows of jobs into records, and records into their API representation. */

import { shownTime } from "../core/clock.ts";
import { treat_as, type Job } from "./schema.ts";
import type { JobRow, NamedJobRow } from "./store.ts";

/** A job with the names of poster and holder in their claimed spelling, and with times in service time. */
export type JobRecord = Omit<JobRow, "seq" | "claimed_at"> & { tags: string[] };

/** `ahead_ms`: how far service time is ahead of steady time, in which leases are stored. */
export const jobFromRow = (row: NamedJobRow, tags: string[], ahead_ms: number): JobRecord => ({
  id: row.id,
  title: row.title,
  detail: row.detail,
  tags,
  poster: row.poster_name,
  created: row.created,
  state: row.state,
  claim_no: row.claim_no,
  holder: row.holder_name,
  lease_expires_at: row.lease_expires_at && shownTime(row.lease_expires_at, ahead_ms),
  delivered_at: row.delivered_at,
  result: row.result,
  verdict: row.verdict,
  reason: row.reason,
  reviewed_at: row.reviewed_at,
});

/** The record at the time `now`: a held job with an expired lease is open. */
export const presently = (record: JobRecord, now: string): JobRecord =>
  record.state === "held" && record.lease_expires_at! <= now
    ? { ...record, state: "open", holder: null, lease_expires_at: null }
    : record;

/** The text of a job that the hash of its receipt covers. */
export const jobText = ({ title, detail }: { title: string; detail: string }): string =>
  `${title}\n\n${detail}`;

export const jobAt = (base: string, job: JobRecord): Job => ({
  id: job.id,
  title: job.title,
  by: job.poster,
  created: job.created,
  state: job.state,
  job: { title: job.title, detail: job.detail },
  tags: job.tags,
  claim_no: job.claim_no,
  ...(job.state === "held" && { held_by: job.holder!, until: job.lease_expires_at! }),
  ...(job.state === "delivered" && { delivered_by: job.holder!, at: job.delivered_at!, result: job.result! }),
  ...(job.verdict && { review: { verdict: job.verdict, reason: job.reason, at: job.reviewed_at! } }),
  url: `${base}/jobs/${job.id}`,
  treat_as,
});

/** A job for its holder. */
export const heldAt = (base: string, job: JobRecord): Job & { you_hold_it_until: string } => ({
  ...jobAt(base, job),
  you_hold_it_until: job.lease_expires_at!,
});
