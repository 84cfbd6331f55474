/** The write commands of moderation: what admins do with posts and rooms. Each writes a line of the audit log if it changes something. */

import { allLeftTopic, membersTopic } from "./members/admission.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { readableSlug } from "./members/roles.ts";
import type { AdminAction } from "../core/admin.ts";
import { isoTime, nextTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { page_removed, text_withdrawn } from "../core/topics.ts";
import { Overtaken, type Chore, type Tx } from "../core/storage.ts";
import * as admin_store from "./admin_store.ts";
import { close, type RoomRules } from "./commands.ts";
import { room_errors } from "./errors.ts";
import { endLeasesIn } from "./leases/ending.ts";
import { room_internal_limits } from "./limits.ts";
import { roomOrFailure } from "./lookup.ts";
import type { PostPlace } from "./places_store.ts";
import { findNumberedPost } from "./posts_store.ts";
import { withdrawText } from "./redaction.ts";
import * as retention_store from "./retention_store.ts";
import { afterDeletion, forgetGoal, forgetPosts, indexAgain } from "./indexing_store.ts";
import * as store from "./store.ts";
import type { ModeratedPost, ModeratedRoom } from "../api/rooms/admin.ts";

type Rules = Pick<RoomRules, "audit" | "settleReport">;

interface PostAction extends AdminAction {
  id: string;
  /** Where the post with this id is; null if there is none. */
  place: PostPlace | null;
  /** For a post from an earlier release without salts. */
  salt: string;
}

interface RoomAction extends AdminAction {
  room: string;
}

/** A post, whether or not its text is stored, and its room. Throws `post_not_found`. */
async function postOf(tx: Tx, { id, place }: PostAction) {
  const post = place === null ? undefined : await findNumberedPost(tx, place.room, place.n, true);
  const room = post?.id === id ? await store.findRoomBySeq(tx, post.room) : undefined;
  if (!post || !room || admin_store.isDeleted(room)) {
    throw new ServiceError(room_errors.post_not_found, "There is no post with that id.");
  }
  const hidden = post.redacted === "operator" ? await admin_store.findHidden(tx, post.seq) : undefined;
  return { post, room, hidden };
}

type Found = Awaited<ReturnType<typeof postOf>>;

/** What the action found, and the post as it is `now`: the same if nothing changed. */
const outcome = (found: Found, state: ModeratedPost["state"], now: Found["post"] | null): ModeratedPost => {
  const { post, room } = found;
  const { redacted } = now ?? post;
  return {
    id: post.id,
    room: room.slug,
    n: post.n,
    state,
    ...(redacted && { redacted }),
    changed: now !== null,
    found: { name: post.name, claimed: post.claimed === 1, ts: post.ts, state: stateOf(found) },
  };
};

const stateOf = ({ post, hidden }: Found): ModeratedPost["state"] =>
  hidden ? "hidden" : post.redacted ? "erased" : "visible";

const targetOf = ({ post, room }: Found): string => `${room.slug}#${post.n}`;

/** Hides a post: it reads as redacted by the operator, and its text is stored apart. A redacted post stays as it is. */
export async function hidePost(tx: Tx, rules: Rules, input: PostAction): Promise<ModeratedPost> {
  const found = await postOf(tx, input);
  const { post, room } = found;
  if (post.redacted) return outcome(found, stateOf(found), null);
  const at = nextTime(input.now_ms, room.changed);
  const salt = post.salt ?? input.salt;
  await admin_store.insertHidden(tx, post.seq, { body: post.body!, salt }, at);
  const redacted = await withdrawText(tx, rules, room, { ...post, salt }, "operator", at);
  tx.announce(text_withdrawn);
  await rules.audit(tx, input, "post.hide", targetOf(found));
  return outcome(found, "hidden", redacted);
}

/** Makes a hidden post visible again. Throws `post_not_hidden` if nothing of it is stored. */
export async function restorePost(tx: Tx, rules: Rules, input: PostAction): Promise<ModeratedPost> {
  const found = await postOf(tx, input);
  const { post, room, hidden } = found;
  if (!post.redacted) return outcome(found, "visible", null);
  if (!hidden)
    throw new ServiceError(room_errors.post_not_hidden, "The text of this post is not stored any more.");
  const at = nextTime(input.now_ms, room.changed);
  if (!(await store.markChanged(tx, room, at))) throw new Overtaken();
  await admin_store.deleteHidden(tx, post.seq);
  const restored = await admin_store.restorePost(tx, post.seq, hidden, at);
  if (!restored) throw new Overtaken();
  await indexAgain(tx, post.seq, hidden.body, room);
  tx.announce(`room:${room.slug}`);
  await rules.audit(tx, input, "post.restore", targetOf(found));
  return outcome(found, "visible", restored);
}

/** Destroys the text and the salt of a post, hidden or not. */
export async function erasePost(tx: Tx, rules: Rules, input: PostAction): Promise<ModeratedPost> {
  const found = await postOf(tx, input);
  let { post } = found;
  if (found.hidden) await admin_store.deleteHidden(tx, post.seq);
  else if (post.redacted) return outcome(found, "erased", null);
  else {
    const at = nextTime(input.now_ms, found.room.changed);
    post = await withdrawText(
      tx,
      rules,
      found.room,
      { ...post, salt: post.salt ?? input.salt },
      "operator",
      at,
    );
  }
  tx.erases();
  tx.announce(text_withdrawn);
  await rules.audit(tx, input, "post.erase", targetOf(found));
  return outcome(found, "erased", post);
}

/** A room as an action finds it. */
const roomFound = (room: store.RoomRow): ModeratedRoom["found"] => ({
  goal: room.goal,
  visibility: store.visibilityOf(room),
  host: { name: room.host, claimed: room.host_claimed === 1 },
  created: room.created,
  posts: room.posts,
  state: room.closed_at ? "closed" : "open",
});

/** Closes a room in place of its host. */
export async function closeRoom(tx: Tx, rules: Rules, input: RoomAction): Promise<ModeratedRoom> {
  const room = await roomOrFailure(tx, readableSlug(input.room));
  const outcome = { room: room.slug, state: "closed", found: roomFound(room) } as const;
  if (room.closed_at) return { ...outcome, changed: false };
  await close(tx, room, input.now_ms);
  await rules.audit(tx, input, "room.close", room.slug);
  return { ...outcome, changed: true };
}

/** Opens a closed room again. */
export async function reopenRoom(tx: Tx, rules: Rules, input: RoomAction): Promise<ModeratedRoom> {
  const room = await roomOrFailure(tx, readableSlug(input.room));
  const outcome = { room: room.slug, state: "open", found: roomFound(room) } as const;
  if (!room.closed_at) return { ...outcome, changed: false };
  if (!(await admin_store.markReopened(tx, room, nextTime(input.now_ms, room.changed))))
    throw new Overtaken();
  if (room.visibility === "public") {
    await store.counters.add(tx, "rooms_closed_public", -1);
    await store.counters.add(tx, "rooms_open_public", 1);
  }
  tx.announce(`room:${room.slug}`);
  await rules.audit(tx, input, "room.reopen", room.slug);
  return { ...outcome, changed: true };
}

/** The time of the latest post under a name, in any spelling of it; null if none of the latest 10,000 posts is under it. */
export async function lastPostBy(
  tx: Tx,
  canonicalName: RoomRules["canonicalName"],
  canonical: string,
): Promise<string | null> {
  const names = await admin_store.latestNames(tx, room_internal_limits.posts_looked_at_for_a_name);
  const times = names.filter(({ name }) => canonicalName(name) === canonical).map(({ ts }) => ts);
  return times.sort().at(-1) ?? null;
}

interface DeleteRoom extends RoomAction {
  /** A slug that nobody can guess. */
  replacement: string;
  /** The rule by which it is deleted, and the version of the room to which the rule applied; absent for an admin. */
  rule?: { because: string; changed: string };
}

/** Deletes a room: nothing finds it or its posts any more. `emptyDeleted` erases the posts afterwards. */
export async function deleteRoom(tx: Tx, rules: Rules, input: DeleteRoom): Promise<ModeratedRoom> {
  const outcome = { room: input.room, state: "deleted" } as const;
  if (await admin_store.findDeleted(tx, input.room)) return { ...outcome, changed: false, found: null };
  const room = await roomOrFailure(tx, readableSlug(input.room));
  const found = roomFound(room);
  // Somebody has posted since the rule was applied.
  if (input.rule && input.rule.changed !== room.changed) {
    return { room: room.slug, state: room.closed_at ? "closed" : "open", changed: false, found };
  }
  const at = nextTime(input.now_ms, room.changed);
  const { replacement, rule } = input;
  if (!(await admin_store.deleteRoom(tx, room, { at, replacement, because: rule?.because ?? null }))) {
    throw new Overtaken();
  }
  await forgetGoal(tx, room, room.goal);
  await endLeasesIn(tx, room.seq, room.slug);
  if (room.visibility === "public") {
    await store.counters.add(tx, room.closed_at ? "rooms_closed_public" : "rooms_open_public", -1);
  }
  tx.erases();
  for (const topic of [`room:${room.slug}`, membersTopic(room.slug), page_removed, text_withdrawn])
    tx.announce(topic);
  if (isPrivateSlug(room.slug)) tx.announce(allLeftTopic(room.slug));
  await rules.audit(tx, input, "room.delete", room.slug);
  return { ...outcome, changed: true, found };
}

/** Erases the next posts of deleted rooms. Returns whether there may be more. */
export async function emptyNext(tx: Tx): Promise<boolean> {
  const deleted = await admin_store.roomToEmpty(tx);
  if (!deleted) return false;
  const posts = await retention_store.firstPosts(tx, deleted.room);
  if (posts.length > 0) {
    await erasePosts(tx, { seq: deleted.room, slug: deleted.slug }, posts);
    return true;
  }
  await admin_store.markEmpty(tx, deleted.room);
  // What retention deletes is out of the log of the database when `finishRemoval` has run.
  if (deleted.because === null) tx.erases();
  return true;
}

/** Deletes posts with all that is stored of them. */
async function erasePosts(
  tx: Tx,
  room: Pick<store.RoomRow, "seq" | "slug">,
  posts: retention_store.OldPost[],
): Promise<void> {
  await forgetPosts(tx, room, posts);
  await retention_store.deletePosts(tx, posts);
  await afterDeletion(tx);
}

interface RemovePosts {
  /** The seq of the room. */
  room: number;
  /** The number of the latest post to remove. */
  through: number;
  /** The rule in words. */
  because: string;
  now_ms: number;
}

/** Removes the oldest posts of a room, up to a number, in steps. Returns how many it has removed, and whether there are more. */
export async function removePosts(tx: Tx, input: RemovePosts): Promise<{ removed: number; more: boolean }> {
  const room = await store.findRoomBySeq(tx, input.room);
  if (!room || admin_store.isDeleted(room)) return { removed: 0, more: false };
  const posts = await retention_store.firstPosts(tx, room.seq, input.through);
  const last = posts.at(-1);
  if (!last) return { removed: 0, more: false };
  await erasePosts(tx, room, posts);
  await retention_store.markRemoved(tx, room.seq, last, isoTime(input.now_ms), input.because);
  tx.announce(`room:${room.slug}`);
  return { removed: posts.length, more: last.n < input.through };
}

/** After old posts and rooms were removed: takes their texts out of the log of the database and the caches. */
export function finishRemoval(tx: Tx): Promise<void> {
  tx.erases();
  tx.announce(text_withdrawn);
  return Promise.resolve();
}

/** Erases the posts of deleted rooms in steps. Runs while the disk budget is reached, too: it frees space. */
export const emptyDeleted: Chore = Object.assign(emptyNext, { frees_space: true as const });
