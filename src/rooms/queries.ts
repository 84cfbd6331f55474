/** Queries of rooms: pages of posts, pages of rooms, events. Each runs on one snapshot. */

import { invalidFields } from "../core/errors.ts";
import type { Identity } from "../core/caller.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import type { Tx } from "../core/storage.ts";
import { roomOrFailure } from "./lookup.ts";
import {
  findPlace,
  findPost,
  lastAt,
  lastBefore,
  placeIn,
  postOrFailure,
  type Position,
  type PostRef,
} from "./positions.ts";
import { numberAt } from "./places_store.ts";
import {
  type Cursor,
  postFromRow,
  roomFromRow,
  type RoomPage,
  type RoomRecord,
  type RoomsPage,
} from "./representations.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { isPrivateSlug, visibilityAt } from "../api/rooms/visibility.ts";
import { slugWords, type ReadableSlug } from "./slug.ts";
import type { ShownLeases } from "../api/leases.ts";
import { admitIn, type AdmissionRules } from "./members/roles.ts";
import type { Leases } from "./leases/leases.ts";
import { findDeleted } from "./admin_store.ts";
import type { RoomFilter, SentFilter } from "../api/rooms/params.ts";
import type { PostExcerpt } from "../mailbox/excerpts.ts";
import * as posts_store from "./posts_store.ts";
import * as store from "./store.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

export interface ReadQuery {
  room: ReadableSlug;
  /** Only later posts are read. */
  since?: Position | undefined;
  /** Only earlier posts are read. */
  before?: Position | undefined;
  limit?: number | undefined;
  /** Whether to include the salts of posts. */
  proof?: boolean | undefined;
}

/** The reads of leases, on the snapshot of the room that is read. */
export type LeaseReads = Pick<Leases, "shownIn" | "changedIn">;

/** The leases of a room as a member of what is read of it; absent if there are none. */
export async function leasesIn(
  { shownIn }: LeaseReads,
  tx: Tx,
  room: number,
): Promise<Pick<RoomPage, "leases">> {
  const leases = await shownIn(tx, room);
  return leases ? { leases } : {};
}

/** The cursor after the last of `posts`; if there is none, that at `time`. */
export function cursorAfter(posts: Post[], time: string, n: number): Cursor {
  const last = posts.at(-1);
  return { next_since: last?.ts ?? time, next_n: last?.n ?? n };
}

/**
 * A page of a room, oldest post first: the earliest posts after `since`, else the latest (before `before`). Without `leases` it does not
 * say who holds what.
 */
export async function readRoom(tx: Tx, query: ReadQuery, leases: LeaseReads | null): Promise<RoomPage> {
  const row = await roomOrFailure(tx, query.room);
  const limit = query.limit ?? room_limits.posts_page_default;
  const room = roomFromRow(row);
  const held = leases ? await leasesIn(leases, tx, row.seq) : {};
  if (query.since !== undefined) {
    const since = await placeIn(tx, row, "since", query.since);
    const rows = await posts_store.postsAfter(
      tx,
      row.seq,
      await lastAt(tx, row, since),
      limit + 1,
      query.proof,
    );
    const posts = rows.slice(0, limit).map((post) => postFromRow(post, row.slug));
    const is_missing_removed = row.removed_until !== null && since.ts < row.removed_until;
    const more = rows.length > limit;
    return { room, posts, more, is_missing_removed, ...held, ...cursorAfter(posts, since.ts, row.posts) };
  }
  const last = await lastOfPage(tx, row, query.before);
  const rows = await posts_store.postsUpTo(tx, row.seq, last, limit + 1, query.proof);
  const posts = rows
    .slice(0, limit)
    .reverse()
    .map((post) => postFromRow(post, row.slug));
  const more = rows.length > limit;
  return { room, posts, more, is_missing_removed: false, ...held, ...cursorAfter(posts, room.created, 0) };
}

/** The number of the last post of a page that ends before a position, or with the room. */
export const lastOfPage = async (
  tx: Tx,
  room: store.RoomRow,
  before: Position | undefined,
): Promise<number> =>
  before === undefined ? room.posts : lastBefore(tx, room, await placeIn(tx, room, "before", before));

