/**
 * Folds the unread replies and mentions of one room into one note, with their count, the first, the last and the numbers of their
 * posts. A room that mentions a name a thousand times therefore takes one place in its mailbox.
 */

import type { NoteKind, RoomEvent } from "../api/mailbox.ts";
import { mailbox_internal_limits } from "./limits.ts";
import type { NoteRow } from "./store.ts";

/** A note without a seq. `content`: its members besides id, kind and time. */
export interface NewNote {
  id: string;
  kind: NoteKind;
  at: string;
  content: Record<string, unknown>;
}

/** A note with its place in a mailbox. */
type PlacedNote = NewNote & { seq: number };

export const placedNote = ({ content, kind, ...row }: NoteRow): PlacedNote => ({
  ...row,
  kind: kind as NoteKind,
  content: JSON.parse(content) as Record<string, unknown>,
});

/** A post in a folded note: the seq that its note took, its number in the room, and whether it is a reply (1) or a mention (0). */
export type FoldedPost = [seq: number, n: number, is_reply: 0 | 1];

/** The members that a note has only if it stands for several posts. */
interface Folded {
  count: number;
  /** Of a note that was read in part, the number and the kind alone: the rest is read with the post. */
  first: Partial<RoomEvent>;
  last: RoomEvent;
  /** The latest of the posts, at most `folded_posts_max`, oldest first. Notes of earlier releases do not have it. */
  posts: FoldedPost[];
}

/** The members that any note of a room may have. */
interface Hidden {
  /** Of a note that was read in part: the number of the first post that it has stood for. */
  read_from?: number;
}

/**
 * What the unread notes share that fold into one: the room of replies and mentions, and the members of a private room. Null for other
 * notes, which are not folded.
 */
export function foldingPlace({ kind, content }: NewNote): string | null {
  if (kind === "room.reply" || kind === "room.mention") return content.room as string;
  return kind === "room.added" ? `members of ${content.room as string}` : null;
}

const members = ({ content }: NewNote): Partial<Folded> & Hidden & Record<string, unknown> => content;

/** What a note says of the post that it is about, or of the latest of its posts. */
function latestOf(note: NewNote): Record<string, unknown> {
  const { count: _, first: _first, last: _last, posts: _posts, read_from: _from, ...content } = members(note);
  return content;
}

/** The reply or mention in a note that is not folded. */
function eventOf(note: NewNote): RoomEvent {
  const { room: _room, excerpt_from: _excerpt_from, also_lengths: _also_lengths, ...event } = latestOf(note);
  return { kind: note.kind, at: note.at, ...event } as RoomEvent;
}

// Notes of earlier releases have no count.
const countOf = (note: NewNote): number => members(note).count ?? 1;

interface PostMembers {
  n?: number;
  posts?: FoldedPost[];
}

/** The known posts of a note: those of a note of an earlier release are the latest alone, if that. */
export function knownPosts({
  seq,
  kind,
  n,
  posts,
}: PostMembers & { seq: number; kind: NoteKind }): FoldedPost[] {
  if (posts) return posts;
  return n === undefined ? [] : [[seq, n, kind === "room.reply" ? 1 : 0]];
}

const postsOf = ({ seq, kind, content }: PlacedNote): FoldedPost[] =>
  knownPosts({ seq, kind, ...(content as PostMembers) });

/**
 * The known posts of a note that came after the seq `through`, and how many others may have: each has taken a seq of its own.
 */
function postsAfter(note: PlacedNote, through: number): { later: FoldedPost[]; unknown: number } {
  const known = postsOf(note);
  const later = known.filter(([seq]) => seq > through);
  const is_cut = later.length > 0 && later.length === known.length;
  return {
    later,
    unknown: is_cut ? Math.min(countOf(note) - known.length, later[0]![0] - 1 - through) : 0,
  };
}

/** The kinds of the posts of a folded note that came after the seq `through`. The note has that of the latest alone. */
export function kindsAfter(note: PlacedNote, through: number): NoteKind[] {
  const { later, unknown } = postsAfter(note, through);
  if (unknown > 0) return ["room.reply", "room.mention"];
  return later.map(([, , is_reply]) => (is_reply ? "room.reply" : "room.mention"));
}

/** The number of the post of a note that took this seq; undefined if it is not known. */
export const numberAt = (note: PlacedNote, seq: number): number | undefined =>
  postsOf(note).find(([taken]) => taken === seq)?.[1];

/** The numbers of the posts of a note that came after the seq `through`; none if they are not all known. */
export function numbersAfter(note: PlacedNote, through: number): number[] {
  const { later, unknown } = postsAfter(note, through);
  return unknown === 0 ? later.map(([, n]) => n) : [];
}

/**
 * Folds `unread`, the unread notes of a room (oldest first, at least one), and `latest` into one note. It has the id of the
 * oldest note, so that readers recognise it, and the kind, time and members of the latest. Of the notes about a role the latest counts alone.
 */
export function fold(unread: readonly PlacedNote[], latest: PlacedNote): PlacedNote {
  const oldest = unread[0]!;
  if (latest.kind === "room.added") return { ...latest, id: oldest.id };
  const { read_from } = members(oldest);
  const folded: Folded & Hidden = {
    count: unread.reduce((count, note) => count + countOf(note), 1),
    first: members(oldest).first ?? eventOf(oldest),
    last: eventOf(latest),
    posts: [...unread, latest].flatMap(postsOf).slice(-mailbox_internal_limits.folded_posts_max),
    ...(read_from !== undefined && { read_from }),
  };
  return { ...latest, id: oldest.id, content: { ...latest.content, ...folded } };
}

/**
 * The content of a folded note without the posts that were folded in up to the seq `through`: somebody has seen these. Null if
 * that changes nothing. Posts before the known ones remain if they may have come later.
 */
export function unreadRest(note: PlacedNote, through: number): Record<string, unknown> | null {
  const { later: left, unknown: earlier } = postsAfter(note, through);
  const left_count = left.length + earlier;
  if (left.length === 0 || left_count === countOf(note)) return null;
  const read_from = members(note).read_from ?? firstNumber(note);
  if (left_count === 1) return { ...latestOf(note), read_from };
  const [, n, is_reply] = left[0]!;
  const first = { kind: is_reply ? "room.reply" : "room.mention", n };
  return { ...note.content, count: left_count, ...(earlier === 0 && { first }), posts: left, read_from };
}

/** The number of the first post that a note stands for, or of its first known post. */
const firstNumber = (note: PlacedNote): number => members(note).first?.n ?? postsOf(note)[0]![1];

/**
 * The seq that the post `n` of the room of this note took. Of a post that is older than the known posts, one that is not earlier;
 * 0 of a post that was read and is no longer in the note. Undefined if the note does not stand for the post. Meant for posts that
 * concern the owner of the note.
 */
export function seqOfPost(note: PlacedNote, n: number): number | undefined {
  const known = postsOf(note);
  const found = known.find(([, number]) => number === n);
  if (found) return found[0];
  const [first] = known;
  if (!first || n > first[1]) return undefined;
  if (countOf(note) > known.length && n >= firstNumber(note)) return first[0];
  const { read_from } = members(note);
  return read_from !== undefined && n >= read_from ? 0 : undefined;
}
