/** SQL of jobs. A held job with an expired lease counts as open everywhere. `now` is steady time. */

import { countersOf } from "../storage/counters.ts";
import type { Tx } from "../core/storage.ts";
import type { JobState } from "../api/jobs/jobs.ts";
import type { JobFilter } from "./filter.ts";
import { countRows, insertOf } from "../storage/rows.ts";

export const counters = countersOf<"jobs_open" | "jobs_total">();

export interface JobRow {
  seq: number;
  id: string;
  poster: string;
  title: string;
  detail: string;
  created: string;
  state: JobState;
  claim_no: number;
  holder: string | null;
  /** Steady time, as is `lease_expires_at`. */
  claimed_at: string | null;
  lease_expires_at: string | null;
  delivered_at: string | null;
  result: string | null;
  verdict: "accepted" | "disputed" | null;
  reason: string | null;
  reviewed_at: string | null;
  /** Who erased the texts of the job; null if nobody did. */
  redacted: "operator" | null;
}

/** A job with the names of poster and holder in their claimed spelling, or in canonical form if a name does not exist. */
export interface NamedJobRow extends JobRow {
  poster_name: string;
  holder_name: string | null;
}

export const named_jobs =
  "SELECT jobs.*, COALESCE(poster.name, jobs.poster) AS poster_name, COALESCE(holder.name, jobs.holder) AS holder_name " +
  "FROM jobs LEFT JOIN names AS poster ON poster.canonical = jobs.poster LEFT JOIN names AS holder ON holder.canonical = jobs.holder";

export const findJob = (tx: Tx, id: string) => tx.get<NamedJobRow>(`${named_jobs} WHERE jobs.id = $1`, id);

/** The jobs among `ids`, with the first `chars` code points of their results, or of their details if not delivered. */
export const jobExcerpts = (tx: Tx, ids: string[], chars: number) =>
  tx.all<{ id: string; beginning: string }>(
    "SELECT id, SUBSTR(COALESCE(result, detail), 1, $1) AS beginning FROM jobs " +
      `WHERE id IN (${ids.map((_, i) => `$${i + 2}`).join(", ")})`,
    chars,
    ...ids,
  );

/** The seq of the latest job; 0 if there is none. */
export const lastJobSeq = async (tx: Tx): Promise<number> =>
  (await tx.get<{ seq: number }>("SELECT seq FROM jobs ORDER BY seq DESC LIMIT 1"))?.seq ?? 0;

export const insertJob = async (
  tx: Tx,
  job: Pick<JobRow, "id" | "poster" | "title" | "detail" | "created">,
): Promise<number> =>
  (await tx.get<{ seq: number }>(...insertOf("jobs", { ...job, state: "open" }, "RETURNING seq")))!.seq;

export const insertTag = (tx: Tx, job: number, tag: string) =>
  tx.run("INSERT INTO job_tags (tag, job) VALUES ($1, $2) ON CONFLICT DO NOTHING", tag, job);

export const tagsOf = async (tx: Tx, job: number): Promise<string[]> =>
  (await tx.all<{ tag: string }>("SELECT tag FROM job_tags WHERE job = $1 ORDER BY tag", job)).map(
    ({ tag }) => tag,
  );

/** Gives an open job to a holder; undefined if it is not open. This guarded update is the lock. */
export const takeJob = (tx: Tx, id: string, holder: string, at: string, until: string) =>
  tx.get<{ claim_no: number }>(
    "UPDATE jobs SET state = 'held', holder = $1, claimed_at = $2, lease_expires_at = $3, claim_no = claim_no + 1 " +
      "WHERE id = $4 AND state = 'open' RETURNING claim_no",
    holder,
    at,
    until,
    id,
  );

/** Ends a claim without a delivery. Returns 0 if the claim has ended or was extended since `job` was read. */
export const openAgain = (tx: Tx, { id, claim_no, lease_expires_at }: NamedJobRow) =>
  tx.run(
    "UPDATE jobs SET state = 'open', holder = NULL, claimed_at = NULL, lease_expires_at = NULL " +
      "WHERE id = $1 AND state = 'held' AND claim_no = $2 AND lease_expires_at = $3",
    id,
    claim_no,
    lease_expires_at,
  );

