/** Reads rooms and posts in slices and yields to the event loop between them. */

import type { Chunks } from "../core/chunks.ts";
import { isoTime, type Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { RoomCommands } from "./feature.ts";
import type { Position } from "./positions.ts";
import { cursorAfter, readRoom, type LeaseReads, type ReadQuery } from "./queries.ts";
import { roomFromRow, type RoomPage, type RoomRecord, type RoomsPage } from "./representations.ts";
import { leaseChars } from "./leases/representations.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { RoomFilter } from "../api/rooms/params.ts";
import { lastRoomSeq, listRoomsActive, type RoomRow } from "./store.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

export interface SliceDeps {
  storage: FeatureStorage<RoomCommands>;
  clock: Clock;
}

/** The approximate size of a post in a response without its text, in characters: id, name and times. */
const postChars = ({ body }: Post): number => (body?.length ?? 0) + 500;

/** The approximate size of a page in memory or in a response, in characters. */
export const pageChars = ({ room, posts, leases }: RoomPage): number =>
  posts.reduce((chars, post) => chars + postChars(post), room.goal.length + 500 + leaseChars(leases));

/** The approximate size of a list in memory, in characters; more than 0 for an empty list. */
export const listChars = ({ rooms }: RoomsPage): number =>
  rooms.reduce((chars, { goal }) => chars + goal.length + 500, 500);

/** The number of posts, at least one, that have at most `chars_max` characters together. */
function countWithin(posts: Post[], chars_max: number, charsOf: (post: Post) => number): number {
  let left = chars_max;
  const beyond = posts.findIndex((post, i) => (left -= charsOf(post)) < 0 && i > 0);
  return beyond < 0 ? posts.length : beyond;
}

/** Shortens a page to `chars_max` characters: drops its last posts, or the first ones of a page of the latest posts. */
export function cutPage(
  page: RoomPage,
  is_latest: boolean,
  chars_max: number,
  charsOf: (post: Post) => number = postChars,
): RoomPage {
  const ordered = is_latest ? page.posts.toReversed() : page.posts;
  const count = countWithin(ordered, chars_max, charsOf);
  if (count === page.posts.length) return page;
  const posts = is_latest ? page.posts.slice(-count) : page.posts.slice(0, count);
  return { ...page, ...cursorAfter(posts, page.next_since, page.next_n), posts, more: true };
}

export interface PageQuery extends ReadQuery {
  /** Most characters of the posts of a page. A page has at least one post. */
  chars_max?: number;
}

/**
 * A page of a room (see `readRoom`). Reads a long page in several slices, each on its own snapshot.
 */
export async function readPage(
  { storage, clock, leases }: SliceDeps & { leases: LeaseReads | null },
  { limit = room_limits.posts_page_default, chars_max = Infinity, ...query }: PageQuery,
): Promise<RoomPage> {
  const is_latest = query.since === undefined;
  const slice_posts =
    chars_max < Infinity ? room_internal_limits.posts_per_cut_slice : room_internal_limits.posts_per_slice;
  const read = (more: Partial<ReadQuery>, left: number) =>
    storage.read((tx) => readRoom(tx, { ...query, ...more, limit: Math.min(left, slice_posts) }, leases));
  let page = await read({}, limit);
  while (page.more && page.posts.length < limit && pageChars(page) < chars_max) {
    await clock.turn();
    const left = limit - page.posts.length;
    if (is_latest) {
      const earlier = await read({ before: page.posts[0]!.n }, left);
      page = { ...page, posts: [...earlier.posts, ...page.posts], more: earlier.more };
    } else {
      const later = await read({ since: page.next_n }, left);
      page = { ...later, posts: [...page.posts, ...later.posts] };
    }
  }
  return cutPage(page, is_latest, chars_max);
}

/** Number of posts in the first chunk. */
const first_chunk_posts = 4;

export interface ChunkQuery extends Pick<ReadQuery, "room" | "proof"> {
  /** The number of the post after which the chunks begin: 0 for all. */
  after?: number;
  /** The number of their last post; without it they end with the room. */
  through?: number;
}

/**
 * Posts of a room in chunks of bounded size, oldest first, so that a slow reader keeps little in memory. Each chunk has a
 * snapshot and a turn of the event loop of its own.
 */
export function postChunks(
  { storage, clock }: SliceDeps,
  { after = 0, through = Infinity, ...query }: ChunkQuery,
): Chunks<Post[]> {
  let from: Position = after;
  let limit = first_chunk_posts;
  let has_ended = false;
  return async () => {
    if (has_ended) return null;
    await clock.turn();
    const page = await storage.read((tx) => readRoom(tx, { ...query, since: from, limit }, null));
    const count = countWithin(
      page.posts,
      room_internal_limits.posts_chunk_chars_max,
      ({ body }) => body?.length ?? 0,
    );
    const posts = page.posts.slice(0, count).filter(({ n }) => n <= through);
    // Assume that the next posts are about as long as these.
    limit = Math.min(count === limit ? 2 * limit : count + 1, room_internal_limits.posts_per_slice);
    from = posts.at(-1)?.n ?? from;
    const is_end = !page.more && count === page.posts.length;
    has_ended = is_end || posts.length < count || posts.at(-1)?.n === through;
    return posts.length > 0 ? posts : null;
  };
}

/** A set of non-negative integers, stored as bits. */
class NumberSet {
  #bits = new Uint8Array(1024);

  /** Adds a number. Returns whether it is new. */
  add(number: number): boolean {
    const at = number >>> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(2 * (at + 1));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    const bit = 1 << (number & 7);
    const is_new = (this.#bits[at]! & bit) === 0;
    this.#bits[at]! |= bit;
    return is_new;
  }
}

/** How far the stored activity of a room may be behind the clock. */
const stored_within_ms = 60_000;

/**
 * All public rooms that existed at the call, each once, most recently active first. Reads rooms that were active meanwhile
 * again until none of them is new, because a room that moves up during the read would be missed.
 */
export function allRooms({ storage, clock }: SliceDeps, filter: RoomFilter): Chunks<RoomRecord[]> {
  const began_ms = clock.now();
  const shown = new NumberSet();
  let last_seq: number | undefined;
  let since = "";
  let after: RoomRow | undefined;
  let news = 0;
  let has_ended = false;
  return async () => {
    // Compare seqs, not times: the time of a room may be ahead of a clock that was set back.
    last_seq ??= await storage.read(lastRoomSeq);
    while (!has_ended) {
      if (since !== "" || after) await clock.turn();
      const from = after;
      const rows = await storage.read((tx) =>
        listRoomsActive(tx, filter, since, room_internal_limits.rooms_per_slice, from),
      );
      const rooms = rows.filter(({ seq }) => seq <= last_seq! && shown.add(seq)).map(roomFromRow);
      news += rooms.length;
      after = rows.length < room_internal_limits.rooms_per_slice ? undefined : rows.at(-1);
      if (!after) {
        // Within one slice, which is one snapshot, no room moves.
        has_ended = news === 0 || !from;
        since = isoTime(began_ms - stored_within_ms);
        news = 0;
      }
      if (rooms.length > 0) return rooms;
    }
    return null;
  };
}
