/** SQL of posts: their reads, and new ones, which come together. */

import type { InsertedTable, SqlValue, Tx } from "../core/storage.ts";
import type { RedactedBy } from "../api/rooms/rooms.ts";
import { statementOf } from "../storage/lists.ts";
import { room_internal_limits } from "./limits.ts";
import { second_chars, secondOf, type RoomRow, type RoomState } from "./store.ts";

export interface PostRow {
  seq: number;
  id: string;
  room: number;
  /** Its number in the room. */
  n: number;
  ts: string;
  name: string;
  claimed: number;
  in_reply_to: string | null;
  in_reply_to_n: number | null;
  body: string | null;
  redacted: RedactedBy | null;
  /** When it was redacted; of a post that was hidden and restored, when it was restored. */
  redacted_at: string | null;
  commitment: string | null;
  /** Only in queries that select it: most readers do not need it. */
  salt?: string | null;
}

export const post_columns =
  "seq, id, room, n, ts, name, claimed, in_reply_to, in_reply_to_n, body, redacted, redacted_at, commitment";
export const salted_columns = `${post_columns}, salt`;
const columns = (with_salt: boolean): string => (with_salt ? salted_columns : post_columns);

/** The beginning of a post, with the visibility of its room. */
export type BeginningRow = Pick<PostRow, "id" | "n" | "in_reply_to_n" | "name" | "claimed"> &
  Pick<RoomRow, "visibility"> & { beginning: string | null };

export const findPost = (tx: Tx, room: number, id: string, with_salt = false) =>
  tx.get<PostRow>(`SELECT ${columns(with_salt)} FROM posts WHERE id = $1 AND room = $2`, id, room);

/** Whether any room has a post with this id. */
export const hasPost = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.get("SELECT seq FROM posts WHERE id = $1", id)) !== undefined;

/** The posts among `ids` whose room is not deleted, with the first `chars` code points of their texts. */
export const postExcerpts = (tx: Tx, ids: string[], chars: number) =>
  tx.all<BeginningRow>(
    "SELECT posts.id, posts.n, posts.in_reply_to_n, posts.name, posts.claimed, SUBSTR(posts.body, 1, $1) AS beginning, rooms.visibility FROM posts " +
      `JOIN rooms ON rooms.seq = posts.room WHERE posts.id IN (${ids.map((_, i) => `$${i + 2}`).join(", ")}) AND rooms.goal <> ''`,
    chars,
    ...ids,
  );

export const findNumberedPost = (tx: Tx, room: number, n: number, with_salt = false) =>
  tx.get<PostRow>(`SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND n = $2`, room, n);

/** The earliest `limit` posts later than `since`, oldest first. */
export const postsSince = (tx: Tx, room: number, since: string, limit: number, with_salt = false) =>
  tx.all<PostRow>(
    `SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND ts > $2 ORDER BY ts LIMIT $3`,
    room,
    since,
    limit,
  );

/** The latest `limit` posts earlier than `before`, newest first. */
export const postsBefore = (tx: Tx, room: number, before: string, limit: number, with_salt = false) =>
  tx.all<PostRow>(
    `SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND ts < $2 ORDER BY ts DESC LIMIT $3`,
    room,
    before,
    limit,
  );

/** The bytes of the posts that `select` has with their texts. Neither engine reads a text for its length. */
async function bytesOfPosts(tx: Tx, select: string, ...values: SqlValue[]): Promise<number> {
  const sums = "COUNT(*) AS posts, CAST(COALESCE(SUM(bytes), 0) AS INTEGER) AS bytes";
  const { posts, bytes } = (await tx.get<{ posts: number; bytes: number }>(
    `SELECT ${sums} FROM (SELECT octet_length(body) AS bytes FROM posts ${select}) AS texts`,
    ...values,
  ))!;
  return bytes + posts * room_internal_limits.post_bytes_around;
}

/** About how many bytes the posts have that `postsSince` would read. */
export const bytesSince = (tx: Tx, room: number, since: string, limit: number): Promise<number> =>
  bytesOfPosts(tx, "WHERE room = $1 AND ts > $2 ORDER BY ts LIMIT $3", room, since, limit);

