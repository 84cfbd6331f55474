/** Which jobs a list has: the parameters of callers, and what queries get of them. */

import type { BoardParams } from "../api/jobs/jobs.ts";
import { job_limits } from "../api/limits.ts";

/** In queries the names are canonical. */
export type JobFilter = Omit<BoardParams, "q" | "sort" | "limit" | "cursor" | "fields">;

/** The filter with the canonical forms of its names. */
export const canonicalFilter = (
  { by, held_by, delivered_by, ...rest }: JobFilter,
  canonicalName: (name: string) => string,
): JobFilter => ({
  ...rest,
  ...(by !== undefined && { by: canonicalName(by) }),
  ...(held_by !== undefined && { held_by: canonicalName(held_by) }),
  ...(delivered_by !== undefined && { delivered_by: canonicalName(delivered_by) }),
});

/** The page of the board that a request asks for. */
export const boardRequest = ({ q, sort, limit, cursor, fields: _fields, ...filter }: BoardParams) => ({
  filter,
  q,
  oldest_first: sort === "oldest",
  limit: Number(limit ?? job_limits.jobs_page_default),
  cursor,
});
