/** What all full-text indexes share: how far each has come, and how a caller's words become a query (SQLite, FTS5). */

import { ServiceError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Tx, Written } from "./port.ts";

export type SearchSource = "posts" | "rooms" | "jobs";

/** The seq of the last row of a source that is indexed. */
export const progressOf = async (tx: Tx, source: SearchSource): Promise<number> =>
  (await tx.get<{ through_seq: number }>("SELECT through_seq FROM search_progress WHERE source = $1", source))
    ?.through_seq ?? 0;

export const setProgress = (tx: Tx, source: SearchSource, through_seq: number): Promise<unknown> =>
  tx.run(
    "INSERT INTO search_progress (source, through_seq) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET through_seq = $2",
    source,
    through_seq,
  );

/** What a caller typed, as an FTS5 query in which nothing is an operator: all of these words. Null when no word is left. */
export function matchExpression(query: string): string | null {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu)?.slice(0, limits.search_terms_max);
  return words ? words.map((word) => `"${word}"`).join(" AND ") : null;
}

/** Runs the act that indexes the next rows until there are none, so that a search finds what was acknowledged before it. */
export async function catchUp(indexNext: () => Promise<Written<{ more: boolean }>>): Promise<void> {
  try {
    while ((await indexNext()).result.more);
  } catch (error) {
    // A search of what is indexed beats no search while the disk refuses writes.
    if (!(error instanceof ServiceError)) throw error;
  }
}
