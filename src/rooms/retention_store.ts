/** SQL of old rooms and posts: which there are, and how posts are deleted. */

import type { Tx } from "../core/storage.ts";
import { deleteHidden } from "./admin_store.ts";
import { timeMs, timeText } from "../storage/packed.ts";
import { lastNumberAt } from "./places_store.ts";
import { unpack, type PostRow, type StoredPost } from "./posts_store.ts";
import type { RoomRow } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

/** A room with what the rules for old rooms and posts need. */
export type OldRoom = Pick<
  RoomRow,
  "seq" | "slug" | "closed_at" | "last_active" | "changed" | "posts" | "removed_through"
>;

/** The first `limit` rooms after the room with this seq that are not deleted. */
export const roomsAfter = (tx: Tx, seq: number, limit: number) =>
  tx.all<OldRoom>(
    "SELECT seq, slug, closed_at, last_active, changed, posts, removed_through FROM rooms " +
      "WHERE seq > $1 AND goal <> '' ORDER BY seq LIMIT $2",
    seq,
    limit,
  );

/** The number of the latest post of a room before `time`, or that of the latest removed one; 0 if there is neither. */
export const lastNumberBefore = (tx: Tx, room: number, time: string): Promise<number> =>
  lastNumberAt(tx, room, timeText(timeMs(time) - 1));

/** A post that is about to be deleted. */
export type OldPost = Pick<PostRow, "seq" | "n" | "ts" | "body">;

/** The first posts of a room up to the number `through`: as many as one command removes. */
export async function firstPosts(
  tx: Tx,
  room: number,
  through = Number.MAX_SAFE_INTEGER,
): Promise<OldPost[]> {
  const posts = await tx.all<Omit<OldPost, "ts"> & Pick<StoredPost, "ts">>(
    "SELECT seq, n, ts, body FROM posts WHERE room = $1 AND n <= $2 ORDER BY n LIMIT $3",
    room,
    through,
    room_internal_limits.posts_removed_per_step,
  );
  let chars = 0;
  const removed = posts.filter(({ body }, i) => {
    chars += body?.length ?? 0;
    return i === 0 || chars <= room_internal_limits.removed_chars_per_step;
  });
  return removed.map(unpack);
}

/** Deletes posts, their hidden texts, and what was reported of them. */
export async function deletePosts(tx: Tx, posts: Pick<PostRow, "seq">[]): Promise<void> {
  for (const { seq } of posts) {
    await deleteHidden(tx, seq);
    await tx.run("DELETE FROM reports WHERE post = $1", seq);
    await tx.run("DELETE FROM posts WHERE seq = $1", seq);
  }
}

/** Stores that the posts of a room up to `last` were removed. */
export const markRemoved = (tx: Tx, room: number, last: OldPost, at: string, because: string) =>
  tx.run(
    "UPDATE rooms SET removed_through = $1, removed_until = $2, removed_at = $3, removed_because = $4 " +
      "WHERE seq = $5 AND removed_through < $1",
    last.n,
    last.ts,
    at,
    because,
    room,
  );
