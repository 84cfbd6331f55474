/** SQL of the jobs of a name by the time of what was done with them. */

import type { Tx } from "../core/storage.ts";
import { named_jobs, type NamedJobRow } from "./store.ts";

/** Lists of a name's jobs by time: whose jobs they are, the time, and which of them. Each has an index. */
const of_name = {
  posted: ["poster", "created", "TRUE"],
  delivered: ["holder", "delivered_at", "jobs.state = 'delivered'"],
  had_accepted: ["holder", "reviewed_at", "jobs.verdict = 'accepted'"],
  accepted: ["poster", "reviewed_at", "jobs.verdict = 'accepted'"],
} as const;

export type JobsOfName = keyof typeof of_name;

/** The jobs in one of these lists that come before the time and seq `before`, the latest first. `at`: the time of the list. */
export function jobsOfNameBefore(
  tx: Tx,
  list: JobsOfName,
  name: string,
  [at, seq]: [at: string, seq: number],
  limit: number,
) {
  const [who, time, which] = of_name[list];
  return tx.all<NamedJobRow & { at: string }>(
    `${named_jobs.replace("jobs.*", `jobs.*, jobs.${time} AS at`)} WHERE jobs.${who} = $1 AND ${which} ` +
      `AND (jobs.${time}, jobs.seq) < ($2, $3) ORDER BY jobs.${time} DESC, jobs.seq DESC LIMIT $4`,
    name,
    at,
    seq,
    limit,
  );
}
