/** What notes show of the posts and jobs that they are about. It is read with each page, so a redaction removes it. */

import { cutAtWord } from "../core/text.ts";
import type { Clock } from "../core/clock.ts";
import { in_reply_to_n, type Note, type RoomEvent } from "../api/mailbox.ts";
import { mailbox_limits } from "../api/limits.ts";
import { mailbox_internal_limits } from "./limits.ts";

/** A post by the slug of its room and its number. */
interface PostRef {
  room: string;
  n: number;
}

export interface PostExcerpt extends PostRef {
  /** The beginning of the text; null if the post is redacted. */
  beginning: string | null;
  /** The number of the post that it answers. */
  in_reply_to_n: number | null;
  unlisted: boolean;
}

export interface JobExcerpt {
  id: string;
  /** The beginning of the result, or of the detail of a job that is not delivered. */
  beginning: string;
}

/**
 * Read the posts or jobs among those named, with at least `excerpt_chars_max + 1` code points of their texts: one more shows whether
 * there is a rest.
 */
export interface ExcerptSources {
  posts(posts: readonly PostRef[]): Promise<PostExcerpt[]>;
  /** `ids` has one of a few lengths, so that there are few prepared statements; empty ids are to be ignored. */
  jobs(ids: string[], chars: number): Promise<JobExcerpt[]>;
}

const { excerpt_chars_max } = mailbox_limits;
const { excerpts_per_read, few_excerpts_per_read } = mailbox_internal_limits;

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

const excerptOf = (beginning: string | null | undefined) =>
  beginning ? { excerpt: cutAtWord(beginning, excerpt_chars_max) } : {};

/** The post of a note, or of an event in one, as a key: a slug has no "#". */
const keyOf = (room: unknown, n: number | undefined): string | undefined =>
  typeof room === "string" && n !== undefined ? `${room}#${n}` : undefined;

function refOf(key: string): PostRef {
  const [room, n] = key.split("#") as [string, string];
  return { room, n: Number(n) };
}

/** Adds to each note what it shows of its post or its job. A note does not show the number of a post that is not stored any more. */
export async function withExcerpts(notes: Note[], sources: ExcerptSources, clock: Clock): Promise<Note[]> {
  const posts = await readAll(
    notes.flatMap(({ room, n, first }) => [keyOf(room, n), keyOf(room, first?.n)]),
    (keys) => sources.posts(keys.map(refOf)),
    ({ room, n }) => `${room}#${n}`,
    clock,
  );
  const postOf = (room: unknown, n: number | undefined) => posts.get(keyOf(room, n) ?? "");
  const numbered = (room: unknown, { n, ...event }: RoomEvent): RoomEvent =>
    postOf(room, n) ? { ...event, n } : event;
  const jobs = await readAll(
    notes.map(({ job }) => job as string | undefined),
    (ids) => sources.jobs(padded(ids), excerpt_chars_max + 1),
    ({ id }) => id,
    clock,
  );
  return notes.map(({ n, ...note }) => {
    const post = postOf(note.room, n);
    const { beginning } = post ?? jobs.get(note.job as string) ?? {};
    return {
      ...note,
      ...(post && { n }),
      ...(post?.in_reply_to_n && { [in_reply_to_n]: post.in_reply_to_n }),
      ...excerptOf(beginning),
      ...(post?.unlisted && { unlisted: true as const }),
      ...(note.first && { first: numbered(note.room, note.first) }),
      ...(note.last && { last: numbered(note.room, note.last) }),
    } as Note;
  });
}
