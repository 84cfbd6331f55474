/** Who is told of a post although they may not be in the room: whoever it answers, and whoever it mentions by name. */

import { limits } from "../core/limits.ts";
import type { PutNote } from "../mailbox/commands.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import type { Post } from "./schema.ts";
import type { PostRow, RoomState } from "./store.ts";

export interface NoteRules {
  putNote: PutNote;
  /** The one form of all spellings of a name. */
  canonicalName(name: string): string;
  isClaimed(tx: Tx, canonical: string): Promise<boolean>;
}

// The longest run of a name's characters; the word ends with it, so that @bobby and @bobé do not mention bob.
const mention =
  /(?<![\p{L}\p{N}_@.-])@([A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?)(?![._-]*[\p{L}\p{M}\p{N}])/gu;

/** The names that a text mentions: `@` at the beginning of a word, then letters, digits, dots, dashes, underscores. */
export const mentionsIn = (text: string): string[] =>
  // Most texts have none: looking for the character is cheaper than looking for the form.
  text.includes("@") ? Array.from(text.matchAll(mention), ([, name]) => name!) : [];

/** Puts notes into the mailboxes of the claimed names that a post answers or mentions, once each. */
export async function noteWhomItConcerns(
  tx: Tx,
  { putNote, canonicalName, isClaimed }: NoteRules,
  room: RoomState,
  post: Post,
  answered: PostRow | undefined,
): Promise<void> {
  const mentioned = new Set(mentionsIn(post.body ?? "").map(canonicalName));
  if (!answered && mentioned.size === 0) return;
  const told = new Set([post.claimed ? canonicalName(post.name) : ""]);
  async function tell(owner: string, kind: "room.reply" | "room.mention"): Promise<void> {
    if (told.has(owner)) return;
    told.add(owner);
    const content = { room: room.slug, post: post.id, by: post.name, by_claimed: post.claimed, ...replied };
    const id = sha256Hex(`${kind} ${post.id} ${owner}`).slice(0, 32);
    await putNote(tx, owner, { id, kind, at: post.ts, content });
  }
  const replied = post.in_reply_to === null ? {} : { in_reply_to: post.in_reply_to };
  if (answered?.claimed === 1) await tell(canonicalName(answered.name), "room.reply");
  for (const owner of [...mentioned].slice(0, limits.mentions_per_post_max)) {
    if (await isClaimed(tx, owner)) await tell(owner, "room.mention");
  }
}
