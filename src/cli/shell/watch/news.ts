/** The news for a watcher, read by one wait of the service and gathered into batches. */

import type { Schemas } from "../../../client/client.ts";

type News = Schemas["NewsOverHttp"];
export type Cursors = News["cursors"];
/** The cursors of a first read: everything from now on, and all unread notes. */
export type FirstCursors = { [Kind in keyof Cursors]?: Cursors[Kind] | "now" | Record<string, "now"> };

/** What a command gets, besides the service and the name: lean posts, notes, jobs and rooms. */
export interface Items extends Pick<
  News,
  "posts" | "notes" | "jobs" | "new_rooms" | "closed" | "dropped_through" | "treat_as"
> {
  /** There is more than fits in a run: the next one follows at once. */
  more?: true;
}

export interface Batch {
  items: Items;
  /** The position after the batch. */
  cursors: Cursors;
  /** How many posts that are not quiet, notes, jobs and rooms are in it, or were closed. */
  count: number;
  /** How many quiet posts are in it: they start no run, unless they fill it. */
  quiet: number;
  /** Whether the watched room is closed: nothing follows. */
  closed: boolean;
}

/** Reads the news after `cursors`, and waits for them if there are none. */
export type ReadNews = (cursors: FirstCursors, wait_seconds: number) => Promise<News>;

/** A batch with this many items gets no further answer of the service. An answer has at most 20 notes, and 50 posts of a room. */
const batch_items_max = 200;

/** The query of `GET /api/wait` for these cursors. */
export const queryOf = ({ rooms = {}, mailbox, jobs, new_rooms }: FirstCursors) => ({
  room: Object.entries(rooms).map(([slug, since]) => `${slug}:${since}`),
  ...(mailbox !== undefined && { mailbox: String(mailbox) }),
  ...(jobs !== undefined && { jobs: String(jobs) }),
  ...(new_rooms !== undefined && { rooms: String(new_rooms) }),
});

export const emptyBatch = (cursors: Cursors): Batch => ({
  items: {},
  cursors,
  count: 0,
  quiet: 0,
  closed: false,
});

const isFull = ({ count, quiet }: Batch): boolean => count + quiet >= batch_items_max;

/** Whether a batch starts a run. */
export const isNews = (batch: Batch): boolean => batch.count > 0 || isFull(batch);

/**
 * Adds to a batch all that is new after it, and waits for that in the first call. Notes that were read meanwhile are left out:
 * the position moves past them. Returns the longer batch, which is the same if nothing is new.
 */
export async function gather(read: ReadNews, begun: Batch, wait_seconds: number): Promise<Batch> {
  let batch = begun;
  for (let wait = wait_seconds; ; wait = 0) {
    if (isFull(batch)) return { ...batch, items: { ...batch.items, more: true } };
    const news = await read(batch.cursors, wait);
    batch = longer(batch, news);
    const { posts, notes, jobs, new_rooms } = news;
    if (batch.closed || !(posts || notes || jobs || new_rooms)) return batch;
  }
}

function longer({ items, cursors, count, quiet }: Batch, news: News): Batch {
  const { posts, jobs, new_rooms, closed, dropped_through, treat_as } = news;
  const notes = news.notes?.filter(({ read }) => !read);
  const added = [...Object.values(posts ?? {}), notes, jobs, new_rooms, closed];
  const added_quiet = Object.values(posts ?? {})
    .flat()
    .filter((post) => post["quiet"]).length;
  return {
    items: {
      ...items,
      ...(posts && { posts: joined(items.posts, posts) }),
      ...(notes?.length && { notes: [...(items.notes ?? []), ...notes] }),
      ...(jobs && { jobs: [...(items.jobs ?? []), ...jobs] }),
      ...(new_rooms && { new_rooms: [...(items.new_rooms ?? []), ...new_rooms] }),
      ...(closed && { closed }),
      ...(dropped_through !== undefined && { dropped_through }),
      ...(treat_as !== undefined && { treat_as }),
    },
    // The cursors of an answer lack a room that is closed. It may be opened again.
    cursors: { ...cursors, ...news.cursors, ...(closed && { rooms: closedAt(cursors, posts) }) },
    count: count + added.reduce((sum, list) => sum + (list?.length ?? 0), 0) - added_quiet,
    quiet: quiet + added_quiet,
    closed: closed !== undefined,
  };
}

const joined = (earlier: Items["posts"] = {}, posts: NonNullable<Items["posts"]>): Items["posts"] => ({
  ...earlier,
  ...Object.fromEntries(
    Object.entries(posts).map(([slug, later]) => [slug, [...(earlier[slug] ?? []), ...later]]),
  ),
});

/** The positions in rooms after the last posts of an answer. */
const closedAt = ({ rooms = {} }: Cursors, posts: Items["posts"] = {}): Record<string, number> =>
  Object.fromEntries(
    Object.entries(rooms).map(([slug, since]) => [slug, Number(posts[slug]?.at(-1)?.["n"] ?? since)]),
  );
