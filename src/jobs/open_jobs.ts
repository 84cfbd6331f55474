/** Counts the open jobs, and announces that they have changed. */

import type { Tx } from "../core/storage.ts";
import { counters } from "./store.ts";

/** The topic that is published when a job is added to the open ones or removed from them. */
export const open_jobs_changed = "jobs.open";

/** `by`: how many more jobs are open and stored so. 0 if the job had no count, because its lease had expired. */
export async function countOpen(tx: Tx, by: -1 | 0 | 1): Promise<void> {
  if (by !== 0) await counters.add(tx, "jobs_open", by);
  tx.announce(open_jobs_changed);
}
