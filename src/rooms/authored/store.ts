/** SQL of the rooms and posts of a claimed name. */

import type { Tx } from "../../core/storage.ts";
import { timeMs } from "../../storage/packed.ts";
import { allPosts, post_columns, salted_columns, type PostRow } from "../posts_store.ts";
import type { RoomRow } from "../store.ts";

/** A position in the posts or the rooms of a name: the time and the seq of one; null and 0 before all of them. */
export type AuthoredPosition = [ts: string | null, seq: number];

/** A post in the list of its author, with its room. */
export type AuthoredRow = PostRow & Pick<RoomRow, "slug" | "goal" | "visibility">;

const select_authored = (columns: string): string =>
  `SELECT ${columns.replace(/\w+/g, "posts.$&")}, rooms.slug, rooms.goal, rooms.visibility FROM posts ` +
  "JOIN rooms ON rooms.seq = posts.room WHERE posts.author = $1 AND ";

/** The posts of an author since `claimed_at` that come after a position, the latest first. */
export const postsOfAuthor = (
  tx: Tx,
  author: string,
  claimed_at: string,
  [ts, seq]: AuthoredPosition,
  limit: number,
) =>
  allPosts<Omit<AuthoredRow, keyof PostRow>>(
    tx,
    `${select_authored(post_columns)}posts.ts >= $2 AND (posts.ts, posts.seq) < ($3, $4) ` +
      "ORDER BY posts.ts DESC, posts.seq DESC LIMIT $5",
    author,
    timeMs(claimed_at),
    ts === null ? Number.MAX_SAFE_INTEGER : timeMs(ts),
    seq,
    limit,
  );

/** The seq of the latest post; 0 if there is none. */
export const lastPostSeq = async (tx: Tx): Promise<number> =>
  (await tx.get<{ seq: number }>("SELECT seq FROM posts ORDER BY seq DESC LIMIT 1"))?.seq ?? 0;

/** The posts of an author after a position, up to the seq `last`, oldest first, with their salts. */
export const postsOfAuthorAfter = (
  tx: Tx,
  author: string,
  after: { ts: string; seq: number },
  last: number,
  limit: number,
) =>
  allPosts<Omit<AuthoredRow, keyof PostRow>>(
    tx,
    `${select_authored(salted_columns)}(posts.ts, posts.seq) > ($2, $3) AND posts.seq <= $4 ` +
      "ORDER BY posts.ts, posts.seq LIMIT $5",
    author,
    timeMs(after.ts),
    after.seq,
    last,
    limit,
  );

/** The rooms that an author has opened after a position, oldest first. */
export const roomsOfAuthorAfter = (
  tx: Tx,
  author: string,
  after: { created: string; seq: number },
  limit: number,
) =>
  tx.all<RoomRow>(
    "SELECT * FROM rooms WHERE author = $1 AND (created, seq) > ($2, $3) ORDER BY created, seq LIMIT $4",
    author,
    after.created,
    after.seq,
    limit,
  );

/** The rooms that an author has opened since `claimed_at` and that come after a position, the latest first. A deleted room has no author. */
export const roomsOfAuthor = (
  tx: Tx,
  author: string,
  claimed_at: string,
  [created, seq]: AuthoredPosition,
  limit: number,
) =>
  tx.all<RoomRow>(
    "SELECT * FROM rooms WHERE author = $1 AND created >= $2 AND (created, seq) < ($3, $4) " +
      "ORDER BY created DESC, seq DESC LIMIT $5",
    author,
    claimed_at,
    created ?? "~",
    seq,
    limit,
  );
