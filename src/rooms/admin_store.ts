/** SQL of moderation: hidden posts and deleted rooms. */

import { deleteMembersIn } from "./members/store.ts";
import type { Tx } from "../core/storage.ts";
import { timeMs, timeText } from "../storage/packed.ts";
import { getPost, post_columns } from "./posts_store.ts";
import { eraseRoom, type RoomRow } from "./store.ts";
import { insertOf } from "../storage/rows.ts";

/** The text of a hidden post, and its salt. */
interface HiddenText {
  body: string;
  salt: string;
}

export const insertHidden = (tx: Tx, post: number, { body, salt }: HiddenText, hidden_at: string) =>
  tx.run(...insertOf("hidden_posts", { post, body, salt, hidden_at }));

export const findHidden = (tx: Tx, post: number) =>
  tx.get<HiddenText>("SELECT body, salt FROM hidden_posts WHERE post = $1", post);

/** Deletes the text of a hidden post. Returns 0 if the post is not hidden. */
export const deleteHidden = (tx: Tx, post: number) =>
  tx.run("DELETE FROM hidden_posts WHERE post = $1", post);

/** Makes a post visible again at `at`, which stands in `redacted_at` for the stream of the room. */
export const restorePost = (tx: Tx, post: number, { body, salt }: HiddenText, at: string) =>
  getPost(
    tx,
    "UPDATE posts SET body = $1, salt = $2, redacted = NULL, redacted_at = $3, commitment = NULL " +
      `WHERE seq = $4 AND redacted = 'operator' RETURNING ${post_columns}`,
    body,
    tx.packed(salt),
    timeMs(at),
    post,
  );

/** The names under which the latest `count` posts were made, each with the time of its latest one. */
export async function latestNames(tx: Tx, count: number): Promise<{ name: string; ts: string }[]> {
  const rows = await tx.all<{ name: string; ts: number }>(
    "SELECT name, MAX(ts) AS ts FROM (SELECT name, ts FROM posts ORDER BY seq DESC LIMIT $1) AS latest GROUP BY name",
    count,
  );
  return rows.map(({ name, ts }) => ({ name, ts: timeText(ts) }));
}

/** Opens a closed room at `ts`. Returns 0 if another change came first. */
export const markReopened = (tx: Tx, room: RoomRow, ts: string) =>
  tx.run(
    "UPDATE rooms SET closed_at = NULL, changed = $1 WHERE seq = $2 AND changed = $3 AND closed_at IS NOT NULL",
    ts,
    room.seq,
    room.changed,
  );

/** Whether the room is deleted: every other room has a goal. */
export const isDeleted = ({ goal }: RoomRow): boolean => goal === "";

/** A deleted room by its slug: the seq that it has in `rooms`, and the rule by which it was deleted; null for an admin. */
export const findDeleted = (tx: Tx, slug: string) =>
  tx.get<{ room: number; because: string | null }>(
    "SELECT room, because FROM deleted_rooms WHERE slug = $1",
    slug,
  );

/**
 * Deletes a room: no query finds it by its slug or lists it any more. Its row stays, because a seq is never used twice.
 * `replacement`: a slug that nobody knows. `because`: the rule; null for an admin. Returns 0 if another change came first.
 */
export async function deleteRoom(
  tx: Tx,
  room: RoomRow,
  { at, replacement, because }: { at: string; replacement: string; because: string | null },
): Promise<number> {
  const changed = await eraseRoom(tx, room, replacement, at);
  if (changed > 0) {
    await deleteMembersIn(tx, room.seq);
    await tx.run(...insertOf("deleted_rooms", { slug: room.slug, room: room.seq, deleted_at: at, because }));
  }
  return changed;
}

/** A deleted room that still has posts: its seq, its former slug, and the rule by which it was deleted. */
export const roomToEmpty = (tx: Tx) =>
  tx.get<{ room: number; slug: string; because: string | null }>(
    "SELECT room, slug, because FROM deleted_rooms WHERE is_empty = 0 ORDER BY room LIMIT 1",
  );

export const markEmpty = (tx: Tx, room: number) =>
  tx.run("UPDATE deleted_rooms SET is_empty = 1 WHERE room = $1", room);
