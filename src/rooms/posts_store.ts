/** SQL of posts: their reads, and new ones, which come together. */

import type { InsertedTable, SqlValue, Tx } from "../core/storage.ts";
import type { RedactedBy } from "../api/rooms/rooms.ts";
import type { Visibility } from "../api/rooms/visibility.ts";
import { statementOf } from "../storage/lists.ts";
import { hexText, idText, timeMs, timeText, type Packed } from "../storage/packed.ts";
import { mailbox_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";
import { isIdIndexed, numberOfId } from "./places_store.ts";
import type { RoomRow, RoomState } from "./store.ts";

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
  /** 1: it made no note and ended no wait. */
  quiet: number | null;
  /** 32 hex digits. Only in queries that select it: most readers do not need it. */
  salt?: string | null;
}

/** The members of a row that are stored in another form. */
interface StoredForms {
  id: Packed;
  ts: number;
  in_reply_to: Packed | null;
  redacted_at: number | null;
  salt?: Packed | null;
}

/** A row of posts as it is stored. */
export type StoredPost = Omit<PostRow, keyof StoredForms> & StoredForms;

/** Turns the members of a stored row into their texts, in place: a new object for each would cost a page of posts as much again. */
export function unpack<Row extends Partial<StoredForms>>(
  row: Row,
): Omit<Row, keyof StoredForms> & Pick<PostRow, keyof Row & keyof StoredForms> {
  const post: { [Key in keyof StoredForms]?: StoredForms[Key] } = row;
  if (post.id !== undefined) post.id = idText(post.id);
  const unpacked = post as Record<keyof StoredForms, unknown>;
  if (post.ts !== undefined) unpacked.ts = timeText(post.ts);
  if (post.in_reply_to) unpacked.in_reply_to = idText(post.in_reply_to);
  if (post.redacted_at) unpacked.redacted_at = timeText(post.redacted_at);
  if (post.salt) unpacked.salt = hexText(post.salt);
  return unpacked as never;
}

/**
 * The author of a room or a post by the key of a claimed name. A room that is not public marks the name by a word after a space, which no
 * canonical name has: no list finds its posts, and the export of the name does.
 */
export const authorIn = (visibility: Visibility, canonical: string): string =>
  visibility === "public" ? canonical : `${canonical} ${visibility}`;

export const post_columns =
  "seq, id, room, n, ts, name, claimed, in_reply_to, in_reply_to_n, body, redacted, redacted_at, commitment, quiet";
export const salted_columns = `${post_columns}, salt`;
const columns = (with_salt: boolean): string => (with_salt ? salted_columns : post_columns);

/** The beginning of a post, with the slug and the visibility of its room. */
export type BeginningRow = Pick<
  PostRow,
  "id" | "n" | "ts" | "in_reply_to" | "in_reply_to_n" | "name" | "claimed"
> &
  Pick<RoomRow, "visibility" | "removed_through"> & { room: string; beginning: string | null };

/** One row of posts; undefined if there is none. */
export async function getPost(tx: Tx, sql: string, ...values: SqlValue[]): Promise<PostRow | undefined> {
  const row = await tx.get<StoredPost>(sql, ...values);
  return row && unpack(row);
}

/** Rows of posts, with what else the statement selects. */
export async function allPosts<More extends object = object>(
  tx: Tx,
  sql: string,
  ...values: SqlValue[]
): Promise<(PostRow & More)[]> {
  const rows = await tx.all<StoredPost & More>(sql, ...values);
  return rows.map((row) => unpack(row) as unknown as PostRow & More);
}

export const findNumberedPost = (tx: Tx, room: number, n: number, with_salt = false) =>
  getPost(tx, `SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND n = $2`, room, n);

/** The post of a room with this id, a UUID in lower case. */
export async function findPost(tx: Tx, room: number, id: string, with_salt = false) {
  const n = await numberOfId(tx, room, id);
  return n === undefined ? undefined : findNumberedPost(tx, room, n, with_salt);
}

/** One code point more than anybody shows, which says whether there is a rest. */
const beginning_chars = Math.max(room_internal_limits.quoted_chars, mailbox_limits.excerpt_chars_max) + 1;

const select_beginnings = statementOf(
  ({ rows }) =>
    "SELECT posts.id, posts.n, posts.ts, posts.in_reply_to, posts.in_reply_to_n, posts.name, posts.claimed, " +
    `SUBSTR(posts.body, CAST(given.column3 AS INTEGER), ${beginning_chars}) AS beginning, ` +
    `rooms.slug AS room, rooms.visibility, rooms.removed_through FROM (VALUES ${rows}) AS given ` +
    "JOIN rooms ON rooms.slug = given.column1 " +
    "JOIN posts ON posts.room = rooms.seq AND posts.n = CAST(given.column2 AS INTEGER)",
  3,
);

type StoredBeginning = "id" | "ts" | "in_reply_to";

