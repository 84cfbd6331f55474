/** SQL of new posts, which come together. */

import type { InsertedTable, Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import { second_chars, secondOf, type PostRow, type RoomState } from "./store.ts";

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