export const findRoom = async (tx: Tx, slug: ReadableSlug): Promise<RoomRecord> =>
  roomFromRow(await roomOrFailure(tx, slug));

/** Slug completions: open public rooms whose slug begins with `begun`; for an empty prefix the most recently active. */
export async function slugsFrom(tx: Tx, begun: string, limit: number): Promise<string[]> {
  const prefix = slugWords(begun, room_limits.slug_chars_max);
  const rooms = prefix ? store.slugsFrom(tx, prefix, limit) : store.listRooms(tx, { closed: false }, limit);
  return (await rooms).map(({ slug }) => slug);
}

/** The post of this room with this number or id, or null. */
export async function readPost(
  tx: Tx,
  slug: ReadableSlug,
  ref: PostRef,
  with_salt = false,
): Promise<Post | null> {
  const room = await roomOrFailure(tx, slug);
  const post = await findPost(tx, room.seq, ref, with_salt);
  return post ? postFromRow(post, room.slug) : null;
}

/** The beginnings of these posts, at least one, with what shows whose they are. Those of deleted rooms and removed ones are missing. */
export async function postExcerpts(
  tx: Tx,
  posts: readonly { room: ReadableSlug; n: number; from?: number }[],
): Promise<PostExcerpt[]> {
  const rows = await posts_store.postBeginnings(tx, posts);
  return rows.map(({ visibility, claimed, ...row }) => ({
    ...row,
    claimed: claimed === 1,
    unlisted: visibilityAt(row.room, visibility) === "unlisted",
  }));
}

/** The stored post of a room with this number or id, for a command of this caller. Throws `room_not_found`, `post_not_found` or `post_removed`. */
export const findPostIn = async (
  tx: Tx,
  rules: AdmissionRules,
  slug: string,
  identity: Identity | null,
  ref: PostRef,
): Promise<posts_store.PostRow> =>
  postOrFailure(tx, await roomOrFailure(tx, await admitIn(tx, rules, slug, identity)), ref);

/** The time of a position that a body gives as `since`. Throws `invalid_fields`. */
export const timeOf = async (tx: Tx, slug: ReadableSlug, since: Position): Promise<string> =>
  (await placeIn(tx, await roomOrFailure(tx, slug), "/since", since)).ts;

/**
 * An event of a room for its stream. `at`: its position in the order of events. A restored post is a `post` again. `leases` has the
 * present state, and the place of the latest change of it.
 */
export type RoomEvent =
  | { kind: "leases"; at: string; room: RoomRecord; leases?: ShownLeases }
  | { kind: "post" | "redacted"; at: string; post: Post }
  | { kind: "closed" | "removed"; at: string; room: RoomRecord };

