/**
 * Whom a post concerns: the author that it replies to, and the names that it mentions. Claimed ones get a note, and the author of
 * the post learns which of its mentions reached somebody. Who claims a name gets the posts that mentioned it before.
 */

import type { PutNote } from "../mailbox/commands.ts";
import type { NewNote } from "../mailbox/folding.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { AnsweredPost } from "./posts_store.ts";
import type { RoomState } from "./store.ts";
import { codePoints, cutAround, oneLine, searchTerms } from "../core/text.ts";
import { timeText } from "../storage/packed.ts";
import type { EarlierMention } from "../api/names/names.ts";
import { goal_documents, hitsBelow, indexOf, type HitsSlice } from "./search.ts";
import { publicPost, type PublicPost } from "./places_store.ts";
import { mailbox_limits, name_limits, room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

export interface NoteRules {
  putNote: PutNote;
  /** The canonical form of a name. */
  canonicalName(name: string): string;
  /** When names were claimed, by their canonical forms; those that are not claimed are missing. */
  claimedSince(tx: Tx, canonicals: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

// Matches up to the end of the word, so that @bobby and @bobé do not mention bob.
const mention =
  /(?<![\p{L}\p{N}_@.-])@([A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?)(?![._-]*[\p{L}\p{M}\p{N}])/gu;

/** A name as a text mentions it, and where. */
interface Mention {
  name: string;
  /** UTF-16 code units before its `@`. */
  index: number;
}

/** The names that a text mentions: `@` at the beginning of a word, then letters, digits, dots, dashes, underscores. */
const mentionsIn = (text: string): Mention[] =>
  // Most texts have no mention, and a search for one character is cheaper than a regular expression.
  text.includes("@")
    ? Array.from(text.matchAll(mention), ({ 1: name, index }) => ({ name: name!, index }))
    : [];

/** What became of a mention: nobody has claimed the name, it is claimed but got no note by this post, or it got one. */
const outcomes = { unclaimed: "0", claimed: "1", notified: "2" } as const;

/** The names that a text mentions and a post may notify, as they are written first, by their canonical forms. */
function mentionedIn(text: string, canonicalName: (name: string) => string): Map<string, Mention> {
  const names = new Map<string, Mention>();
  for (const mentioned of mentionsIn(text)) {
    if (names.size === room_limits.mentions_per_post_max) break;
    const canonical = canonicalName(mentioned.name);
    if (!names.has(canonical)) names.set(canonical, mentioned);
  }
  return names;
}

/** Where a text mentions the name with this canonical form first, in UTF-16 code units; undefined if it does not. */
const mentionOf = (
  text: string,
  canonical: string,
  canonicalName: (name: string) => string,
): number | undefined => mentionsIn(text).find(({ name }) => canonicalName(name) === canonical)?.index;

/**
 * How many code points of a text an excerpt around a mention leaves out before it; undefined if the mention is near enough to the
 * beginning. The excerpt begins with a word if possible, and is as long if the text ends soon.
 */
function excerptFrom(text: string, { index }: Mention): number | undefined {
  const { excerpt_chars_max } = mailbox_limits;
  const { mention_chars_before_max, mention_chars_before } = room_internal_limits;
  const before = codePoints(text.slice(0, index));
  const length = codePoints(text);
  if (before <= mention_chars_before_max || length <= excerpt_chars_max) return undefined;
  const from = Math.min(before - mention_chars_before, length - excerpt_chars_max + 1);
  const [skipped = ""] = /^\S*\s+/.exec(Array.from(text).slice(from, before).join("")) ?? [];
  return from + codePoints(skipped);
}

/**
 * A new post with what became of its mentions, for its author. `mentioned`: an outcome for each name in order; absent if there
 * are none. Only outcomes are stored with a call, because the names are a part of the text.
 */
export function withMentions(
  { mentioned = "", ...post }: Post & { mentioned?: string | undefined },
  canonicalName: (name: string) => string,
): Post {
  if (mentioned === "") return post;
  const names = [...mentionedIn(post.body ?? "", canonicalName).values()];
  const mentions = Array.from(mentioned, (outcome, i) => ({
    name: names[i]!.name,
    claimed: outcome !== outcomes.unclaimed,
    notified: outcome === outcomes.notified,
  }));
  return { ...post, mentions };
}

/** Whether a post may concern a claimed name, as far as one sees at once. */
export const mayConcern = (body: string | null, answered: AnsweredPost | undefined): boolean =>
  answered?.claimed === 1 || (body?.includes("@") ?? false);

/** A new post, and the post that it replies to. */
interface NewPost {
  room: RoomState;
  post: Post;
  answered: AnsweredPost | undefined;
}

/**
 * Puts a note about each post into the mailboxes of the claimed names that it replies to or mentions. Returns what became of the
 * mentions of each, as for `withMentions`.
 */
export async function noteWhomTheyConcern(
  tx: Tx,
  rules: NoteRules,
  new_posts: readonly NewPost[],
): Promise<string[]> {
  const concerned = new_posts.map((new_post) => namesIn(rules, new_post));
  if (concerned.every((owners) => owners.length === 0)) return concerned.map(() => "");
  const claimed = await rules.claimedSince(tx, concerned.flat());
  const by_post = new_posts.map((new_post, i) => notesOf(rules, claimed, new_post, concerned[i]!));
  const notes = by_post.flat();
  // In one order, so that transactions do not wait for each other in a circle.
  const owners = [...new Set(notes.map(({ owner }) => owner))].sort();
  await Promise.all(
    owners.map(async (owner) => {
      for (const { note } of notes.filter((each) => each.owner === owner))
        await rules.putNote(tx, owner, note);
    }),
  );
  return new_posts.map(({ post }, i) => {
    const notified = new Set(by_post[i]!.map(({ owner }) => owner));
    const names = mentionedIn(post.body ?? "", rules.canonicalName).keys();
    return Array.from(names, (name) =>
      notified.has(name) ? outcomes.notified : claimed.has(name) ? outcomes.claimed : outcomes.unclaimed,
    ).join("");
  });
}

/** The names that a post may concern, claimed or not: the author that it replies to, then those that it mentions. */
function namesIn({ canonicalName }: NoteRules, { post, answered }: NewPost): string[] {
  return [
    ...(answered?.claimed === 1 ? [canonicalName(answered.name)] : []),
    ...mentionedIn(post.body ?? "", canonicalName).keys(),
  ];
}

/** The notes about a post. `claimed`: since when names are claimed; `concerned`: those that it may concern. */
function notesOf(
  rules: NoteRules,
  claimed: ReadonlyMap<string, string>,
  { room, post, answered }: NewPost,
  concerned: readonly string[],
): { owner: string; note: NewNote }[] {
  const { id: post_id, n, ts: at, name: by, claimed: by_claimed, in_reply_to } = post;
  const notes = new Map<string, NewNote>();
  let mentioned: Map<string, Mention> | undefined;
  const replied = in_reply_to === null ? {} : { in_reply_to };
  const content = { room: room.slug, post: post_id, n, by, by_claimed, ...replied };
  const own = by_claimed ? rules.canonicalName(by) : null;
  for (const [i, owner] of concerned.entries()) {
    const since = claimed.get(owner);
    if (since === undefined || owner === own || notes.has(owner)) continue;
    const is_author = i === 0 && answered?.claimed === 1;
    // If the operator released the name, an earlier holder wrote the posts that are older than the claim.
    if (is_author && since > answered.ts) continue;
    const kind = is_author ? "room.reply" : "room.mention";
    const id = sha256Hex(`${kind} ${post_id} ${owner}`).slice(0, 32);
    const place = (mentioned ??= mentionedIn(post.body ?? "", rules.canonicalName)).get(owner);
    const excerpt_from = place && excerptFrom(post.body!, place);
    notes.set(owner, { id, kind, at, content: excerpt_from ? { ...content, excerpt_from } : content });
  }
  return Array.from(notes, ([owner, note]) => ({ owner, note }));
}

/**
 * The latest posts in public rooms before `before` (ISO time) that mention `name`, newest first. Examines a bounded number of the posts
 * that have the words of the name as it is written, so mentions of a name that is a common word may be missing.
 */
export async function searchMentions(
  tx: Tx,
  { canonicalName }: Pick<NoteRules, "canonicalName">,
  { name, before }: { name: string; before: string },
): Promise<EarlierMention[]> {
  const { mention_hits_scanned_max, mention_chars_read_max, mention_hits_at_once } = room_internal_limits;
  const wanted = indexOf(tx).find(searchTerms(name));
  const canonical = canonicalName(name);
  const mentions: EarlierMention[] = [];
  let [scanned, read] = [0, 0];
  let next: number | null = goal_documents;
  while (next !== null && scanned < mention_hits_scanned_max && read < mention_chars_read_max) {
    const slice: HitsSlice = await hitsBelow(tx, wanted, { below: next, at_once: mention_hits_at_once });
    read += slice.chars;
    for (const { document } of slice.hits) {
      const post = await publicPost(tx, document);
      if (!post || timeText(post.ts) >= before) continue;
      read += post.body.length;
      const body = oneLine(post.body);
      const place = mentionOf(body, canonical, canonicalName);
      if (place === undefined) continue;
      mentions.push(mentionFrom(post, cutAround(body, place, mailbox_limits.excerpt_chars_max)));
      if (mentions.length === name_limits.earlier_mentions_max) return mentions;
    }
    scanned += mention_hits_at_once;
    next = slice.next;
  }
  return mentions;
}

const mentionFrom = ({ room, n, ts, name, claimed }: PublicPost, excerpt: string): EarlierMention => ({
  room,
  n,
  at: timeText(ts),
  by: name,
  claimed: claimed === 1,
  excerpt,
});
