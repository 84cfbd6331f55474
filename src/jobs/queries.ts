/** Queries of the job board. Each runs on one snapshot. */

import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { invalidFields } from "../core/errors.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import type { Tx } from "../core/storage.ts";
import { jobNotFound } from "./commands.ts";
import { jobFromRow, presently, type BoardPage, type JobRecord } from "./representations.ts";
import type { JobFilter } from "./filter.ts";
import * as store from "./store.ts";
import { job_internal_limits } from "./limits.ts";

/** A filter, and the time of the query, which decides which leases have expired. */
export interface BoardQuery extends Moment {
  filter: JobFilter;
  oldest_first: boolean;
  limit: number;
  cursor?: string | undefined;
  /** The most characters of the jobs on the page; the first job is there anyway. */
  chars_max?: number | undefined;
}

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value);

/** A part of a page. */
interface BoardSlice {
  jobs: { seq: number; job: JobRecord }[];
  /** The seq of the last job examined; null if there are no more. */
  last: number | null;
}

/** Examines the next jobs after the seq `after`. `terms`: words that all of them have. */
export async function boardSlice(
  tx: Tx,
  query: BoardQuery & { terms?: string[] },
  after: number | undefined,
): Promise<BoardSlice> {
  const { limit } = query;
  const wanted = { ...query, now: steadyTime(query) };
  // Only two sizes, because each size needs its own prepared statement.
  const count =
    limit < job_internal_limits.jobs_per_short_slice
      ? job_internal_limits.jobs_per_short_slice
      : job_internal_limits.jobs_per_slice;
  const seqs = await store.candidates(tx, wanted, after, count);
  const jobs: BoardSlice["jobs"] = [];
  for (const row of await store.jobsAmong(tx, seqs, count, wanted)) {
    jobs.push({ seq: row.seq, job: jobNow(row, await store.tagsOf(tx, row.seq), query) });
  }
  return { jobs, last: seqs.length < count ? null : seqs.at(-1)! };
}

/** The position after the latest job. */
export const latestJob = async (tx: Tx): Promise<string> => encodeCursor(await store.lastJobSeq(tx));

/** Open jobs that were posted after `cursor`, oldest first, and the position after them. Throws `invalid_fields`. */
export async function jobsPosted(
  tx: Tx,
  cursor: string,
  at: Moment,
): Promise<{ jobs: JobRecord[]; cursor: string }> {
  const after = decodeCursor(cursor, isSeq, "jobs");
  if (after > (await store.lastJobSeq(tx))) {
    throw invalidFields([{ path: "jobs", message: "is a position after the latest job" }]);
  }
  const limit = job_internal_limits.new_jobs_per_wait;
  const slice = await boardSlice(tx, { ...at, filter: { state: "open" }, oldest_first: true, limit }, after);
  const found = slice.jobs.slice(0, limit);
  return { jobs: found.map(({ job }) => job), cursor: encodeCursor(found.at(-1)?.seq ?? after) };
}

const jobChars = ({ title, detail, result, reason }: JobRecord): number =>
  title.length +
  detail.length +
  (result?.length ?? 0) +
  (reason?.length ?? 0) +
  job_internal_limits.job_chars_around;

/**
 * A page of the board, read in slices. It is shorter than `limit` if its texts are long or if many jobs had to be examined;
 * then it has a next page.
 */
export async function boardPage(
  { limit, cursor, chars_max = Infinity }: Pick<BoardQuery, "limit" | "cursor" | "chars_max">,
  readSlice: (after: number | undefined) => Promise<BoardSlice>,
): Promise<Pick<BoardPage, "jobs" | "next" | "left">> {
  const jobs: JobRecord[] = [];
  let after = cursor === undefined ? undefined : decodeCursor(cursor, isSeq);
  let chars = 0;
  // After the first job that does not fit, the others are only counted.
  let left = 0;
  let next: string | null = null;
  const page = (end: number | undefined) =>
    left > 0 ? { jobs, next, left } : { jobs, next: end === undefined ? null : encodeCursor(end) };
  for (let slices = 0; slices < job_internal_limits.job_slices_per_page_max; slices++) {
    const slice = await readSlice(after);
    for (const { seq, job } of slice.jobs) {
      if (jobs.length + left === limit || chars > job_internal_limits.jobs_page_chars_max) return page(after);
      chars += jobChars(job);
      if (left === 0 && (chars <= chars_max || jobs.length === 0)) jobs.push(job);
      else if (left++ === 0) next = encodeCursor(after);
      after = seq;
    }
    if (slice.last === null) return page(undefined);
    after = slice.last;
  }
  return page(after);
}

const jobNow = (row: store.NamedJobRow, tags: string[], { now_ms, ahead_ms }: Moment): JobRecord =>
  presently(jobFromRow(row, tags, ahead_ms), isoTime(now_ms));

/** One job at the given time. Throws `job_not_found`. */
export async function readJob(tx: Tx, id: string, at: Moment): Promise<JobRecord> {
  const row = await store.findJob(tx, id);
  if (!row) throw jobNotFound();
  return jobNow(row, await store.tagsOf(tx, row.seq), at);
}
