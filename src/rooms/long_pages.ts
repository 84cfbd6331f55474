/** Pages of a room that are too long to be held in memory: their posts are read in chunks, as a reader takes them. */

import type { Tx } from "../core/storage.ts";
import { roomOrFailure } from "./lookup.ts";
import { lastAt, lastBefore, placeIn, type Position } from "./positions.ts";
import { postFromRow, roomFromRow, type RoomPage } from "./representations.ts";
import { lastOfPage, leasesIn, type LeaseReads, type ReadQuery } from "./queries.ts";
import type { ReadableSlug } from "./slug.ts";
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
export async function findLongPage(tx: Tx, query: ReadQuery, leases: LeaseReads): Promise<LongPage | number> {
  const limit = query.limit ?? room_limits.posts_page_default;
  const row = await roomOrFailure(tx, query.room);
  let bytes: number;
  let first: number, last: number, is_missing_removed: boolean, more: boolean;
  if (query.since !== undefined) {
    const since = await placeIn(tx, row, "since", query.since);
    const read = await lastAt(tx, row, since);
    bytes = await posts_store.bytesAfter(tx, row.seq, read, limit);
    if (!isLong(bytes)) return bytes;
    first = Math.max(read, row.removed_through) + 1;
    last = Math.min(first + limit - 1, row.posts);
    is_missing_removed = row.removed_until !== null && since.ts < row.removed_until;
    more = last < row.posts;
  } else {
    last = await lastOfPage(tx, row, query.before);
    bytes = await posts_store.bytesUpTo(tx, row.seq, last, limit);
    if (!isLong(bytes)) return bytes;
    first = Math.max(last - limit, row.removed_through) + 1;
    is_missing_removed = false;
    more = first > row.removed_through + 1;
  }
  const first_post = (await posts_store.findNumberedPost(tx, row.seq, first, query.proof))!;
  const last_post = (await posts_store.findNumberedPost(tx, row.seq, last))!;
  const posts = [postFromRow(first_post, row.slug)];
  const next = { next_since: last_post.ts, next_n: last };
  const held = await leasesIn(leases, tx, row.seq);
  const page = { room: roomFromRow(row), posts, more, is_missing_removed, ...held, ...next };
  return { page, first, last, bytes };
}

/**
 * A position that equals `before` and is the same for all that do: the number of the first post that is not earlier; undefined
 * for a position after all posts. So answers for different times between two posts are one in a cache.
 */
export async function firstNotBefore(
  tx: Tx,
  slug: ReadableSlug,
  before: Position,
): Promise<number | undefined> {
  const row = await roomOrFailure(tx, slug);
  const latest = await lastBefore(tx, row, await placeIn(tx, row, "before", before));
  return latest < row.posts ? latest + 1 : undefined;
}
