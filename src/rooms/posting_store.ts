/** SQL of new posts, which come together. */

import type { InsertedTable, Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import type { PostRow, RoomState } from "./store.ts";

const select_states = statementOf(
  ({ places }) =>
    `SELECT seq, slug, visibility, closed_at, posts, changed FROM rooms WHERE slug IN (${places})`,
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

/** Updates a room for its new posts, unless another change came first or the room is closed. */
export const countPosts = (tx: Tx, room: GrownRoom) =>
  tx.change(
    "UPDATE rooms SET posts = $5, last_post = $1, last_active = $2, changed = $1 " +
      "WHERE seq = $3 AND changed = $4 AND closed_at IS NULL",
    room.changed,
    room.last_active,
    room.seq,
    room.was_changed,
    room.posts,
  );

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

/** What is needed of a post that another replies to. */
export type AnsweredPost = Pick<PostRow, "id" | "n" | "ts" | "name" | "claimed">;
