/** Reading the job board. Runs on one snapshot and changes nothing. */

import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { limits } from "../core/limits.ts";
import type { Tx } from "../core/storage.ts";
import { jobNotFound } from "./commands.ts";
import { jobFromRow, presently, type JobRecord } from "./presenters.ts";
import type { JobState } from "./schema.ts";
import * as store from "./store.ts";

/** Which jobs, and when they are read: some leases have ended by then. */
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
  /** Of a search, ISO time: what was posted before it has been searched. */
  indexed_through?: string;
}

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value);

/** Some jobs of a page. */
export interface BoardSlice {
  jobs: { seq: number; job: JobRecord }[];
  /** The seq of the last job that was looked at; null where no more come. */
  last: number | null;
}

/** Looks at the next jobs after the seq `after`. `words` is an FTS5 expression. */
export async function boardSlice(
  tx: Tx,
  query: BoardQuery & { words?: string },
  after: number | undefined,
): Promise<BoardSlice> {
  const { limit } = query;
  const filter = { ...query, now: steadyTime(query) };
  // Two sizes and no more, because each is a statement of its own.
  const count = limit < limits.jobs_per_short_slice ? limits.jobs_per_short_slice : limits.jobs_per_slice;
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
 * A page of the board, read slice by slice. It ends before `limit` where its texts grow long or where many jobs had to be
 * looked at: then there is a next one.
 */
export async function boardPage(
  { limit, cursor }: Pick<BoardQuery, "limit" | "cursor">,
  readSlice: (after: number | undefined) => Promise<BoardSlice>,
): Promise<{ jobs: JobRecord[]; next: string | null }> {
  const jobs: JobRecord[] = [];
  let after = cursor === undefined ? undefined : decodeCursor(cursor, isSeq);
  let chars = 0;
  for (let slices = 0; slices < limits.job_slices_per_page_max; slices++) {
    const slice = await readSlice(after);
    for (const { seq, job } of slice.jobs) {
      if (jobs.length === limit || chars > limits.jobs_page_chars_max) {
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

/** One job as it is then. Throws `job_not_found`. */
export async function readJob(tx: Tx, id: string, at: Moment): Promise<JobRecord> {
  const row = await store.findJob(tx, id);
  if (!row) throw jobNotFound();
  return jobNow(row, await store.tagsOf(tx, row.seq), at);
}
