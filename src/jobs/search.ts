/** Full-text search over jobs. A chore indexes new jobs after the writes. */

import { steadyTime } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import type { Tx } from "../core/storage.ts";
import { searchTerms } from "../core/text.ts";
import { backlogOf, indexedThrough, progressOf, setProgress } from "../storage/search.ts";
import { boardPage, boardSlice, type BoardQuery } from "./queries.ts";
import type { BoardPage } from "./representations.ts";
import { countJobs } from "./store.ts";

const sources = ["jobs"] as const;

/** Indexes the next jobs. Returns whether there are more. */
export async function indexNextJobs(tx: Tx): Promise<boolean> {
  const indexed = await progressOf(tx, "jobs");
  const settled = await tx.settledSeq("jobs", indexed);
  await tx.holdTextIndexes();
  const jobs = await tx.all<{ seq: number; title: string; detail: string; redacted: string | null }>(
    "SELECT seq, title, detail, redacted FROM jobs WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3",
    indexed,
    settled,
    limits.index_chunk_posts,
  );
  const documents = jobs.filter(({ redacted }) => redacted === null);
  await tx
    .textIndex("job_search")
    .add(documents.map(({ seq, ...job }) => ({ document: seq, text: indexedText(job) })));
  if (jobs.length > 0) await setProgress(tx, "jobs", jobs.at(-1)!.seq);
  return jobs.length === limits.index_chunk_posts;
}

/** Removes a job and its words from the index. `text`: the indexed text. */
export const forgetJobText = (tx: Tx, seq: number, text: string): Promise<void> =>
  tx.textIndex("job_search").remove([{ document: seq, text }]);

export const indexedText = ({ title, detail }: { title: string; detail: string }): string =>
  `${title}\n${detail}`;

/** The number of rows that are not indexed yet. */
export const jobsBacklog = (tx: Tx): Promise<number> => backlogOf(tx, sources);

/** A page of the indexed jobs whose title or detail has all words of `q`. */
export async function searchJobs(tx: Tx, query: BoardQuery & { q: string; now: string }): Promise<BoardPage> {
  const { now, q } = query;
  const terms = searchTerms(q);
  const page =
    terms.length > 0
      ? await boardPage(query, (after) => boardSlice(tx, { ...query, terms }, after))
      : { jobs: [], next: null };
  return {
    ...page,
    ...(await countJobs(tx, steadyTime(query))),
    indexed_through: await indexedThrough(tx, sources, now),
  };
}
