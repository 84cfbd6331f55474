/** What notes show of the posts and jobs that they are about. It is read with each page, so a redaction removes it. */

import { cutAtWord } from "../core/text.ts";
import type { Clock } from "../core/clock.ts";
import { in_reply_to_n, type Note, type RoomEvent } from "../api/mailbox.ts";
import { mailbox_limits } from "../api/limits.ts";
import { mailbox_internal_limits } from "./limits.ts";

export interface PostExcerpt {
  id: string;
  /** The beginning of the text; null if the post is redacted. */
  beginning: string | null;
  /** The number of the post, and the number of the post that it answers. */
  n: number;
  in_reply_to_n: number | null;
  unlisted: boolean;
}

export interface JobExcerpt {
  id: string;
  /** The beginning of the result, or of the detail of a job that is not delivered. */
  beginning: string;
}

/**
 * Reads the posts or jobs among `ids`, with the first `chars` code points of their texts. `ids` has one of a few lengths, so
 * that there are few prepared statements; empty ids are to be ignored.
 */
type ReadExcerpts<Excerpt> = (ids: string[], chars: number) => Promise<Excerpt[]>;

export interface ExcerptSources {
  posts: ReadExcerpts<PostExcerpt>;
  jobs: ReadExcerpts<JobExcerpt>;
}

const { excerpt_chars_max } = mailbox_limits;
const { excerpts_per_read, few_excerpts_per_read } = mailbox_internal_limits;

/** The excerpts for `ids`, by id. Yields to the event loop between reads. */
async function readAll<Excerpt extends { id: string }>(
  ids: Iterable<string | undefined>,
  read: ReadExcerpts<Excerpt>,
  clock: Clock,
): Promise<Map<string, Excerpt>> {
  const wanted = [...new Set(ids)].filter((id) => id !== undefined);
  const found = new Map<string, Excerpt>();
  for (let begin = 0; begin < wanted.length; begin += excerpts_per_read) {
    if (begin > 0) await clock.turn();
    const some = wanted.slice(begin, begin + excerpts_per_read);
    const length = some.length <= few_excerpts_per_read ? few_excerpts_per_read : excerpts_per_read;
    const padded = Array.from({ length }, (_, i) => some[i] ?? "");
    // One code point more shows whether there is a rest.
    for (const excerpt of await read(padded, excerpt_chars_max + 1)) found.set(excerpt.id, excerpt);
  }
  return found;
}

const excerptOf = (beginning: string | null | undefined) =>
  beginning ? { excerpt: cutAtWord(beginning, excerpt_chars_max) } : {};

/** Adds to each note what it shows of its post or its job. */
export async function withExcerpts(notes: Note[], sources: ExcerptSources, clock: Clock): Promise<Note[]> {
  const posts = await readAll(
    notes.flatMap(({ post, first }) => [post as string | undefined, first?.post]),
    sources.posts,
    clock,
  );
  const numbered = (event: RoomEvent): RoomEvent => {
    const n = posts.get(event.post)?.n;
    return n === undefined ? event : { ...event, n };
  };
  const jobs = await readAll(
    notes.map(({ job }) => job as string | undefined),
    sources.jobs,
    clock,
  );
  return notes.map((note) => {
    const post = posts.get(note.post as string);
    const { beginning } = post ?? jobs.get(note.job as string) ?? {};
    return {
      ...note,
      ...(post && { n: post.n }),
      ...(post?.in_reply_to_n && { [in_reply_to_n]: post.in_reply_to_n }),
      ...excerptOf(beginning),
      ...(post?.unlisted && { unlisted: true as const }),
      ...(note.first && { first: numbered(note.first) }),
      ...(note.last && { last: numbered(note.last) }),
    };
  });
}
