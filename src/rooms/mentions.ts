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
import { mayBeJoined, mentionOf, mentionsIn, type Mention } from "./mentioned_names.ts";
import { codePoints, cutAround, oneLine, searchTerms } from "../core/text.ts";
import { timeText } from "../storage/packed.ts";
import type { EarlierMention } from "../api/names/names.ts";
import { goal_documents, wantedIn } from "./indexing_store.ts";
import { hitsBelow, type HitsSlice } from "./search.ts";
import { publicPost, type PublicPost } from "./places_store.ts";
import { mailbox_limits, name_limits, room_limits } from "../api/limits.ts";
import { membersOf } from "./members/store.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { room_internal_limits } from "./limits.ts";

export interface NoteRules {
  putNote: PutNote;
  /** The canonical form of a name. */
  canonicalName(name: string): string;
  /** When names were claimed, by their canonical forms; those that are not claimed are missing. */
  claimedSince(tx: Tx, canonicals: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What became of a mention: nobody has claimed the name, it is claimed but got no note by this post, or it got one. */
const outcomes = { unclaimed: "0", claimed: "1", notified: "2" } as const;

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

/** What became of the mentions of a post, stored with its call, which must not have its text: an outcome for each mention in order. */
export interface MentionOutcomes {
  /** Absent if there are no mentions. */
  mentioned?: string;
  /** How many UTF-16 code units each name has; absent if each mention is a name as a whole. */
  mention_lengths?: number[];
}

/** A new post with what became of its mentions, for its author. */
export function withMentions(
  { mentioned = "", mention_lengths, ...post }: Post & MentionOutcomes,
  canonicalName: (name: string) => string,
): Post {
  if (mentioned === "") return post;
  const mentions = new Map<string, NonNullable<Post["mentions"]>[number]>();
  for (const [i, { names }] of mentionsIn(post.body ?? "", canonicalName).entries()) {
    const name = names[0].name.slice(0, mention_lengths?.[i]);
    const [outcome, canonical] = [mentioned[i], canonicalName(name)];
    const [claimed, notified] = [outcome !== outcomes.unclaimed, outcome === outcomes.notified];
    if (!mentions.has(canonical)) mentions.set(canonical, { name, claimed, notified });
  }
  return { ...post, mentions: [...mentions.values()] };
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

/** The same with those whom it concerns, claimed or not: the canonical form of the author that it replies to, and mentions. */
interface Concerning extends NewPost {
  author: string | undefined;
  mentions: Mention[];
}

/**
 * Puts a note about each post that is not quiet into the mailboxes of the claimed names that it replies to or mentions and that may read it.
 * Returns what became of the mentions of each. `of_members`: further notes, which are put first.
 */
export async function noteWhomTheyConcern(
  tx: Tx,
  rules: NoteRules,
  new_posts: readonly NewPost[],
  of_members?: readonly OwnedNote[],
): Promise<MentionOutcomes[]> {
  const concerning = new_posts.map((new_post) => ({
    ...new_post,
    author: new_post.answered?.claimed === 1 ? rules.canonicalName(new_post.answered.name) : undefined,
    mentions: mentionsIn(new_post.post.body ?? "", rules.canonicalName),
  }));
  const claimed = await claimsAmong(tx, rules, concerning);
  const members = await membersIn(tx, concerning);
  const by_post = concerning.map((one) => notesOf(rules, claimed, one, members?.get(one.room.slug)));
  const notes = of_members ? [...of_members, ...by_post.flat()] : by_post.flat();
  // In one order, so that transactions do not wait for each other in a circle.
  const owners = [...new Set(notes.map(({ owner }) => owner))].sort();
  await Promise.all(
    owners.map(async (owner) => {
      for (const { note } of notes.filter((each) => each.owner === owner))
        await rules.putNote(tx, owner, note);
    }),
  );
  return concerning.map(({ mentions }, i) => outcomesOf(mentions, claimed, by_post[i]!));
}

/** The members of the private rooms of these posts, by the slugs of the rooms; null if no room is private. */
async function membersIn(
  tx: Tx,
  posts: readonly Concerning[],
): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
  if (!posts.some(({ room }) => isPrivateSlug(room.slug))) return null;
  const members = new Map<string, ReadonlySet<string>>();
  for (const { room } of posts) {
    if (!isPrivateSlug(room.slug) || members.has(room.slug)) continue;
    const rows = await membersOf(tx, room.seq, room_limits.members_max);
    members.set(room.slug, new Set(rows.map(({ canonical }) => canonical)));
  }
  return members;
}

/** When names were claimed, by their canonical forms. */
export type Claims = ReadonlyMap<string, string>;

/** The claims of the names that posts may concern. */
async function claimsAmong(tx: Tx, rules: NoteRules, posts: readonly Concerning[]): Promise<Claims> {
  const wanted = new Set(
    posts.flatMap(({ author, mentions }) => [
      ...(author === undefined ? [] : [author]),
      ...mentions.flatMap(({ names }) => names.map(({ canonical }) => canonical)),
    ]),
  );
  return claimsOf(tx, rules, wanted);
}

/** The claims of these names, by their canonical forms. */
export async function claimsOf(
  tx: Tx,
  rules: Pick<NoteRules, "claimedSince">,
  canonicals: Iterable<string>,
): Promise<Claims> {
  const claims = new Map<string, string>();
  const at_once = room_internal_limits.mentioned_names_at_once;
  for (let left = [...canonicals]; left.length > 0; left = left.slice(at_once))
    for (const [name, since] of await rules.claimedSince(tx, left.slice(0, at_once))) claims.set(name, since);
  return claims;
}

/** The name that is meant: the longest that is claimed. */
export const meant = ({ names }: Mention, claimed: Pick<Claims, "has">) =>
  names.find(({ canonical }) => claimed.has(canonical)) ?? names[0];

function outcomesOf(
  mentions: readonly Mention[],
  claimed: Claims,
  notes: readonly OwnedNote[],
): MentionOutcomes {
  if (mentions.length === 0) return {};
  const notified = new Set(notes.map(({ owner }) => owner));
  const found = mentions.map((mention) => meant(mention, claimed));
  const mentioned = found
    .map(({ canonical }) =>
      notified.has(canonical)
        ? outcomes.notified
        : claimed.has(canonical)
          ? outcomes.claimed
          : outcomes.unclaimed,
    )
    .join("");
  const is_cut = found.some((name, i) => name !== mentions[i]!.names[0]);
  return { mentioned, ...(is_cut && { mention_lengths: found.map(({ name }) => name.length) }) };
}

interface OwnedNote {
  owner: string;
  note: NewNote;
}

/**
 * Of each mention the length of its name in UTF-16 code units, or 0 if a note of `owner` does not name it: for its owner, the author,
 * and a name that is mentioned before. Undefined if it names nobody.
 */
function lengthsOfOthers(
  mentions: readonly Mention[],
  claimed: Claims,
  places: ReadonlyMap<string, Mention>,
  owner: string,
  author: string | null,
): number[] | undefined {
  const lengths = mentions.map((mention) => {
    const { name, canonical } = meant(mention, claimed);
    return canonical === owner || canonical === author || places.get(canonical) !== mention ? 0 : name.length;
  });
  return lengths.some((length) => length > 0) ? lengths : undefined;
}

/** The notes about a post. `members`: of its room, if that is private. */
function notesOf(
  rules: NoteRules,
  claimed: Claims,
  { room, post, answered, author, mentions }: Concerning,
  members: ReadonlySet<string> | undefined,
): OwnedNote[] {
  if (post.quiet) return [];
  const { id: post_id, n, ts: at, name: by, claimed: by_claimed, in_reply_to } = post;
  const notes = new Map<string, NewNote>();
  const replied = in_reply_to === null ? {} : { in_reply_to };
  const content = { room: room.slug, post: post_id, n, by, by_claimed, ...replied };
  const own = by_claimed ? rules.canonicalName(by) : null;
  const places = new Map<string, Mention>();
  for (const mention of mentions) {
    const { canonical } = meant(mention, claimed);
    if (!places.has(canonical)) places.set(canonical, mention);
  }
  const concerned = [...(author === undefined ? [] : [author]), ...places.keys()];
  for (const [i, owner] of concerned.entries()) {
    const since = claimed.get(owner);
    if (since === undefined || owner === own || notes.has(owner)) continue;
    if (members && !members.has(owner)) continue;
    const is_author = i === 0 && author !== undefined;
    // If the operator released the name, an earlier holder wrote the posts that are older than the claim.
    if (is_author && since > answered!.ts) continue;
    const kind = is_author ? "room.reply" : "room.mention";
    const id = sha256Hex(`${kind} ${post_id} ${owner}`).slice(0, 32);
    const place = places.get(owner);
    const excerpt_from = place && excerptFrom(post.body!, place);
    const note: NewNote = { id, kind, at, content: excerpt_from ? { ...content, excerpt_from } : content };
    notes.set(owner, note);
    if (places.size === (place ? 1 : 0)) continue;
    const also_lengths = lengthsOfOthers(mentions, claimed, places, owner, own);
    if (also_lengths) note.content = { ...note.content, also_lengths };
  }
  return Array.from(notes, ([owner, note]) => ({ owner, note }));
}

/** The names that a post mentions, in order: each the longest that may be meant. */
export const longestNames = (body: string, canonicalName: NoteRules["canonicalName"]): string[] =>
  mentionsIn(body, canonicalName).map(({ names }) => names[0].name);

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
  const wanted = wantedIn(tx, "public", searchTerms(name), { is_beginning: mayBeJoined(name) });
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
