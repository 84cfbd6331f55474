/** Turns rows of rooms into records, and records into what programs get: with URLs below a base, or in the lean form. */

import { already_given } from "../core/idempotency.ts";
import { toSecond, treat_as as lean_treat_as } from "../core/text_form.ts";
import {
  type ClosedRoom,
  type Match,
  type OpenedRoom,
  type Post,
  type Room,
  type RoomRead,
  type RoomSummary,
  treat_as,
  treat_as_with_leases,
} from "../api/rooms/rooms.ts";
import type { Visibility } from "../api/rooms/visibility.ts";
import type { LeanClosed, LeanList, LeanListed, LeanRead, LeanRoom, LeanSpoken } from "../api/rooms/lean.ts";
import type { ShownLeases } from "../api/leases.ts";
import type { Role } from "../api/rooms/members.ts";
import { roomAddresses } from "./addresses.ts";
import { withAnswered } from "./answered.ts";
import { leanPost, type PostShape } from "./lean_posts.ts";
import { leanLeases, leaseMembers } from "./leases/representations.ts";
import { paceMembers, slowedUntil } from "./pace/pace.ts";
import { removedNote, removedOf } from "./removal_notes.ts";
import type { PostRow } from "./posts_store.ts";
import { visibilityOf, type RoomRow } from "./store.ts";

export { permalinkIn, roomAddresses } from "./addresses.ts";

/** A room without URLs, which depend on the base URL of the request. */
export type RoomRecord = Omit<
  RoomRow,
  "seq" | "host" | "host_claimed" | "author" | "host_key_sha256" | "active_second" | "visibility"
> & {
  visibility: Visibility;
  host: { name: string; claimed: boolean };
};

/** A room in a list, with what a search has found in it; `matches`: posts for pages; `role`: the role of its reader. */
export type ListedRoom = RoomRecord & { match?: Match; matches?: Match[]; role?: Role };

/** What its opener wrote in a room beside the name. A deletion erases it. */
export const wordsOf = ({ goal }: Pick<RoomRecord, "goal">) => ({ goal });
export const withoutWords = <Words extends Pick<RoomRecord, "goal">>({ goal: _goal, ...room }: Words) => room;

export const roomFromRow = (row: RoomRow): RoomRecord => ({
  slug: row.slug,
  goal: row.goal,
  host: { name: row.host, claimed: row.host_claimed === 1 },
  visibility: visibilityOf(row),
  created: row.created,
  closed_at: row.closed_at,
  posts: row.posts,
  last_post: row.last_post,
  last_active: row.last_active,
  changed: row.changed,
  removed_through: row.removed_through,
  removed_until: row.removed_until,
  removed_at: row.removed_at,
  removed_because: row.removed_because,
  pace: row.pace,
  slowed_until: row.slowed_until,
});

const header = (room: RoomRecord) => ({
  slug: room.slug,
  ...wordsOf(room),
  host: room.host,
  visibility: room.visibility,
  created: room.created,
  closed: room.closed_at !== null,
});

/** A room in a list. */
export const summaryAt = (base: string, room: ListedRoom): RoomSummary => ({
  ...header(room),
  posts: room.posts,
  last_post: room.last_post,
  ...((room.pace !== null || room.slowed_until !== null) && paceMembers(room)),
  url: roomAddresses(base, room.slug).url,
  ...(room.match && { match: room.match }),
  ...(room.role && { role: room.role }),
});

/** A room with all its URLs. */
export const roomAt = (base: string, room: RoomRecord): Room => ({
  ...summaryAt(base, room),
  ...(room.closed_at !== null && { closed_at: room.closed_at }),
  ...(room.removed_through > 0 && { removed: removedOf(room) }),
  ...roomAddresses(base, room.slug),
});

/** A newly opened room with its host key. */
export const openedAt = (base: string, room: RoomRecord, host_key: string | null): OpenedRoom => ({
  ...header(room),
  closed: false,
  ...roomAddresses(base, room.slug),
  host_key,
  ...(host_key === null && { host_key_note: already_given }),
});

export interface RoomsPage {
  rooms: ListedRoom[];
  /** The number of all rooms; null for a search. */
  total: number | null;
  next: string | null;
  /** Only for a search. ISO time: what was accepted before it is indexed. */
  indexed_through?: string;
}

const tombstoneOf = ({ redacted, redacted_at, commitment }: PostRow) => ({
  redacted: redacted!,
  redacted_at: redacted_at!,
  ...(commitment && { commitment }),
});

/** The API representation of a stored post. */
export function postFromRow(row: PostRow, slug: string): Post {
  const post: Post = {
    id: row.id,
    n: row.n,
    ts: row.ts,
    room: slug,
    name: row.name,
    claimed: row.claimed === 1,
    in_reply_to: row.in_reply_to,
    body: row.body,
    ...(row.redacted && tombstoneOf(row)),
    ...(row.salt && { salt: row.salt }),
  };
  if (row.quiet) post.quiet = true;
  return row.in_reply_to_n === null ? post : withAnswered(post, row.in_reply_to_n);
}

/** Where reading continues: a time, and the number of the latest post up to it. */
export interface Cursor {
  next_since: string;
  next_n: number;
}

