/** The command that redacts a post, and what every redaction does. */

import type { Identity } from "../core/caller.ts";
import { nextTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { deleteHidden } from "./admin_store.ts";
import type { RoomRules } from "./commands.ts";
import { room_errors } from "./errors.ts";
import { hasWritten, type ByHost } from "./host_rights.ts";
import { hostedRoom, isHostIn, roomOrFailure } from "./lookup.ts";
import { admitIn } from "./members/roles.ts";
import { postOrFailure, type PostRef } from "./positions.ts";
import { postFromRow } from "./representations.ts";
import type { Post, RedactedBy } from "../api/rooms/rooms.ts";
import { forgetPost } from "./indexing_store.ts";
import * as posts_store from "./posts_store.ts";
import * as store from "./store.ts";

interface RedactInput {
  room: string;
  post: PostRef;
  /** Who redacts: the room's host, or a claimed name, which wrote the post or is the host. */
  by: ByHost;
  /** For a post from an earlier release without salts. */
  salt: string;
  now_ms: number;
}

/**
 * Deletes the text of a post, its salt and its words in the index. Leaves a tombstone with a commitment to the text.
 * Redacting it again gives the same answer.
 */
export async function redactPost(tx: Tx, rules: RoomRules, input: RedactInput): Promise<Post> {
  const { by } = input;
  const is_named = "identity" in by;
  const room = is_named
    ? await roomOrFailure(tx, await admitIn(tx, rules, input.room, by.identity))
    : await hostedRoom(tx, { ...input, ...by });
  const post = await postOrFailure(tx, room, input.post, true);
  const at = nextTime(input.now_ms, room.changed);
  const as = is_named ? await roleOf(tx, rules, { room, post, ...by }, input.now_ms) : "host";
  // The text of a hidden post is stored elsewhere, and could be restored.
  if (post.redacted && !(await deleteHidden(tx, post.seq))) return postFromRow(post, room.slug);
  tx.erases();
  if (is_named) await rules.countCommand(tx, by.identity, at);
  if (post.redacted) return postFromRow(post, room.slug);
  const salt = post.salt ?? input.salt;
  return postFromRow(await withdrawText(tx, rules, room, { ...post, salt }, as, at), room.slug);
}

/** Replaces the text of a visible post by a commitment, removes its words from the index and moves the time of the room on. */
export async function withdrawText(
  tx: Tx,
  { settleReport }: Pick<RoomRules, "settleReport">,
  room: store.RoomRow,
  post: posts_store.PostRow & { salt: string },
  by: RedactedBy,
  at: string,
): Promise<posts_store.PostRow> {
  if (!(await store.markChanged(tx, room, at))) throw new Overtaken();
  const redacted = await posts_store.redactPost(tx, post, by, at, commitmentTo(post.body!, post.salt));
  if (!redacted) throw new Overtaken();
  await forgetPost(tx, post.seq, post.body!, room);
  await settleReport(tx, post.seq, at);
  tx.announce(`room:${room.slug}`);
  return redacted;
}

/** The commitment in a tombstone. It reveals nothing of the text; with text and salt, anybody can verify it. */
const commitmentTo = (body: string, salt: string): string => sha256Hex(`${salt}:${body}`);

/** As what a claimed name redacts a post. Throws `not_your_post`. */
async function roleOf(
  tx: Tx,
  rules: RoomRules,
  { room, post, identity }: { room: store.RoomRow; post: posts_store.PostRow; identity: Identity },
  now_ms: number,
): Promise<RedactedBy> {
  const { canonical } = identity;
  const { claimed_at } = await rules.checkKey(tx, identity, now_ms);
  const { name, ts } = post;
  const written = { name, ts, claimed: post.claimed === 1 };
  if (hasWritten(rules, written, canonical, claimed_at)) return "author";
  if (await isHostIn(tx, rules, room, canonical, claimed_at)) return "host";
  throw new ServiceError(
    room_errors.not_your_post,
    "That post was not written under your claimed name, which is not the host of the room either.",
  );
}
