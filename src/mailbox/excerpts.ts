/** What notes show of the posts and jobs that they are about. It is read with each page, so a redaction removes it. */

import { cutAtWord } from "../core/text.ts";
import type { Clock } from "../core/clock.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { in_reply_to_n, type Note, type RoomEvent } from "../api/mailbox.ts";
import { knownPosts, type FoldedPost } from "./folding.ts";
import { mailbox_limits } from "../api/limits.ts";
import { mailbox_internal_limits } from "./limits.ts";

/** A post by the slug of its room and its number. */
interface PostRef {
  room: string;
  n: number;
  /** How many code points of the text are left out before what is read of it; none by default. */
  from?: number;
}

export interface PostExcerpt extends PostRef {
  id: string;
  ts: string;
  name: string;
  claimed: boolean;
  in_reply_to: string | null;
  /** The beginning of the text, or what follows `from`; null if the post is redacted. */
  beginning: string | null;
  /** The number of the post that it answers. */
  in_reply_to_n: number | null;
  unlisted: boolean;
  /** The number of the latest post of its room that is not stored any more. */
  removed_through: number;
}

export interface JobExcerpt {
  id: string;
  /** The beginning of the result, or of the detail of a job that is not delivered. */
  beginning: string;
}

/** A post with the names that it mentions, in order: each the longest that is meant. None if it is redacted. */
export interface PostMentions {
  room: string;
  n: number;
  names: string[];
}

/**
 * Read the posts or jobs among those named that the name `reader`, in its canonical form, may read, with at least `excerpt_chars_max + 1` code points of their texts: one more shows whether
 * there is a rest.
 */
export interface ExcerptSources {
  posts(reader: string, posts: readonly PostRef[]): Promise<PostExcerpt[]>;
  mentions(reader: string, posts: readonly PostRef[]): Promise<PostMentions[]>;
  /** `ids` has one of a few lengths, so that there are few prepared statements; empty ids are to be ignored. */
  jobs(ids: string[], chars: number): Promise<JobExcerpt[]>;
}

const { excerpt_chars_max } = mailbox_limits;
const { excerpts_per_read, few_excerpts_per_read, folded_posts_named, note_bytes_max, other_name_bytes_max } =
  mailbox_internal_limits;

/** A note as it is stored, with members that its readers get in another form. Of `first` it may have the kind and the number alone. */
export type StoredNote = Note & {
  posts?: FoldedPost[];
  excerpt_from?: number;
  read_from?: number;
  /**
   * How many UTF-16 code units the name of each mention of the post has; 0: the note does not name it. The names are read with the
   * post, so that a redaction removes them.
   */
  also_lengths?: number[];
};

/** About the most bytes that notes have in an answer. */
export const bytesOf = (notes: readonly StoredNote[]): number =>
  notes.reduce(
    (bytes, { also_lengths }) =>
      also_lengths === undefined ? bytes : bytes + also_lengths.length * other_name_bytes_max,
    notes.length * note_bytes_max,
  );

/** What `read` finds for these keys, each once. Yields to the event loop between reads. */
async function readAll<Excerpt>(
  keys: Iterable<string | undefined>,
  read: (keys: string[]) => Promise<Excerpt[]>,
  keyOf: (excerpt: Excerpt) => string,
  clock: Clock,
): Promise<Map<string, Excerpt>> {
  const wanted = [...new Set(keys)].filter((key) => key !== undefined);
  const found = new Map<string, Excerpt>();
  for (let begin = 0; begin < wanted.length; begin += excerpts_per_read) {
    if (begin > 0) await clock.turn();
    for (const excerpt of await read(wanted.slice(begin, begin + excerpts_per_read))) {
      found.set(keyOf(excerpt), excerpt);
    }
  }
  return found;
}

const padded = (ids: string[]): string[] => {
  const length = ids.length <= few_excerpts_per_read ? few_excerpts_per_read : excerpts_per_read;
  return Array.from({ length }, (_, i) => ids[i] ?? "");
};

/** An excerpt of the text, of which `from` code points are left out before `beginning`. */
function excerptOf(beginning: string | null | undefined, from = 0): { excerpt?: string } {
  if (!beginning) return {};
  return { excerpt: cutAtWord(from === 0 ? beginning : `…${beginning}`, excerpt_chars_max) };
}

/** The post of a note, or of an event in one, as a key: a slug has no "#". */
const keyOf = (room: unknown, n: number | undefined): string | undefined =>
  typeof room === "string" && n !== undefined ? `${room}#${n}` : undefined;

function refOf(key: string): PostRef {
  const [room, n, from] = key.split("#") as [string, string, string?];
  return { room, n: Number(n), ...(from && { from: Number(from) }) };
}

/** The key of the post that a note is about, with the beginning of its excerpt. */
function latestKeyOf({ room, n, excerpt_from }: StoredNote): string | undefined {
  const key = keyOf(room, n);
  return key && excerpt_from ? `${key}#${excerpt_from}` : key;
}

