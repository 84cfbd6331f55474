/** What became of posts for each name that they mention, and for the author that they reply to. */

import type { PresentAt } from "../core/presence.ts";
import type { Tx } from "../core/storage.ts";
import type { Delivered } from "../api/rooms/delivery.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { NoteOfPost, NotesOfPosts, PostForOwner } from "../mailbox/delivery.ts";
import { answeredBy } from "./answered.ts";
import { repliesTo, type ReplyRow } from "./delivery_store.ts";
import { mentionsIn, type Mention } from "./mentioned_names.ts";
import { claimsOf, meant, type Claims, type NoteRules } from "./mentions.ts";
import { postBeginnings, type BeginningRow } from "./posts_store.ts";
import type { RoomRow } from "./store.ts";

export interface DeliveryRules extends Pick<NoteRules, "canonicalName" | "claimedSince"> {
  notesOfPosts: NotesOfPosts;
}

/** A post that a claimed name wrote, as it was read from the database. */
export type OwnPost = Post & { quiet?: boolean };

/** A name that a post concerns. */
interface Addressee {
  /** As it is written. */
  name: string;
  canonical: string;
  /** When its holder claimed it; undefined if the post does not concern a holder. */
  since: string | undefined;
  reply?: true;
}

/** The same, with what the database says of it. */
export interface Found extends Addressee {
  /** Of the post in its mailbox; `none` for the name that wrote the post. */
  note: NoteOfPost;
  answered_by?: number | undefined;
}

/** What is known of the posts of a room. */
interface Known {
  claims: Claims;
  noteOf(post: OwnPost, canonical: string): NoteOfPost;
  replies: readonly ReplyRow[];
}

const no_note: NoteOfPost = { state: "none", is_withheld: false };

/** Those whom posts of a room concern, by the numbers of the posts. `posts`: at least one, in their order. */
export async function addresseesOf(
  tx: Tx,
  rules: DeliveryRules,
  room: Pick<RoomRow, "seq" | "slug">,
  posts: readonly OwnPost[],
): Promise<Map<number, Found[]>> {
  const authors = await authorsOf(tx, room.slug, posts);
  const concerning = posts.map((post) => ({
    post,
    author: authors.get(answeredBy(post) ?? 0),
    mentions: mentionsIn(post.body ?? "", rules.canonicalName),
  }));
  const names = concerning.map(({ author, mentions }) => {
    const meant_names = mentions.flatMap(({ names }) => names.map(({ canonical }) => canonical));
    return [...new Set(author ? [...meant_names, rules.canonicalName(author.name)] : meant_names)];
  });
  const claims = await claimsOf(tx, rules, new Set(names.flat()));
  const wanted = posts.flatMap(({ n, ts: at, quiet }, i): PostForOwner[] =>
    quiet
      ? []
      : names[i]!.filter((one) => claims.has(one)).map((owner) => ({ owner, room: room.slug, n, at })),
  );
  const notes = await rules.notesOfPosts(tx, wanted);
  const by_post = new Map(wanted.map(({ owner, n }, i) => [`${n} ${owner}`, notes[i]!]));
  const known: Known = {
    claims,
    noteOf: ({ n }, canonical) => by_post.get(`${n} ${canonical}`) ?? no_note,
    replies: claims.size === 0 ? [] : await repliesTo(tx, room.seq, posts[0]!.n, posts.at(-1)!.n),
  };
  return new Map(concerning.map((one) => [one.post.n, foundIn(rules, known, one)]));
}

/** The posts with keys that posts of a room reply to, by their numbers. */
async function authorsOf(
  tx: Tx,
  room: string,
  posts: readonly OwnPost[],
): Promise<ReadonlyMap<number, BeginningRow>> {
  const answered = posts.map(answeredBy).filter((n) => n !== undefined);
  if (answered.length === 0) return new Map();
  const refs = answered.map((n) => ({ room, n }));
  const rows = (await postBeginnings(tx, refs)).filter(({ claimed }) => claimed === 1);
  return new Map(rows.map((row) => [row.n, row]));
}

interface Concerning {
  post: OwnPost;
  mentions: readonly Mention[];
  author: BeginningRow | undefined;
}

/** Those whom a post concerns: the names that it mentions in their order, then the author that it replies to, each once. */
function foundIn(rules: DeliveryRules, known: Known, concerning: Concerning): Found[] {
  const { post } = concerning;
  const own = rules.canonicalName(post.name);
  return addresseesIn(rules, known, concerning).map((one): Found => {
    const { canonical, since } = one;
    if (since === undefined || canonical === own) return { ...one, note: no_note };
    // What replies to the post is later, and so the present holder has written it.
    const reply = known.replies.find(
      ({ in_reply_to_n, name }) => in_reply_to_n === post.n && rules.canonicalName(name) === canonical,
    );
    return { ...one, note: known.noteOf(post, canonical), answered_by: reply?.n };
  });
}

function addresseesIn(
  { canonicalName }: DeliveryRules,
  { claims, noteOf }: Known,
  { post, mentions, author }: Concerning,
): Addressee[] {
  // A name that was claimed later was mentioned before it had a holder. The clocks of nodes differ: a note is proof of a holder.
  const sinceOf = (canonical: string): string | undefined => {
    const since = claims.get(canonical);
    if (since === undefined || since <= post.ts) return since;
    return noteOf(post, canonical).state === "none" ? undefined : since;
  };
  const found = new Map<string, Addressee>();
  for (const mention of mentions) {
    const { name, canonical } = meant(mention, { has: (one) => sinceOf(one) !== undefined });
    if (!found.has(canonical)) found.set(canonical, { name, canonical, since: sinceOf(canonical) });
  }
  const canonical = author && canonicalName(author.name);
  // A reply to oneself concerns nobody.
  if (canonical === undefined || canonical === canonicalName(post.name)) return [...found.values()];
  const since = claims.get(canonical);
  // If the operator released the name, an earlier holder wrote the post, and a later one has nothing to do with it.
  const holder = since !== undefined && since <= author!.ts ? since : undefined;
  const mentioned = found.get(canonical);
  if (mentioned && holder !== undefined) mentioned.reply = true;
  if (!mentioned) found.set(canonical, { name: author!.name, canonical, since: holder, reply: true });
  return [...found.values()];
}

/**
 * What the author of a post sees of an addressee. `is_suspended`: nobody sees anything of the name. `here`: who waits in the room.
 */
export function deliveredTo(
  { name, since, note, answered_by, reply, canonical }: Found,
  is_suspended: boolean,
  here: PresentAt,
): Delivered {
  const replied = reply ? { reply } : {};
  if (since === undefined) return { name, state: "unclaimed", ...replied };
  if (answered_by !== undefined) return { name, state: "answered", answered_by, ...replied };
  const waits = here.names.get(canonical)?.waiting ?? false;
  return { name, state: stateOf(note, is_suspended, waits), ...replied };
}

function stateOf(
  { state, is_withheld }: NoteOfPost,
  is_suspended: boolean,
  waits: boolean,
): Delivered["state"] {
  if (is_withheld || is_suspended) return "withheld";
  if (state === "none") return "not_notified";
  return state === "read" || !waits ? state : "waiting";
}
