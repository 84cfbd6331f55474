/** SQL of moderation: hidden posts and deleted rooms. */

import type { Tx } from "../core/storage.ts";
import { post_columns, salted_columns, type PostRow, type RoomRow } from "./store.ts";

/** A post by its id, in whatever room. */
export const findPostById = (tx: Tx, id: string) =>
  tx.get<PostRow>(`SELECT ${salted_columns} FROM posts WHERE id = $1`, id);

/** The text of a hidden post, and its salt. */
export interface HiddenText {
  body: string;
  salt: string;
}

export const insertHidden = (tx: Tx, post: number, { body, salt }: HiddenText, hidden_at: string) =>
  tx.run(
    "INSERT INTO hidden_posts (post, body, salt, hidden_at) VALUES ($1, $2, $3, $4)",
    post,
    body,
    salt,
    hidden_at,
  );

export const findHidden = (tx: Tx, post: number) =>
  tx.get<HiddenText>("SELECT body, salt FROM hidden_posts WHERE post = $1", post);

/** Deletes the text of a hidden post. Returns 0 if the post is not hidden. */
export const deleteHidden = (tx: Tx, post: number) =>
  tx.run("DELETE FROM hidden_posts WHERE post = $1", post);

/** Makes a post visible again at `at`, which stands in `redacted_at` for the stream of the room. */
export const restorePost = (tx: Tx, post: number, { body, salt }: HiddenText, at: string) =>
  tx.get<PostRow>(
    "UPDATE posts SET body = $1, salt = $2, redacted = NULL, redacted_at = $3, commitment = NULL " +
      `WHERE seq = $4 AND redacted = 'operator' RETURNING ${post_columns}`,
    body,
    salt,
    at,
    post,
  );

/** Opens a closed room at `ts`. Returns 0 if another change came first. */
export const markReopened = (tx: Tx, room: RoomRow, ts: string) =>
  tx.run(
    "UPDATE rooms SET closed_at = NULL, changed = $1 WHERE seq = $2 AND changed = $3 AND closed_at IS NOT NULL",
    ts,
    room.seq,
    room.changed,
  );

/**
 * Deletes a room: no query finds it by its slug or lists it any more. Its row stays, because a seq is never used twice.
 * `replacement`: a slug that nobody knows. Returns 0 if another change came first.
 */
export async function deleteRoom(tx: Tx, room: RoomRow, at: string, replacement: string): Promise<number> {
  const changed = await tx.run(
    "UPDATE rooms SET slug = $1, goal = '', host = '', host_key_sha256 = '', visibility = 'unlisted', changed = $2 " +
      "WHERE seq = $3 AND changed = $4",
    replacement,
    at,
    room.seq,
    room.changed,
  );
  if (changed > 0) {
    await tx.run(
      "INSERT INTO deleted_rooms (slug, room, deleted_at) VALUES ($1, $2, $3)",
      room.slug,
      room.seq,
      at,
    );
  }
  return changed;
}

/** The seq of a deleted room that still has posts. */
export const roomToEmpty = (tx: Tx) =>
  tx.get<{ room: number }>("SELECT room FROM deleted_rooms WHERE is_empty = 0 ORDER BY room LIMIT 1");

export const markEmpty = (tx: Tx, room: number) =>
  tx.run("UPDATE deleted_rooms SET is_empty = 1 WHERE room = $1", room);

/** The first `limit` posts of a deleted room that are not erased: an erased one has no name. */
export const postsToErase = (tx: Tx, room: number, limit: number) =>
  tx.all<Pick<PostRow, "seq" | "body">>(
    "SELECT seq, body FROM posts WHERE room = $1 AND name <> '' ORDER BY ts LIMIT $2",
    room,
    limit,
  );

/**
 * Deletes a post of a deleted room, and what was reported of it. The latest post of all rooms stays as an empty row: a later
 * post with its seq would never be indexed.
 */
export async function erasePost(tx: Tx, seq: number): Promise<void> {
  await deleteHidden(tx, seq);
  await tx.run("DELETE FROM reports WHERE post = $1", seq);
  const deleted = await tx.run(
    "DELETE FROM posts WHERE seq = $1 AND seq < (SELECT MAX(seq) FROM posts)",
    seq,
  );
  if (deleted > 0) return;
  await tx.run(
    "UPDATE posts SET name = '', body = NULL, salt = NULL, redacted = 'operator', commitment = NULL WHERE seq = $1",
    seq,
  );
}