/** The numbers of the posts that a folded note stands for and that are stored: the latest ones, and how many there are besides. */
function namedPosts(note: StoredNote, post: PostExcerpt | undefined) {
  const { count = 1 } = note;
  if (count === 1 || !post) return {};
  const posts = knownPosts(note);
  const stored = posts.filter(([, n]) => n > post.removed_through);
  const named = stored.slice(-folded_posts_named);
  const numbers = (wanted: FoldedPost[2]) =>
    named.filter(([, , is_reply]) => is_reply === wanted).map(([, n]) => n);
  const [mentioned_in, replied_in] = [numbers(0), numbers(1)];
  const more = count - posts.length + stored.length - named.length;
  return {
    ...(mentioned_in.length > 0 && { mentioned_in }),
    ...(replied_in.length > 0 && { replied_in }),
    ...(more > 0 && { more }),
  };
}

/** The other names that the post of a note mentions. */
function othersOf({ names }: PostMentions, lengths: readonly number[]): { also?: string[] } {
  const also = names.flatMap((name, i) => (lengths[i] ? [name.slice(0, lengths[i])] : []));
  return also.length > 0 ? { also } : {};
}

/** The event of this post. */
const eventAt = ({ n, ts, id, name, claimed, in_reply_to }: PostExcerpt): Omit<RoomEvent, "kind"> => ({
  at: ts,
  post: id,
  n,
  by: name,
  by_claimed: claimed,
  ...(in_reply_to !== null && { in_reply_to }),
});

/** The same note without the names that wrote its posts: its owner may not read the private room any more, or the post is not stored. */
function withoutAuthors(note: Record<string, unknown>): Record<string, unknown> {
  const { by: _by, by_claimed: _by_claimed, last: _last, ...rest } = note;
  return rest;
}

const isOfPrivateRoom = ({ room }: StoredNote): boolean => typeof room === "string" && isPrivateSlug(room);

/**
 * Adds to each note what it shows of its post or its job. A note does not show the number of a post that is not stored any more, nor of a post
 * in a private room that its owner may not read any more who wrote it.
 */
export async function withExcerpts(
  owner: string,
  notes: StoredNote[],
  sources: ExcerptSources,
  clock: Clock,
): Promise<Note[]> {
  const posts = await readAll(
    notes.flatMap((note) => [latestKeyOf(note), keyOf(note.room, note.first?.n)]),
    (keys) => sources.posts(owner, keys.map(refOf)),
    ({ room, n }) => `${room}#${n}`,
    clock,
  );
  const mentions = notes.some(({ also_lengths }) => also_lengths !== undefined)
    ? await readAll(
        notes.map(({ room, n, also_lengths }) => also_lengths && keyOf(room, n)),
        (keys) => sources.mentions(owner, keys.map(refOf)),
        ({ room, n }) => `${room}#${n}`,
        clock,
      )
    : null;
  const postOf = (room: unknown, n: number | undefined) => posts.get(keyOf(room, n) ?? "");
  const numbered = (room: unknown, { n, ...event }: RoomEvent): RoomEvent =>
    postOf(room, n) ? { ...event, n } : event;
  /** The first event of a note. Of a note that was read in part, it is read with the post; undefined if that is not stored. */
  const firstOf = (room: unknown, first: RoomEvent): RoomEvent | undefined => {
    if ("post" in first) return numbered(room, first);
    const { kind, n } = first as RoomEvent;
    const post = postOf(room, n);
    return post && { kind, ...eventAt(post) };
  };
  const jobs = await readAll(
    notes.map(({ job }) => job as string | undefined),
    (ids) => sources.jobs(padded(ids), excerpt_chars_max + 1),
    ({ id }) => id,
    clock,
  );
  return notes.map((stored) => {
    const {
      n,
      posts: _posts,
      read_from: _read_from,
      excerpt_from,
      also_lengths,
      first: begun,
      ...note
    } = stored;
    const post = postOf(note.room, n);
    const { beginning } = post ?? jobs.get(note.job as string) ?? {};
    const first = begun && firstOf(note.room, begun);
    if (n !== undefined && !post && isOfPrivateRoom(stored)) return withoutAuthors(note) as Note;
    const others = also_lengths && mentions?.get(keyOf(note.room, n) ?? "");
    return {
      ...note,
      ...namedPosts(stored, post),
      ...(post && { n }),
      ...(post?.in_reply_to_n && { [in_reply_to_n]: post.in_reply_to_n }),
      ...excerptOf(beginning, excerpt_from),
      ...(others && othersOf(others, also_lengths)),
      ...(post?.unlisted && { unlisted: true as const }),
      ...(first && { first }),
      ...(note.last && { last: numbered(note.room, note.last) }),
    } as Note;
  });
}
