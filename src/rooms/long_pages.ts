/** Pages of a room that are too long to be held in memory: their posts are read in chunks, as a reader takes them. */

import type { Tx } from "../core/storage.ts";
import { roomOrFailure } from "./lookup.ts";
import { positionIn, type Position } from "./positions.ts";
import { postFromRow, roomFromRow, type RoomPage } from "./representations.ts";
import { last_time, type ReadQuery } from "./queries.ts";
import * as posts_store from "./posts_store.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

/** A long page: the page without its other posts, and the range of its posts. */
export interface LongPage {
  /** The page with its first post alone. */
  page: RoomPage;
  /** The numbers of its first and last post. */
  first: number;
  last: number;
  /** About how many bytes the whole page has. */
  bytes: number;
}

/** The most bytes of `posts` posts. */
export const pageBytesMax = (posts: number): number =>
  posts * (4 * room_limits.post_body_chars_max + room_internal_limits.post_bytes_around);

/** A page of this size is not held in memory. */
const isLong = (bytes: number): boolean => bytes > room_internal_limits.whole_page_bytes_max;

/**
 * The page that `readRoom` would read, if the texts of its posts are long; else about how many bytes it has. Reads the text of
 * its first post only.
 */
export async function findLongPage(tx: Tx, query: ReadQuery): Promise<LongPage | number> {
  const limit = query.limit ?? room_limits.posts_page_default;
  const row = await roomOrFailure(tx, query.room);
  let bytes: number;
  let first: number, last: number, is_missing_removed: boolean, more: boolean;
  if (query.since !== undefined) {
    const since = await positionIn(tx, row, "since", query.since);
    bytes = await posts_store.bytesSince(tx, row.seq, since, limit);
    if (!isLong(bytes)) return bytes;
    first = (await posts_store.postsSince(tx, row.seq, since, 1))[0]!.n;
    last = Math.min(first + limit - 1, row.posts);
    is_missing_removed = row.removed_until !== null && since < row.removed_until;
    more = last < row.posts;
  } else {
    const before = query.before === undefined ? last_time : await positionIn(tx, row, "before", query.before);
    bytes = await posts_store.bytesBefore(tx, row.seq, before, limit);
    if (!isLong(bytes)) return bytes;
    last = (await posts_store.postsBefore(tx, row.seq, before, 1))[0]!.n;
    first = Math.max(last - limit, row.removed_through) + 1;
    is_missing_removed = false;
    more = first > row.removed_through + 1;
  }
  const first_post = (await posts_store.findNumberedPost(tx, row.seq, first, query.proof))!;
  const last_post = (await posts_store.findNumberedPost(tx, row.seq, last))!;
  const posts = [postFromRow(first_post, row.slug)];
  const next = { next_since: last_post.ts, next_n: last };
  return { page: { room: roomFromRow(row), posts, more, is_missing_removed, ...next }, first, last, bytes };
}

/**
 * A position that equals `before` and is the same for all that do: the number of the first post that is not earlier; undefined
 * for a position after all posts. So answers for different times between two posts are one in a cache.
 */
export async function firstNotBefore(tx: Tx, slug: string, before: Position): Promise<number | undefined> {
  const row = await roomOrFailure(tx, slug);
  const time = await positionIn(tx, row, "before", before);
  const latest = (await posts_store.postsBefore(tx, row.seq, time, 1))[0]?.n ?? row.removed_through;
  return latest < row.posts ? latest + 1 : undefined;
}
