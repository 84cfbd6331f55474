/** A stored room as plain data, and as callers at some base address see it. */

import { already_given } from "../core/idempotency.ts";
import type { OpenedRoom, Room, RoomSummary, Visibility } from "./schema.ts";
import type { RoomRow } from "./store.ts";

/** A room without addresses: those depend on where the caller came in. */
export interface RoomRecord {
  slug: string;
  goal: string;
  host: { name: string; claimed: boolean };
  visibility: Visibility;
  created: string;
  closed_at: string | null;
  posts: number;
  last_post: string | null;
  last_active: string;
  changed: string;
}

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
});

/** The addresses of a room below `base`. */
export const roomAddresses = (base: string, slug: string) => ({
  url: `${base}/meet/r/${slug}`,
  api: `${base}/api/meet/rooms/${slug}`,
  mcp: `${base}/mcp/meet/${slug}`,
});

/** The header that keeps an unlisted room out of indexes, in whatever form it is read. */
export const indexing = ({ visibility }: { visibility: Visibility }): Record<string, string> =>
  visibility === "unlisted" ? { "x-robots-tag": "noindex" } : {};

const door = (room: RoomRecord) => ({
  slug: room.slug,
  goal: room.goal,
  host: room.host,
  visibility: room.visibility,
  created: room.created,
  closed: room.closed_at !== null,
});

/** A room as a line of the list. */
export const summaryAt = (base: string, room: RoomRecord): RoomSummary => ({
  ...door(room),
  posts: room.posts,
  last_post: room.last_post,
  url: roomAddresses(base, room.slug).url,
});

/** A room as its own page and API show it. */
export const roomAt = (base: string, room: RoomRecord): Room => ({
  ...summaryAt(base, room),
  ...(room.closed_at !== null && { closed_at: room.closed_at }),
  ...roomAddresses(base, room.slug),
});

/** A room as whoever opened it sees it, once with the key. */
export const openedAt = (base: string, room: RoomRecord, host_key: string | null): OpenedRoom => ({
  ...door(room),
  closed: false,
  ...roomAddresses(base, room.slug),
  host_key,
  ...(host_key === null && {
    host_key_note: already_given,
  }),
});

export interface RoomsPage {
  rooms: RoomRecord[];
  /** How many rooms there are in all; null for a search. */
  total: number | null;
  next: string | null;
  /** Of a search, ISO time: what was accepted before it has been searched. */
  indexed_through?: string;
}