export interface RoomPage extends Cursor {
  room: RoomRecord;
  posts: Post[];
  more: boolean;
  /** Whether removed posts are missing: it begins at a `since` before the latest of them. */
  is_missing_removed: boolean;
  /** Who holds what in the room; absent if nothing is held. */
  leases?: ShownLeases;
}

/** A post, and the posts of others around it. Reading on from `next_since` skips nothing but the caller's own posts. */
export interface Spoken extends Cursor {
  post: Post;
  /** Posts after `since` and before this one; null if the caller gave no `since`. */
  missed: Post[] | null;
  /** Posts after this one, if the call waited. */
  replies: Post[];
  /** Whether there are more after `next_since`. */
  more: boolean;
  closed: boolean;
}

/** A page of a room as JSON. */
export const roomReadAt = (base: string, page: RoomPage): RoomRead => ({
  room: roomAt(base, page.room),
  ...leaseMembers(page.leases),
  posts: page.posts,
  total: page.room.posts,
  url: roomAddresses(base, page.room.slug).url,
  more: page.more,
  next_since: page.next_since,
  treat_as: page.leases ? treat_as_with_leases : treat_as,
});

// The lean form, for tools and `fields=lean`: no nulls, no addresses, nothing that the question says.

/** A room whose reader knows its slug. */
function leanRoom(room: RoomRecord): LeanRoom {
  const { host, visibility, closed_at, posts } = room;
  const lean: LeanRoom = {
    ...wordsOf(room),
    host: { name: host.name, ...(host.claimed && { claimed: true }) },
    ...(visibility === "unlisted" && { unlisted: true }),
    ...(visibility === "private" && { private: true }),
    ...(closed_at !== null && { closed: true }),
    posts,
  };
  const until = slowedUntil(room);
  if (until !== undefined) lean.slowed_until = until;
  return lean;
}

/** A room in a list. */
export const leanListed = (room: ListedRoom): LeanListed => ({
  slug: room.slug,
  ...leanRoom(room),
  ...(room.last_post !== null && { last_post: toSecond(room.last_post) }),
  ...(room.match && { match: room.match }),
  ...(room.role && { role: room.role }),
});

/** What a page says of removed posts that its reader may miss; null if there are none. */
export const missingText = ({ room, is_missing_removed }: RoomPage, onward: boolean): string | null =>
  onward && !is_missing_removed ? null : removedNote(room);

/** How many posts before `post` are stored. */
export const earlierThan = ({ n }: Post, { removed_through }: RoomRecord): number => n - 1 - removed_through;

/** A page of a room. `onward`: it starts at a `since`, so its reader knows the room, but not who holds what by now. */
export function leanRead(page: RoomPage, onward: boolean, shape: PostShape = {}): LeanRead {
  const { room, posts, more, next_n, leases } = page;
  return {
    ...(!onward && { room: leanRoom(room) }),
    ...leanLeases(leases),
    posts: posts.map((post) => leanPost(post, shape)),
    ...(more && (onward ? { more: room.posts - next_n } : { earlier: earlierThan(posts[0]!, room) })),
    ...(missingText(page, onward) !== null && { removed: missingText(page, onward)! }),
    next_since: next_n,
    ...(onward && room.closed_at !== null && { closed: true }),
    ...((posts.length > 0 || leases || !onward) && { treat_as: lean_treat_as }),
  };
}

/** A page of the list of rooms. One that is alone has its addresses. */
export const leanList = (base: string, { rooms, next, indexed_through }: RoomsPage): LeanList => ({
  rooms: rooms.map((room) => ({
    ...leanListed(room),
    ...(rooms.length === 1 && roomAddresses(base, room.slug)),
  })),
  ...(next !== null && { next }),
  ...(indexed_through && { indexed_through }),
  ...(rooms.length > 0 && { treat_as: lean_treat_as }),
});

/** A new post: its number, the salt for its author, and the posts around it. */
export function leanSpoken(
  { post, missed, replies, more, next_n, closed }: Spoken,
  receipt?: string,
): LeanSpoken {
  // Assigned one by one: a post is made for each call, and spreading costs several times as much.
  const lean = { n: post.n } as LeanSpoken;
  if (post.salt) lean.salt = post.salt;
  if (post.mentions) lean.mentions = post.mentions;
  if (missed) lean.missed = missed.map((other) => leanPost(other));
  else lean.earlier = post.n - 1;
  if (replies.length > 0) lean.replies = replies.map((other) => leanPost(other));
  if (more) lean.more = more;
  lean.next_since = next_n;
  if (closed) lean.closed = closed;
  if (receipt !== undefined) lean.receipt = receipt;
  if (missed?.length || replies.length > 0) lean.treat_as = lean_treat_as;
  return lean;
}

/** A closed room, of which its host knows all but the posts of others. `next_n`: where the rest begins if there are more. */
export const leanClosed = (
  { closed_at, last_word, missed, more }: ClosedRoom,
  next_n: number,
): LeanClosed => ({
  closed_at,
  ...(last_word && { n: last_word.n }),
  ...(last_word?.mentions && { mentions: last_word.mentions }),
  ...(missed && { missed: missed.map((post) => leanPost(post)) }),
  ...(more && { more, next_since: next_n }),
  ...(missed?.length && { treat_as: lean_treat_as }),
});