/**
 * These posts, at least one, by the slug of the room and the number, as far as they are stored. `from`: how many code points of
 * the text are left out before what is read of it.
 */
export async function postBeginnings(
  tx: Tx,
  posts: readonly { room: string; n: number; from?: number }[],
): Promise<BeginningRow[]> {
  const rows = await tx.all<Omit<BeginningRow, StoredBeginning> & Pick<StoredForms, StoredBeginning>>(
    ...select_beginnings(posts.map(({ room, n, from = 0 }) => [room, String(n), String(from + 1)])),
  );
  return rows.map(unpack);
}

/** The earliest `limit` posts after number `n`, oldest first. */
export const postsAfter = (tx: Tx, room: number, n: number, limit: number, with_salt = false) =>
  allPosts(
    tx,
    `SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND n > $2 ORDER BY n LIMIT $3`,
    room,
    n,
    limit,
  );

/** The latest `limit` posts up to number `n`, newest first. */
export const postsUpTo = (tx: Tx, room: number, n: number, limit: number, with_salt = false) =>
  allPosts(
    tx,
    `SELECT ${columns(with_salt)} FROM posts WHERE room = $1 AND n <= $2 ORDER BY n DESC LIMIT $3`,
    room,
    n,
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

/** About how many bytes the posts have that `postsAfter` would read. */
export const bytesAfter = (tx: Tx, room: number, n: number, limit: number): Promise<number> =>
  bytesOfPosts(tx, "WHERE room = $1 AND n > $2 ORDER BY n LIMIT $3", room, n, limit);

/** About how many bytes the posts have that `postsUpTo` would read. */
export const bytesUpTo = (tx: Tx, room: number, n: number, limit: number): Promise<number> =>
  bytesOfPosts(tx, "WHERE room = $1 AND n <= $2 ORDER BY n DESC LIMIT $3", room, n, limit);

/** The earliest `limit` posts that were redacted or restored later than `since`, in the order of these changes. */
export const changedSince = (tx: Tx, room: number, since: string, limit: number) =>
  allPosts(
    tx,
    `SELECT ${post_columns} FROM posts WHERE room = $1 AND redacted_at > $2 ORDER BY redacted_at LIMIT $3`,
    room,
    timeMs(since),
    limit,
  );

/** Deletes the text and the salt of a post; stores the commitment. */
export const redactPost = (tx: Tx, post: PostRow, by: RedactedBy, at: string, commitment: string) =>
  getPost(
    tx,
    `UPDATE posts SET body = NULL, salt = NULL, redacted = $1, redacted_at = $2, commitment = $3 WHERE seq = $4 AND redacted IS NULL RETURNING ${post_columns}`,
    by,
    timeMs(at),
    commitment,
    post.seq,
  );

const select_states = statementOf(
  ({ places }) =>
    `SELECT seq, slug, visibility, closed_at, posts, active_second, changed, pace, slowed_until FROM rooms WHERE slug IN (${places})`,
);

/** The rooms among `slugs`. */
export const findRoomStates = (tx: Tx, slugs: readonly string[]) =>
  tx.all<RoomState>(...select_states(slugs));

/** `author`: as `authorIn` returns it; null if the post came without the key of a claimed name. */
export type NewPostRow = Omit<
  PostRow,
  "seq" | "salt" | "redacted" | "redacted_at" | "commitment" | "quiet"
> & {
  salt: string | null;
  author: string | null;
  quiet?: 1;
};

type InsertedPost = { [Key in keyof Omit<NewPostRow, "quiet">]: SqlValue } & { id_indexed: number };

const new_posts: InsertedTable<InsertedPost> = {
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
    "salt",
    "id_indexed",
    "body",
  ],
};

/** For posts of which some are quiet. */
const quiet_posts: InsertedTable<InsertedPost & { quiet: SqlValue }> = {
  name: "posts",
  columns: [...new_posts.columns, "quiet"],
};

/** Inserts posts in this order. */
export function insertPosts(tx: Tx, posts: readonly NewPostRow[]): Promise<void> {
  const rows = posts.map((post) => {
    const ts = timeMs(post.ts);
    return {
      ...post,
      id: tx.packed(post.id),
      ts,
      in_reply_to: post.in_reply_to === null ? null : tx.packed(post.in_reply_to),
      salt: post.salt === null ? null : tx.packed(post.salt),
      id_indexed: isIdIndexed(post.id, ts) ? 1 : 0,
    };
  });
  if (!posts.some(({ quiet }) => quiet)) return tx.insertAll(new_posts, rows);
  return tx.insertAll(
    quiet_posts,
    rows.map((row) => ({ ...row, quiet: row.quiet ?? null })),
  );
}

/** The columns of a post that a reply to it needs. */
export type AnsweredPost = Pick<PostRow, "id" | "n" | "ts" | "name" | "claimed">;
