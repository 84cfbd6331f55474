/** What all full-text indexes share: the progress of indexing. */

import { isoTime } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import { idText, timeText, type Packed } from "./packed.ts";

type SearchSource = "posts" | "rooms" | "jobs";

/** The seq of the last indexed row of a source; 0 if none is indexed. */
export const progressOf = async (tx: Tx, source: SearchSource): Promise<number> =>
  (await tx.get<{ through_seq: number }>("SELECT through_seq FROM search_progress WHERE source = $1", source))
    ?.through_seq ?? 0;

export const setProgress = (tx: Tx, source: SearchSource, through_seq: number): Promise<unknown> =>
  tx.run(
    "INSERT INTO search_progress (source, through_seq) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET through_seq = $2",
    source,
    through_seq,
  );

const last_seqs: Record<SearchSource, string> = {
  posts: "SELECT MAX(seq) AS last FROM posts",
  rooms: "SELECT MAX(seq) AS last FROM rooms",
  jobs: "SELECT MAX(seq) AS last FROM jobs",
};

/** About how many rows of these sources are not indexed yet. Counts gaps in the seqs as rows. */
export async function backlogOf(tx: Tx, sources: readonly SearchSource[]): Promise<number> {
  let backlog = 0;
  for (const source of sources) {
    const last = (await tx.get<{ last: number | null }>(last_seqs[source]))?.last ?? 0;
    backlog += Math.max(last - (await progressOf(tx, source)), 0);
  }
  return backlog;
}

const next_rows: Record<SearchSource, string> = {
  posts: "SELECT id, ts AS at FROM posts WHERE seq > $1 ORDER BY seq LIMIT 1",
  rooms: "SELECT NULL AS id, created AS at FROM rooms WHERE seq > $1 ORDER BY seq LIMIT 1",
  jobs: "SELECT id, created AS at FROM jobs WHERE seq > $1 ORDER BY seq LIMIT 1",
};

/** ISO time before which everything is indexed: `now` if nothing is missing, else the time of the next row to index. */
export async function indexedThrough(tx: Tx, sources: readonly SearchSource[], now: string): Promise<string> {
  let through = now;
  for (const source of sources) {
    const next = await tx.get<{ id: Packed | null; at: string | number }>(
      next_rows[source],
      await progressOf(tx, source),
    );
    if (!next) continue;
    const at = typeof next.at === "number" ? timeText(next.at) : next.at;
    const accepted = (next.id && timeOfId(idText(next.id))) ?? at;
    if (accepted < through) through = accepted;
  }
  return through;
}

/**
 * When the row with this id was accepted, in Unix milliseconds: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7). The `ts` of
 * a post may be later, because times within a room rise strictly. Null for any other id.
 */
export function msOfId(id: string): number | null {
  // A first digit other than 0 would be a time after the year 2527.
  const milliseconds = /^(0[0-9a-f]{7})-([0-9a-f]{4})-7/i.exec(id);
  return milliseconds && Number.parseInt(milliseconds[1]! + milliseconds[2]!, 16);
}

/** The same as an ISO time. */
export function timeOfId(id: string): string | null {
  const ms = msOfId(id);
  return ms === null ? null : isoTime(ms);
}