export const extendLease = (tx: Tx, id: string, claim_no: number, until: string) =>
  tx.run(
    "UPDATE jobs SET lease_expires_at = $1 WHERE id = $2 AND state = 'held' AND claim_no = $3",
    until,
    id,
    claim_no,
  );

export const deliverJob = (tx: Tx, id: string, claim_no: number, result: string, at: string) =>
  tx.run(
    "UPDATE jobs SET state = 'delivered', result = $1, delivered_at = $2 " +
      "WHERE id = $3 AND state = 'held' AND claim_no = $4",
    result,
    at,
    id,
    claim_no,
  );

export const withdrawJob = (tx: Tx, id: string) =>
  tx.run("UPDATE jobs SET state = 'withdrawn' WHERE id = $1 AND state = 'open'", id);

export const reviewJob = (
  tx: Tx,
  id: string,
  verdict: "accepted" | "disputed",
  reason: string | null,
  at: string,
) =>
  tx.run(
    "UPDATE jobs SET verdict = $1, reason = $2, reviewed_at = $3 " +
      "WHERE id = $4 AND state = 'delivered' AND verdict IS NULL",
    verdict,
    reason,
    at,
    id,
  );

/** Held jobs with an expired lease, the earliest expiry first. */
export const expiredJobs = (tx: Tx, now: string, limit: number) =>
  tx.all<NamedJobRow>(
    `${named_jobs} WHERE jobs.state = 'held' AND jobs.lease_expires_at <= $1 ORDER BY jobs.lease_expires_at LIMIT $2`,
    now,
    limit,
  );

/** The time when the next lease expires. */
export const nextLeaseEnd = async (tx: Tx): Promise<string | null> =>
  (await tx.get<{ at: string | null }>("SELECT MIN(lease_expires_at) AS at FROM jobs WHERE state = 'held'"))!
    .at;

/** The number of open jobs of a name, with expired leases too. Two counts: one with OR would scan all jobs of the name. */
export const countOpenOf = async (tx: Tx, poster: string, now: string): Promise<number> =>
  (await tx.get<{ count: number }>(
    "SELECT (SELECT COUNT(*) FROM jobs WHERE poster = $1 AND state = 'open') + " +
      "(SELECT COUNT(*) FROM jobs WHERE poster = $1 AND state = 'held' AND lease_expires_at <= $2) AS count",
    poster,
    now,
  ))!.count;

/** The number of jobs that a name holds under unexpired leases, and the time when the first of these expires. */
export const heldBy = async (tx: Tx, holder: string, now: string) =>
  (await tx.get<{ count: number; first_end: string | null }>(
    "SELECT COUNT(*) AS count, MIN(lease_expires_at) AS first_end FROM jobs " +
      "WHERE state = 'held' AND holder = $1 AND lease_expires_at > $2",
    holder,
    now,
  ))!;

interface Wanted {
  filter: JobFilter;
  /** Words that the job has, for the index. */
  terms?: string[] | undefined;
  oldest_first: boolean;
  /** ISO time that decides which leases have expired. */
  now: string;
}

/** SQL and its values, put together piece by piece. */
function statement() {
  const values: (string | number)[] = [];
  return { values, value: (given: string | number) => `$${values.push(given)}` };
}

/**
 * The seqs of the next `count` candidates after `after`, in the order of the board, from the most selective index. The
 * caller still has to check each against the whole filter.
 */
