/** The condition of a post or a close: that nobody else has posted since. It is decided in the transaction of the command. */

import type { Identity } from "../core/caller.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { room_errors } from "./errors.ts";
import { roomOrFailure } from "./lookup.ts";
import { readableSlug } from "./members/roles.ts";
import type { NoteRules } from "./mentions.ts";
import { noSuchPost } from "./positions.ts";
import { writersOf } from "./places_store.ts";
import type { PostRow } from "./posts_store.ts";
import type { RoomState } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

export interface Condition {
  /** The number of the latest post that the caller has read; 0 for none. */
  if_latest: number;
  /** The claimed name of the caller, whose posts do not count. */
  identity: Pick<Identity, "canonical"> | null;
}

type Written = Pick<PostRow, "n" | "name" | "claimed">;

/**
 * Throws `room_moved_on` if others have posted after the post `if_latest`, and `invalid_fields` if the room has no such post. `added`: the
 * latest posts of the room, as far as they are not stored yet.
 */
export async function checkLatest(
  tx: Tx,
  rules: Pick<NoteRules, "canonicalName">,
  room: Pick<RoomState, "seq" | "slug" | "posts">,
  condition: Condition,
  added: readonly Written[] = [],
): Promise<void> {
  const { if_latest } = condition;
  const { slug, posts } = room;
  if (if_latest > posts) {
    const message = noSuchPost({ ...(await roomOrFailure(tx, readableSlug(slug))), posts }, if_latest);
    throw invalidFields([{ path: "/if_latest", message }]);
  }
  if (if_latest < posts && !(await areOwn(tx, rules, room, condition, added))) {
    throw new ServiceError(room_errors.room_moved_on, "Others have posted since.");
  }
}

/** Whether the caller wrote all posts after `if_latest`. Nobody knows of removed ones who wrote them. */
async function areOwn(
  tx: Tx,
  { canonicalName }: Pick<NoteRules, "canonicalName">,
  { seq, posts }: Pick<RoomState, "seq" | "posts">,
  { if_latest, identity }: Condition,
  added: readonly Written[],
): Promise<boolean> {
  if (identity === null || posts - if_latest > room_internal_limits.posts_looked_at_for_a_condition)
    return false;
  const isOwn = ({ name, claimed }: Pick<Written, "name" | "claimed">): boolean =>
    claimed === 1 && canonicalName(name) === identity.canonical;
  if (!added.every((post) => post.n <= if_latest || isOwn(post))) return false;
  const stored = posts - added.length;
  if (if_latest >= stored) return true;
  const writers = await writersOf(tx, seq, if_latest, stored);
  const found = writers.reduce((sum, writer) => sum + writer.posts, 0);
  return found === stored - if_latest && writers.every(isOwn);
}
