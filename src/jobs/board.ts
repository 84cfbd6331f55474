/** Reading the job board. Runs on one snapshot and changes nothing. */

import { decodeCursor, encodeCursor } from "../cursor.ts";
import { matchExpression } from "../storage/search.ts";
import type { Tx } from "../storage/port.ts";
import { jobNotFound } from "./acts.ts";
import { jobFromRow, presently, type JobRecord } from "./record.ts";
import type { JobState } from "./schema.ts";
import * as store from "./store.ts";

export interface BoardQuery {
  state?: JobState | undefined;
  /** Canonical name of the poster. */
  poster?: string | undefined;
  tag?: string | undefined;
  /** Words of title or detail. */
  q?: string | undefined;
  oldest_first: boolean;
  limit: number;
  cursor?: string | undefined;
  /** ISO time: which leases have ended. */
  now: string;
}

export interface BoardPage {
  jobs: JobRecord[];
  open: number;
  total: number;
  next: string | null;
}

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value);

/** A page of the board: the newest jobs first, or the oldest. */
export async function listJobs(tx: Tx, query: BoardQuery): Promise<BoardPage> {
  const { q, cursor, limit, now, ...filter } = query;
  const counts = await store.countJobs(tx, now);
  const words = q === undefined ? undefined : matchExpression(q);
  if (words === null) return { jobs: [], ...counts, next: null };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, isSeq);
  const rows = await store.listJobs(tx, { ...filter, words, after, limit: limit + 1, now });
  const shown = rows.slice(0, limit);
  const jobs: JobRecord[] = [];
  for (const row of shown) jobs.push(presently(jobFromRow(row, await store.tagsOf(tx, row.seq)), now));
  return { jobs, ...counts, next: rows.length > limit ? encodeCursor(shown.at(-1)!.seq) : null };
}

/** One job as it is at `now`. Throws `job_not_found`. */
export async function readJob(tx: Tx, id: string, now: string): Promise<JobRecord> {
  const row = await store.findJob(tx, id);
  if (!row) throw jobNotFound();
  return presently(jobFromRow(row, await store.tagsOf(tx, row.seq)), now);
}