/** The earliest events after `since`, whether there are more, and whether the last event has been reached. */
export async function eventsSince(
  tx: Tx,
  slug: ReadableSlug,
  since: string,
  limit: number,
  leases: LeaseReads,
): Promise<{ events: RoomEvent[]; more: boolean; ended: boolean }> {
  const room = await roomOrFailure(tx, slug);
  const posts = await posts_store.postsAfter(tx, room.seq, await numberAt(tx, room, since), limit + 1);
  const changed = await posts_store.changedSince(tx, room.seq, since, limit + 1);
  const record = roomFromRow(room);
  const leases_changed = await leases.changedIn(tx, room.seq);
  const found: RoomEvent[] = [
    // The reader misses removed posts: their event has the place of the latest of them.
    ...(room.removed_until !== null && room.removed_until > since
      ? [{ kind: "removed" as const, at: room.removed_until, room: record }]
      : []),
    ...posts.map((row) => ({ kind: "post" as const, at: row.ts, post: postFromRow(row, slug) })),
    ...changed.map((row) => ({
      kind: row.redacted ? ("redacted" as const) : ("post" as const),
      at: row.redacted_at!,
      post: postFromRow(row, slug),
    })),
    ...(leases_changed !== null && leases_changed > since
      ? [{ kind: "leases" as const, at: leases_changed, room: record }]
      : []),
    ...(room.closed_at && room.closed_at > since
      ? [{ kind: "closed" as const, at: room.closed_at, room: record }]
      : []),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  const more = found.length > limit;
  const events = found.slice(0, limit);
  for (const event of events)
    if (event.kind === "leases") Object.assign(event, await leasesIn(leases, tx, room.seq));
  return { events, more, ended: room.closed_at !== null && !more };
}

/**
 * The start of a stream of a room: after the event `last_event_id` of an earlier stream, else after `since`, else after the
 * latest event. An invalid `last_event_id` starts after the latest event, because browsers do not reconnect after an error.
 * Throws `invalid_fields` for an invalid `since`. `over`: no event will follow.
 */
export async function followFrom(
  tx: Tx,
  slug: ReadableSlug,
  since: Position | undefined,
  last_event_id: string | null,
  leases: LeaseReads,
): Promise<{ position: string; latest: string; over: boolean }> {
  const room = await roomOrFailure(tx, slug);
  const latest = room.changed;
  let begin = latest;
  if (last_event_id !== null) begin = (await findPlace(tx, room, last_event_id))?.ts ?? latest;
  else if (since !== undefined) begin = (await placeIn(tx, room, "since", since)).ts;
  // Not by its latest change: that may have no event.
  const over = room.closed_at !== null && (await eventsSince(tx, slug, begin, 1, leases)).events.length === 0;
  return { position: begin, latest, over };
}

export interface RoomsQuery {
  filter: SentFilter;
  limit: number;
  cursor?: string | undefined;
}

export interface ListQuery extends RoomsQuery {
  filter: RoomFilter;
}

const isRoomPlace = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");

/** The place of a room in a list, from its cursor. Throws `invalid_fields`. */
export function placeOf(cursor: string): store.RoomCursor {
  const [last_active, slug] = decodeCursor(cursor, isRoomPlace);
  return { last_active, slug };
}

/** The cursor after a room of a list. */
export const cursorAt = ({ last_active, slug }: store.RoomCursor): string =>
  encodeCursor([last_active, slug]);

/** A page of public rooms, the most recently active first. */
export async function listRooms(tx: Tx, query: ListQuery): Promise<RoomsPage> {
  const place = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const rows = await store.listRooms(tx, query.filter, query.limit + 1, place);
  const rooms = rows.slice(0, query.limit).map(roomFromRow);
  const last = rooms.at(-1);
  return {
    rooms,
    total: await store.countRooms(tx, query.filter),
    next: last && rows.length > query.limit ? cursorAt(last) : null,
  };
}

/** The position before all public rooms. No room has it as its slug. */
const no_room = "0";

/** The position after the latest public room: its slug. Other positions would show how many unlisted rooms there are. */
export const latestRoom = async (tx: Tx): Promise<string> =>
  (await store.lastPublicRoom(tx))?.slug ?? no_room;

/** Open public rooms that were opened after `cursor`, and the position after them. Throws `invalid_fields`. */
export async function roomsOpened(tx: Tx, cursor: string): Promise<{ rooms: RoomRecord[]; cursor: string }> {
  const seq = cursor === no_room ? 0 : await publicSeq(tx, cursor);
  if (seq === undefined) {
    throw invalidFields([{ path: "rooms", message: "is not a position that an earlier answer gave out" }]);
  }
  const rows = await store.publicRoomsAfter(tx, seq, room_internal_limits.new_rooms_per_wait);
  const open = rows.filter(({ closed_at }) => closed_at === null);
  return { rooms: open.map(roomFromRow), cursor: rows.at(-1)?.slug ?? cursor };
}

/** The seq of a public room, also of one that was deleted since; undefined for any other slug. */
async function publicSeq(tx: Tx, slug: string): Promise<number | undefined> {
  if (isPrivateSlug(slug)) return undefined;
  const room = await store.findRoom(tx, slug);
  if (!room) return (await findDeleted(tx, slug))?.room;
  return room.visibility === "public" ? room.seq : undefined;
}
