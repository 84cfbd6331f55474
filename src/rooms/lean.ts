/** The lean form of rooms and posts, for tools and `fields=lean`: no nulls, no addresses, nothing that the question says. */

import { cutAtWord } from "../core/text.ts";
import { toSecond, treat_as } from "../core/text_form.ts";
import { answeredBy } from "./answered.ts";
import type { Spoken } from "./conversation.ts";
import { removedNote } from "./removal_notes.ts";
import { roomAddresses, type RoomPage, type RoomRecord, type RoomsPage } from "./representations.ts";
import { Post } from "../api/rooms/rooms.ts";
import { LeanList, LeanPost, LeanRead, LeanRoom, LeanSpoken } from "../api/rooms/lean.ts";
import { room_limits } from "../api/limits.ts";

/** What a reader wants of each post. */
export interface PostShape {
  /** The id, too. */
  ids?: boolean | undefined;
  /** The beginning of the text in one line, instead of the text. */
  digest?: boolean | undefined;
}

/** The beginning of a text in one line. */
export const digestOf = (body: string, chars: number = room_limits.post_digest_chars): string =>
  cutAtWord(body.trim().replace(/\s+/g, " "), chars);

export function leanPost(post: Post, { ids, digest }: PostShape = {}): LeanPost {
  const in_reply_to = answeredBy(post);
  return {
    n: post.n,
    ...(ids && { id: post.id }),
    name: post.name,
    ...(post.claimed && { claimed: true }),
    ts: toSecond(post.ts),
    ...(in_reply_to !== undefined && { in_reply_to }),
    ...(post.body !== null && (digest ? { digest: digestOf(post.body) } : { body: post.body })),
    ...(post.redacted && { redacted: post.redacted }),
    ...(post.commitment && { commitment: post.commitment }),
    ...(post.salt && { salt: post.salt }),
  };
}

/** A room whose reader knows its slug. */
function leanRoom({ goal, host, visibility, closed_at, posts }: RoomRecord): LeanRoom {
  return {
    goal,
    host: { name: host.name, ...(host.claimed && { claimed: true }) },
    ...(visibility === "unlisted" && { unlisted: true }),
    ...(closed_at !== null && { closed: true }),
    posts,
  };
}

/** A room in a list. */
export const leanListed = (room: RoomRecord): LeanRoom => ({
  slug: room.slug,
  ...leanRoom(room),
  ...(room.last_post !== null && { last_post: toSecond(room.last_post) }),
});

/** What a page says of removed posts that its reader may miss; null if there are none. */
export const missingText = ({ room, is_missing_removed }: RoomPage, onward: boolean): string | null =>
  onward && !is_missing_removed ? null : removedNote(room);

/** How many posts before `post` are stored. */
export const earlierThan = ({ n }: Post, { removed_through }: RoomRecord): number => n - 1 - removed_through;

/** A page of a room. `onward`: it starts at a `since`, so its reader knows the room. */
export function leanRead(page: RoomPage, onward: boolean, shape: PostShape = {}): LeanRead {
  const { room, posts, more, next_n } = page;
  return {
    ...(!onward && { room: leanRoom(room) }),
    posts: posts.map((post) => leanPost(post, shape)),
    ...(more && (onward ? { more: room.posts - next_n } : { earlier: earlierThan(posts[0]!, room) })),
    ...(missingText(page, onward) !== null && { removed: missingText(page, onward)! }),
    next_since: next_n,
    ...(onward && room.closed_at !== null && { closed: true }),
    ...((posts.length > 0 || !onward) && { treat_as }),
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
  ...(rooms.length > 0 && { treat_as }),
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
  if (missed?.length || replies.length > 0) lean.treat_as = treat_as;
  return lean;
}
