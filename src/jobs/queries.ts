/** Queries of the job board. Each runs on one snapshot. */

import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { job_limits } from "./limits.ts";
import type { Tx } from "../core/storage.ts";
import { jobNotFound } from "./commands.ts";
import { jobFromRow, presently, type JobRecord } from "./presenters.ts";
import type { JobState } from "./schema.ts";
import * as store from "./store.ts";

/** A filter, and the time of the query, which decides which leases have expired. */
export interface BoardQuery extends Moment {
  state?: JobState | undefined;
  /** Canonical name of the poster. */
  poster?: string | undefined;
  tag?: string | undefined;
  oldest_first: boolean;
  limit: number;
  cursor?: string | undefined;
}

export interface BoardPage {
  jobs: JobRecord[];
  open: number;
  total: number;
  next: string | null;
  /** Only for a search. ISO time: jobs posted before it are indexed. */
  indexed_through?: string;
}

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value);

/** A part of a page. */
export interface BoardSlice {
  jobs: { seq: number; job: JobRecord }[];
  /** The seq of the last job examined; null if there are no more. */
  last: number | null;
}

/** Examines the next jobs after the seq `after`. `words`: an FTS5 expression. */
export async function boardSlice(
  tx: Tx,
  query: BoardQuery & { words?: string },
  after: number | undefined,
): Promise<BoardSlice> {
  const { limit } = query;
  const filter = { ...query, now: steadyTime(query) };
  // Only two sizes, because each size needs its own prepared statement.
  const count =
    limit < job_limits.jobs_per_short_slice ? job_limits.jobs_per_short_slice : job_limits.jobs_per_slice;
  const seqs = await store.candidates(tx, filter, after, count);
  const jobs: BoardSlice["jobs"] = [];
  for (const row of await store.jobsAmong(tx, seqs, count, filter)) {
    jobs.push({ seq: row.seq, job: jobNow(row, await store.tagsOf(tx, row.seq), query) });
  }
  return { jobs, last: seqs.length < count ? null : seqs.at(-1)! };
}

const jobChars = ({ title, detail, result, reason }: JobRecord): number =>
  title.length + detail.length + (result?.length ?? 0) + (reason?.length ?? 0);

/**
 * A page of the board, read in slices. It is shorter than `limit` if its texts are long or if many jobs had to be examined;
 * then it has a next page.
 */
export async function boardPage(
  { limit, cursor }: Pick<BoardQuery, "limit" | "cursor">,
  readSlice: (after: number | undefined) => Promise<BoardSlice>,
): Promise<{ jobs: JobRecord[]; next: string | null }> {
  const jobs: JobRecord[] = [];
  let after = cursor === undefined ? undefined : decodeCursor(cursor, isSeq);
  let chars = 0;
  for (let slices = 0; slices < job_limits.job_slices_per_page_max; slices++) {
    const slice = await readSlice(after);
    for (const { seq, job } of slice.jobs) {
      if (jobs.length === limit || chars > job_limits.jobs_page_chars_max) {
        return { jobs, next: encodeCursor(after) };
      }
      jobs.push(job);
      chars += jobChars(job);
      after = seq;
    }
    if (slice.last === null) return { jobs, next: null };
    after = slice.last;
  }
  return { jobs, next: encodeCursor(after) };
}

const jobNow = (row: store.NamedJobRow, tags: string[], { now_ms, ahead_ms }: Moment): JobRecord =>
  presently(jobFromRow(row, tags, ahead_ms), isoTime(now_ms));

/** One job at the given time. Throws `job_not_found`. */
export async function readJob(tx: Tx, id: string, at: Moment): Promise<JobRecord> {
  const row = await store.findJob(tx, id);
  if (!row) throw jobNotFound();
  return jobNow(row, await store.tagsOf(tx, row.seq), at);
}