/** About how many bytes the posts have that `postsBefore` would read. */
export const bytesBefore = (tx: Tx, room: number, before: string, limit: number): Promise<number> =>
  bytesOfPosts(tx, "WHERE room = $1 AND ts < $2 ORDER BY ts DESC LIMIT $3", room, before, limit);

/** The earliest `limit` posts that were redacted or restored later than `since`, in the order of these changes. */
export const changedSince = (tx: Tx, room: number, since: string, limit: number) =>
  tx.all<PostRow>(
    `SELECT ${post_columns} FROM posts WHERE room = $1 AND redacted_at > $2 ORDER BY redacted_at LIMIT $3`,
    room,
    since,
    limit,
  );

/** Deletes the text and the salt of a post; stores the commitment. */
export const redactPost = (tx: Tx, post: PostRow, by: RedactedBy, at: string, commitment: string) =>
  tx.get<PostRow>(
    `UPDATE posts SET body = NULL, salt = NULL, redacted = $1, redacted_at = $2, commitment = $3 WHERE seq = $4 AND redacted IS NULL RETURNING ${post_columns}`,
    by,
    at,
    commitment,
    post.seq,
  );

const select_states = statementOf(
  ({ places }) =>
    `SELECT seq, slug, visibility, closed_at, posts, active_second, changed FROM rooms WHERE slug IN (${places})`,
);

/** The rooms among `slugs`. */
export const findRoomStates = (tx: Tx, slugs: readonly string[]) =>
  tx.all<RoomState>(...select_states(slugs));

/** A room with new posts. */
export interface GrownRoom extends RoomState {
  /** Its version in the database. */
  was_changed: string;
  last_active: string;
}

// SQLite writes an index whenever one of its columns is set, also to the same value.
const andSecond = (last_active: string): string => `, active_second = ${secondOf(last_active)}`;

const updateRooms = (and = "") =>
  statementOf(
    ({ rows }) =>
      "UPDATE rooms SET posts = CAST(given.column3 AS INTEGER), last_post = given.column4, changed = given.column4, " +
      `last_active = given.column5${and} FROM (VALUES ${rows}) AS given ` +
      "WHERE rooms.seq = CAST(given.column1 AS BIGINT) AND changed = given.column2 AND closed_at IS NULL",
    5,
  );

// Three times as fast in SQLite as the same with a list of one.
const updateRoom = (and = "") =>
  `UPDATE rooms SET posts = $3, last_post = $4, changed = $4, last_active = $5${and} ` +
  "WHERE seq = $1 AND changed = $2 AND closed_at IS NULL";

/** The statements for rooms that stay in the second in which they are listed, and for others. */
const staying = { one: updateRoom(), several: updateRooms() };
const moving = { one: updateRoom(andSecond("$5")), several: updateRooms(andSecond("given.column5")) };

/** Updates rooms for their new posts, unless another change came first or one is closed. */
export function countPosts(tx: Tx, rooms: readonly GrownRoom[]): Promise<void> {
  const is_moving = rooms.some(
    ({ last_active, active_second }) => last_active.slice(0, second_chars) !== active_second,
  );
  const { one, several } = is_moving ? moving : staying;
  if (rooms.length === 1) {
    const { seq, was_changed, posts, changed, last_active } = rooms[0]!;
    return tx.change(1, one, seq, was_changed, posts, changed, last_active);
  }
  const rows = rooms.map(({ seq, was_changed, posts, changed, last_active }) => [
    String(seq),
    was_changed,
    String(posts),
    changed,
    last_active,
  ]);
  return tx.change(rooms.length, ...several(rows));
}

/** `author`: the canonical form of the claimed name that lists the post on its page; null if none does. */
export type NewPostRow = Omit<PostRow, "seq" | "salt" | "redacted" | "redacted_at" | "commitment"> & {
  salt: string | null;
  author: string | null;
};

export const new_posts: InsertedTable<NewPostRow> = {
  name: "posts",
  columns: [
    "id",
    "room",
    "n",
    "ts",
    "name",
    "claimed",
    "author",
    "in_reply_to",
    "in_reply_to_n",
    "body",
    "salt",
  ],
};

/** The columns of a post that a reply to it needs. */
export type AnsweredPost = Pick<PostRow, "id" | "n" | "ts" | "name" | "claimed">;
