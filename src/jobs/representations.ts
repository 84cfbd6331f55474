/** Turns rows of jobs into records, and records into their API representation. */

import { shownTime } from "../core/clock.ts";
import { treat_as as treat_as_lean } from "../core/text_form.ts";
import {
  how,
  pay,
  treat_as,
  type Job,
  type JobBoard,
  type LeanBoard,
  type LeanJob,
} from "../api/jobs/jobs.ts";
import type { JobRow, NamedJobRow } from "./store.ts";

/** A job with the names of poster and holder in their claimed spelling, and with times in service time. */
export interface JobRecord extends Omit<JobRow, "seq" | "claimed_at"> {
  tags: string[];
  /** The canonical forms of their names. An earlier holder of a name that was released has another one than the next holder. */
  canonical: { poster: string; holder: string | null };
}

/** The result of a query of the board. */
export interface BoardPage {
  jobs: JobRecord[];
  open: number;
  total: number;
  next: string | null;
  /** How many jobs did not fit into `chars_max`, of those within `limit`. Left out: none. */
  left?: number;
  /** Only for a search. ISO time: jobs posted before it are indexed. */
  indexed_through?: string;
}

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
  redacted: row.redacted,
  canonical: { poster: row.poster, holder: row.holder },
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
  ...(job.redacted && { redacted: job.redacted }),
  url: `${base}/jobs/${job.id}`,
  treat_as,
});

/** A job for its holder. */
export const heldAt = (base: string, job: JobRecord): Job & { you_hold_it_until: string } => ({
  ...jobAt(base, job),
  you_hold_it_until: job.lease_expires_at!,
});

/** A job for a lean answer. */
export const leanJob = (job: JobRecord): LeanJob => ({
  id: job.id,
  state: job.state,
  title: job.title,
  detail: job.detail,
  by: job.poster,
  created: job.created,
  ...(job.tags.length > 0 && { tags: job.tags }),
  ...(job.claim_no > 0 && { claim_no: job.claim_no }),
  ...(job.state === "held" && { held_by: job.holder!, until: job.lease_expires_at! }),
  ...(job.state === "delivered" && { delivered_by: job.holder!, at: job.delivered_at!, result: job.result! }),
  ...(job.verdict && {
    review: { verdict: job.verdict, ...(job.reason && { reason: job.reason }), at: job.reviewed_at! },
  }),
  ...(job.redacted && { redacted: job.redacted }),
});

/** One job as a lean answer. */
export const leanAnswer = (job: JobRecord): LeanJob & { treat_as: string } => ({
  ...leanJob(job),
  treat_as: treat_as_lean,
});

/** A page of the board. */
export const boardAt = (base: string, page: BoardPage): JobBoard => ({
  jobs: page.jobs.map((job) => jobAt(base, job)),
  open: page.open,
  total: page.total,
  treat_as,
  how,
  pay,
  next: page.next,
  ...(page.indexed_through && { indexed_through: page.indexed_through }),
});

/** A page of the board for a lean answer. */
export const leanBoard = ({ jobs, open, total, next, indexed_through }: BoardPage): LeanBoard => ({
  jobs: jobs.map(leanJob),
  open,
  total,
  ...(next && { next }),
  ...(indexed_through && { indexed_through }),
  ...(jobs.length > 0 && { treat_as: treat_as_lean }),
});
