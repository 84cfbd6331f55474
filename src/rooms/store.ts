/** SQL of rooms. */

import type { Tx } from "../core/storage.ts";
import { countersOf } from "../storage/counters.ts";
import { statementOf } from "../storage/lists.ts";
import type { RoomFilter, SentFilter } from "../api/rooms/params.ts";
import { visibilityAt, type Visibility } from "../api/rooms/visibility.ts";

export const counters = countersOf<"rooms_open_public" | "rooms_closed_public">();

export interface RoomRow {
  seq: number;
  slug: string;
  goal: string;
  host: string;
  host_claimed: number;
  /** As `authorIn` or `takenOverBy` returns it; null if no claimed name opened it or took it over. */
  author: string | null;
  /** Whether lists have it. A private room is stored as unlisted: its slug says that it is private (`visibilityOf`). */
  visibility: "public" | "unlisted";
  host_key_sha256: string;
  created: string;
  closed_at: string | null;
  /** The number of its posts, and the number (`n`) of the latest one. */
  posts: number;
  last_post: string | null;
  last_active: string;
  /** The first 19 characters of `last_active`, by which rooms are listed: only few posts change it. */
  active_second: string;
  changed: string;
  /** The number of the latest post that retention removed, with all before it; 0 if none was removed. */
  removed_through: number;
  /** The ts of that post, when it was removed, and the rule in words. */
  removed_until: string | null;
  removed_at: string | null;
  removed_because: string | null;
  /** The pace that its host has chosen, as JSON; null: that of the instance. */
  pace: string | null;
  /** When the names that its pace slows down may post again; null if it slows nobody. */
  slowed_until: string | null;
}

/** Who finds and reads a room. */
export const visibilityOf = ({ slug, visibility }: Pick<RoomRow, "slug" | "visibility">): Visibility =>
  visibilityAt(slug, visibility);

/** The columns of a room about its removed posts. */
export type RemovedPosts = Pick<
  RoomRow,
  "removed_through" | "removed_until" | "removed_at" | "removed_because"
>;

/** The columns of a room that commands need. */
export type RoomState = Pick<
  RoomRow,
  | "seq"
  | "slug"
  | "visibility"
  | "closed_at"
  | "posts"
  | "active_second"
  | "changed"
  | "pace"
  | "slowed_until"
>;

/** Characters of a time up to its second. */
export const second_chars = 19;

/** The `active_second` of the time that `value` is in SQL, such as `$1`. */
export const secondOf = (value: string): string => `SUBSTR(CAST(${value} AS TEXT), 1, ${second_chars})`;

export const findRoom = (tx: Tx, slug: string) =>
  tx.get<RoomRow>("SELECT * FROM rooms WHERE slug = $1", slug);

const select_goals = statementOf(({ places }) => `SELECT slug, goal FROM rooms WHERE slug IN (${places})`);

/** The goals of these rooms, at least one. */
export const findGoals = (tx: Tx, slugs: readonly string[]) =>
  tx.all<Pick<RoomRow, "slug" | "goal">>(...select_goals(slugs));

export const findRoomBySeq = (tx: Tx, seq: number) =>
  tx.get<RoomRow>("SELECT * FROM rooms WHERE seq = $1", seq);

/** Inserts a room. Undefined if its slug is taken, or that of a deleted room. */
export const insertRoom = (
  tx: Tx,
  room: Pick<
    RoomRow,
    "slug" | "goal" | "host" | "host_claimed" | "visibility" | "host_key_sha256" | "created" | "author"
  > &
    Partial<Pick<RoomRow, "pace">>,
) =>
  tx.get<RoomRow>(
    "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, last_active, active_second, changed, author, pace) " +
      `SELECT $1, $2, $3, CAST($4 AS INTEGER), $5, $6, $7, $7, ${secondOf("$7")}, $7, $8, $9 ` +
      "WHERE NOT EXISTS (SELECT 1 FROM deleted_rooms WHERE slug = $1) " +
      "ON CONFLICT (slug) DO NOTHING RETURNING *",
    room.slug,
    room.goal,
    room.host,
    room.host_claimed,
    room.visibility,
    room.host_key_sha256,
    room.created,
    room.author,
    room.pace ?? null,
  );

/**
 * Erases what its opener wrote in a room, and takes it out of all lists. `slug`: one that nobody knows. Returns 0 if another change
 * came first.
 */
export const eraseRoom = (tx: Tx, room: RoomRow, slug: string, at: string) =>
  tx.run(
    "UPDATE rooms SET slug = $1, goal = '', host = '', author = NULL, host_key_sha256 = '', visibility = 'unlisted', pace = NULL, slowed_until = NULL, changed = $2 " +
      "WHERE seq = $3 AND changed = $4",
    slug,
    at,
    room.seq,
    room.changed,
  );

/** Closes an open room at `ts`. Returns 0 if another change came first. */
export const markClosed = (tx: Tx, room: RoomRow, ts: string) =>
  tx.run(
    "UPDATE rooms SET closed_at = $1, changed = $1 WHERE seq = $2 AND changed = $3 AND closed_at IS NULL",
    ts,
    room.seq,
    room.changed,
  );

/** Makes a claimed name the host of a room at `ts`. Returns 0 if another change came first. */
export const setHost = (
  tx: Tx,
  room: RoomRow,
  { host, author }: { host: string; author: string },
  ts: string,
) =>
  tx.run(
    "UPDATE rooms SET host = $1, host_claimed = 1, author = $2, changed = $3 WHERE seq = $4 AND changed = $5",
    host,
    author,
    ts,
    room.seq,
    room.changed,
  );

