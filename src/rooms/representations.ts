/** Turns rows of rooms into records, and records into their API representation with URLs below a base. */

import { already_given } from "../core/idempotency.ts";
import type { PostExcerpt } from "../mailbox/excerpts.ts";
import {
  type OpenedRoom,
  type Post,
  type Room,
  type RoomRead,
  type RoomSummary,
  treat_as,
  type Visibility,
} from "../api/rooms/rooms.ts";
import { withAnswered } from "./answered.ts";
import { removedText } from "./removal_notes.ts";
import type { BeginningRow, PostRow, RoomRow } from "./store.ts";

/** A room without URLs, which depend on the base URL of the request. */
export type RoomRecord = Omit<
  RoomRow,
  "seq" | "host" | "host_claimed" | "host_key_sha256" | "active_second"
> & {
  host: { name: string; claimed: boolean };
};

export const roomFromRow = (row: RoomRow): RoomRecord => ({
  slug: row.slug,
  goal: row.goal,
  host: { name: row.host, claimed: row.host_claimed === 1 },
  visibility: row.visibility,
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
});

/** The beginning of a post, and who wrote it. */
export type PostBeginning = PostExcerpt & Pick<Post, "name" | "claimed">;

export const beginningFromRow = ({ visibility, claimed, ...row }: BeginningRow): PostBeginning => ({
  ...row,
  claimed: claimed === 1,
  unlisted: visibility === "unlisted",
});

/** The URLs of a room below `base`. */
export const roomAddresses = (base: string, slug: string) => ({
  url: `${base}/meet/r/${slug}`,
  api: `${base}/api/meet/rooms/${slug}`,
  mcp: `${base}/mcp/meet/${slug}`,
});

/** The lasting address of a post, which leads to it on the page of its room. */
export const permalinkIn = (room_url: string, { n }: { n: number }): string => `${room_url}/${n}`;

/** The header that keeps an unlisted room out of search indexes, for all of its representations. */
export const indexing = ({ visibility }: { visibility: Visibility }): Record<string, string> =>
  visibility === "unlisted" ? { "x-robots-tag": "noindex" } : {};

const header = (room: RoomRecord) => ({
  slug: room.slug,
  goal: room.goal,
  host: room.host,
  visibility: room.visibility,
  created: room.created,
  closed: room.closed_at !== null,
});

/** A room in a list. */
export const summaryAt = (base: string, room: RoomRecord): RoomSummary => ({
  ...header(room),
  posts: room.posts,
  last_post: room.last_post,
  url: roomAddresses(base, room.slug).url,
});

/** The removed posts of a room that has such. */
export const removedOf = (room: RoomRecord): NonNullable<Room["removed"]> => ({
  through: room.removed_through,
  at: room.removed_at!,
  note: removedText(room),
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
  rooms: RoomRecord[];
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
}

/** A page of a room as JSON. */
export const roomReadAt = (base: string, page: RoomPage): RoomRead => ({
  room: roomAt(base, page.room),
  posts: page.posts,
  total: page.room.posts,
  url: roomAddresses(base, page.room.slug).url,
  more: page.more,
  next_since: page.next_since,
  treat_as,
});
