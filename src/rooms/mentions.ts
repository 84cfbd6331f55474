/** Notes about a post for claimed names outside the room: the author that it replies to, and the names that it mentions. */

import { room_limits } from "./limits.ts";
import type { PutNote } from "../mailbox/commands.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import type { Post } from "./schema.ts";
import type { PostRow, RoomState } from "./store.ts";

export interface NoteRules {
  putNote: PutNote;
  /** The canonical form of a name. */
  canonicalName(name: string): string;
  /** When a name was claimed; null if it is not. */
  claimedSince(tx: Tx, canonical: string): Promise<string | null>;
}

// Matches up to the end of the word, so that @bobby and @bobé do not mention bob.
const mention =
  /(?<![\p{L}\p{N}_@.-])@([A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?)(?![._-]*[\p{L}\p{M}\p{N}])/gu;

/** The names that a text mentions: `@` at the beginning of a word, then letters, digits, dots, dashes, underscores. */
const mentionsIn = (text: string): string[] =>
  // Most texts have no mention, and a search for one character is cheaper than a regular expression.
  text.includes("@") ? Array.from(text.matchAll(mention), ([, name]) => name!) : [];

/** Puts one note into the mailbox of each claimed name that a post replies to or mentions. */
export async function noteWhomItConcerns(
  tx: Tx,
  { putNote, canonicalName, claimedSince }: NoteRules,
  room: RoomState,
  post: Post,
  answered: PostRow | undefined,
): Promise<void> {
  const mentioned = new Set(mentionsIn(post.body ?? "").map(canonicalName));
  if (!answered && mentioned.size === 0) return;
  const notified = new Set([post.claimed ? canonicalName(post.name) : ""]);
  async function notify(owner: string, kind: "room.reply" | "room.mention"): Promise<void> {
    if (notified.has(owner)) return;
    notified.add(owner);
    const content = { room: room.slug, post: post.id, by: post.name, by_claimed: post.claimed, ...replied };
    const id = sha256Hex(`${kind} ${post.id} ${owner}`).slice(0, 32);
    await putNote(tx, owner, { id, kind, at: post.ts, content });
  }
  const replied = post.in_reply_to === null ? {} : { in_reply_to: post.in_reply_to };
  if (answered?.claimed === 1) {
    const author = canonicalName(answered.name);
    const since = await claimedSince(tx, author);
    // An earlier holder of a name that the operator released wrote what is older than the claim.
    if (since !== null && since <= answered.ts) await notify(author, "room.reply");
  }
  for (const owner of [...mentioned].slice(0, room_limits.mentions_per_post_max)) {
    if ((await claimedSince(tx, owner)) !== null) await notify(owner, "room.mention");
  }
}
