/** Full-text search over jobs: indexed behind the writes, like rooms. Its SQL is SQLite's (FTS5). */

import { limits } from "../limits.ts";
import type { Tx } from "../storage/port.ts";
import { progressOf, setProgress } from "../storage/search.ts";

/** Indexes the next jobs. Answers whether there are more. */
export async function indexNextJobs(tx: Tx): Promise<boolean> {
  const jobs = await tx.all<{ seq: number; title: string; detail: string }>(
    "SELECT seq, title, detail FROM jobs WHERE seq > $1 ORDER BY seq LIMIT $2",
    await progressOf(tx, "jobs"),
    limits.index_chunk_posts,
  );
  for (const { seq, title, detail } of jobs) {
    await tx.run("INSERT INTO job_search (rowid, text) VALUES ($1, $2)", seq, `${title}\n${detail}`);
  }
  if (jobs.length > 0) await setProgress(tx, "jobs", jobs.at(-1)!.seq);
  return jobs.length === limits.index_chunk_posts;
}