export async function candidates(
  tx: Tx,
  { filter, terms, oldest_first, now }: Wanted,
  after: number | undefined,
  count: number,
): Promise<number[]> {
  const { values, value } = statement();
  const [beyond, order] = oldest_first ? [">", "ASC"] : ["<", "DESC"];
  const from = (column: string, table: string, condition: string): string =>
    `SELECT ${column} AS seq FROM ${table} WHERE ${condition}` +
    `${after === undefined ? "" : ` AND ${column} ${beyond} ${value(after)}`} ORDER BY ${column} ${order} LIMIT ${value(count)}`;
  const { state, by, held_by, delivered_by, tag } = filter;
  const { table, document, matches, find } = tx.textIndex("job_search");
  const sql = terms
    ? from(document, table, matches(value(find(terms).query)))
    : tag
      ? from("job", "job_tags", `tag = ${value(tag)}`)
      : held_by
        ? from("seq", "jobs", `state = 'held' AND holder = ${value(held_by)}`)
        : delivered_by
          ? from("seq", "jobs", `state = 'delivered' AND holder = ${value(delivered_by)}`)
          : by
            ? from("seq", "jobs", `poster = ${value(by)}`)
            : state === "open"
              ? // One statement with OR would sort all open jobs.
                `SELECT seq FROM (${from("seq", "jobs", "state = 'open'")}) UNION ALL ` +
                `SELECT seq FROM (${from("seq", "jobs", `state = 'held' AND lease_expires_at <= ${value(now)}`)}) ` +
                `ORDER BY seq ${order} LIMIT ${value(count)}`
              : from("seq", "jobs", state ? `state = ${value(state)}` : "seq > 0");
  return (await tx.all<{ seq: number }>(sql, ...values)).map(({ seq }) => seq);
}

/** The jobs with these seqs that match the filter, in the order of the board. Does not check `terms` again. */
export function jobsAmong(
  tx: Tx,
  seqs: number[],
  seqs_max: number,
  { filter, oldest_first, now }: Wanted,
): Promise<NamedJobRow[]> {
  const { values, value } = statement();
  const { state, by, held_by, delivered_by, tag } = filter;
  // A fixed number of values, so that there is one prepared statement.
  const listed = Array.from({ length: seqs_max }, (_, i) => value(seqs[i] ?? 0));
  const conditions = [`jobs.seq IN (${listed.join(", ")})`];
  const is_held = () => `(jobs.state = 'held' AND jobs.lease_expires_at > ${value(now)})`;
  if (state === "open") {
    conditions.push(
      `(jobs.state = 'open' OR (jobs.state = 'held' AND jobs.lease_expires_at <= ${value(now)}))`,
    );
  } else if (state === "held") conditions.push(is_held());
  else if (state) conditions.push(`jobs.state = ${value(state)}`);
  if (held_by) conditions.push(`jobs.holder = ${value(held_by)}`, is_held());
  if (delivered_by) conditions.push(`jobs.holder = ${value(delivered_by)}`, "jobs.state = 'delivered'");
  if (by) conditions.push(`jobs.poster = ${value(by)}`);
  if (tag) {
    conditions.push(`EXISTS (SELECT 1 FROM job_tags WHERE tag = ${value(tag)} AND job_tags.job = jobs.seq)`);
  }
  const order = oldest_first ? "ASC" : "DESC";
  return tx.all<NamedJobRow>(
    `${named_jobs} WHERE ${conditions.join(" AND ")} ORDER BY jobs.seq ${order}`,
    ...values,
  );
}

/** The number of open jobs and of all jobs, from the counters. */
export async function countJobs(tx: Tx, now: string): Promise<{ open: number; total: number }> {
  const expired = await countRows(tx, "FROM jobs WHERE state = 'held' AND lease_expires_at <= $1", now);
  return {
    open: (await counters.read(tx, "jobs_open")) + expired,
    total: await counters.read(tx, "jobs_total"),
  };
}

/** The jobs that a name holds, expired leases included. */
export const jobsHeldBy = (tx: Tx, holder: string) =>
  tx.all<NamedJobRow>(`${named_jobs} WHERE jobs.state = 'held' AND jobs.holder = $1`, holder);

/** Lets the jobs of one row of names refer to another. */
export async function moveJobs(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run("UPDATE jobs SET poster = $1 WHERE poster = $2", to, from);
  await tx.run("UPDATE jobs SET holder = $1 WHERE holder = $2", to, from);
}

/** Withdraws a job in any state and erases its texts and tags. */
export async function eraseJob(tx: Tx, seq: number): Promise<void> {
  await tx.run(
    "UPDATE jobs SET state = 'withdrawn', redacted = 'operator', title = '', detail = '', result = NULL, reason = NULL, " +
      "lease_expires_at = NULL WHERE seq = $1",
    seq,
  );
  await tx.run("DELETE FROM job_tags WHERE job = $1", seq);
}