/** Stores the pace of an open room at `ts`, which slows nobody down any more. Returns 0 if another change came first. */
export const setPace = (tx: Tx, room: RoomRow, pace: string | null, ts: string) =>
  tx.run(
    "UPDATE rooms SET pace = $1, slowed_until = NULL, changed = $2 WHERE seq = $3 AND changed = $4 AND closed_at IS NULL",
    pace,
    ts,
    room.seq,
    room.changed,
  );

/** Updates a room for a changed post at `ts`. Returns 0 if another change came first. */
export const markChanged = (tx: Tx, room: RoomRow, ts: string) =>
  tx.run("UPDATE rooms SET changed = $1 WHERE seq = $2 AND changed = $3", ts, room.seq, room.changed);

/** The cursor of a page of rooms: it begins after this room, in the order of activity. */
export interface RoomCursor {
  last_active: string;
  slug: string;
}

/** The condition of SQL for the rooms of a list. */
const listed = ({ closed }: RoomFilter) =>
  `visibility = 'public' AND closed_at IS ${closed ? "NOT NULL" : "NULL"}`;

/** Whether a room is open or closed as the filter says. */
export const isInState = ({ closed_at }: Pick<RoomRow, "closed_at">, { closed }: SentFilter): boolean =>
  closed === undefined || (closed_at !== null) === closed;

/** Whether a search lists this room. The text index may name one that an operator has removed, or made unlisted. */
export const isListed = (room: RoomRow | undefined, filter: SentFilter): room is RoomRow =>
  room?.visibility === "public" && isInState(room, filter);

/** The number of public rooms. */
export const countRooms = (tx: Tx, { closed }: RoomFilter): Promise<number> =>
  counters.read(tx, closed ? "rooms_closed_public" : "rooms_open_public");

/** The order of lists. The index has the seconds; the rooms of one second are sorted. */
const in_order = "ORDER BY active_second DESC, last_active DESC, slug DESC";

/** The rooms after the cursor in these two parameters. */
const afterCursor = (last_active: string, slug: string) =>
  `active_second <= ${secondOf(last_active)} AND (last_active, slug) < (${last_active}, ${slug})`;

/** The position before all rooms: "~" sorts after every digit. */
export const first_cursor: RoomCursor = { last_active: "~", slug: "" };

/** Public rooms, most recently active first, `limit` of them after the cursor. */
export const listRooms = (tx: Tx, filter: RoomFilter, limit: number, after = first_cursor) =>
  tx.all<RoomRow>(
    `SELECT * FROM rooms WHERE ${listed(filter)} AND ${afterCursor("$1", "$2")} ${in_order} LIMIT $3`,
    after.last_active,
    after.slug,
    limit,
  );

/** Sets the activity of at most `limit` rooms to `now` if it is later. */
export async function limitActivity(tx: Tx, now: string, limit: number): Promise<{ slug: string }[]> {
  const later = async (those: string) => {
    const is_later = `${those} AND active_second >= ${secondOf("$1")} AND last_active > $1`;
    // Nearly always there is none, and an UPDATE of no row costs ten times as much.
    if (!(await tx.get(`SELECT 1 FROM rooms WHERE ${is_later} LIMIT 1`, now))) return [];
    return tx.all<{ slug: string }>(
      `UPDATE rooms SET last_active = $1, active_second = ${secondOf("$1")} WHERE seq IN (SELECT seq FROM rooms WHERE ${is_later} LIMIT $2) RETURNING slug`,
      now,
      limit,
    );
  };
  const found: { slug: string }[] = [];
  // Each of these has an index of its own.
  for (const those of [listed({ closed: false }), listed({ closed: true }), "visibility <> 'public'"])
    if (found.length < limit) found.push(...(await later(those)));
  return found.slice(0, limit);
}

/** The public room that was opened last. */
export const lastPublicRoom = (tx: Tx) =>
  tx.get<{ slug: string }>("SELECT slug FROM rooms WHERE visibility = 'public' ORDER BY seq DESC LIMIT 1");

/** The earliest `limit` public rooms after the room with this seq. */
export const publicRoomsAfter = (tx: Tx, seq: number, limit: number) =>
  tx.all<RoomRow>(
    "SELECT * FROM rooms WHERE visibility = 'public' AND seq > $1 ORDER BY seq LIMIT $2",
    seq,
    limit,
  );

/** The seq of the latest room; 0 if there is none. */
export const lastRoomSeq = async (tx: Tx): Promise<number> =>
  (await tx.get<{ seq: number }>("SELECT seq FROM rooms ORDER BY seq DESC LIMIT 1"))?.seq ?? 0;

/** Public rooms that were active at `since` or later, most recently active first, `limit` of them after the cursor. */
export const listRoomsActive = (
  tx: Tx,
  filter: RoomFilter,
  since: string,
  limit: number,
  after = first_cursor,
) =>
  tx.all<RoomRow>(
    `SELECT * FROM rooms WHERE ${listed(filter)} AND active_second >= ${secondOf("$1")} AND last_active >= $1 ` +
      `AND ${afterCursor("$2", "$3")} ${in_order} LIMIT $4`,
    since,
    after.last_active,
    after.slug,
    limit,
  );

/** The slugs of open public rooms that begin with `prefix`, in alphabetical order. */
export const slugsFrom = (tx: Tx, prefix: string, limit: number) =>
  tx.all<{ slug: string }>(
    // "{" is the character after "z", and no slug has it.
    `SELECT slug FROM rooms WHERE ${listed({ closed: false })} AND slug >= $1 AND slug < $2 ORDER BY slug LIMIT $3`,
    prefix,
    `${prefix}{`,
    limit,
  );
