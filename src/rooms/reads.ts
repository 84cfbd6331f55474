/** The reads of posts: pages, waits for them, and posts that are too many to be held in memory. */

import { mapChunks, type Chunks } from "../core/chunks.ts";
import { readerOf, type Caller } from "../core/caller.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import { Turns } from "../core/turns.ts";
import type { WaitOptions, Waits } from "../core/waits.ts";
import type { createRoomCaches } from "./caches.ts";
import { findLongPage, firstNotBefore, pageBytesMax, type LongPage } from "./long_pages.ts";
import type { Position } from "./positions.ts";
import type { LeaseReads, ReadQuery } from "./queries.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { postChunks, readPage, type ChunkQuery, type PageQuery, type SliceDeps } from "./slices.ts";
import type { Admission } from "./members/admission.ts";
import { roomNotFound } from "./members/roles.ts";
import { roomTopic, type ReadableSlug } from "./slug.ts";
import type { RoomPage } from "./representations.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

/** Whether a post is the caller's own. */
export type IsOwn = (post: Pick<Post, "name" | "claimed">) => boolean;

interface ReadOptions extends WaitOptions {
  /** Is admitted again at each read of a wait: a member may be removed meanwhile. */
  reader: Caller;
  /** Leaves out the caller's own posts: they do not end a wait. */
  isOwn?: IsOwn | undefined;
}

const isQuiet = ({ quiet }: Post): boolean => quiet === true;

/** Whether a wait ends with this page. Quiet posts end none, unless they fill the page. */
const isNews = ({ posts, room, more }: RoomPage): boolean =>
  room.closed_at !== null || (posts.length > 0 && (more || !posts.every(isQuiet)));

/** A long page, and its posts as they are read. */
export type LongRead = LongPage & { chunks: Chunks<Post[]> };

export function createReads(
  deps: SliceDeps & { waits: Waits; leases: LeaseReads; admission: Pick<Admission, "admit" | "stillReads"> },
  { pages, long_pages }: Pick<ReturnType<typeof createRoomCaches>, "pages" | "long_pages">,
) {
  const { storage, clock, waits, admission } = deps;
  const measuring = new Turns(clock, room_internal_limits.long_measures_per_turn);

  function readAll(query: PageQuery): Ready<RoomPage> {
    const { room, since, before, limit, proof, chars_max } = query;
    const key = [room, since, before, limit, proof, chars_max].join("\n");
    return pages.getReady(roomTopic(room), key, () => readPage(deps, query));
  }

  /** A page without own posts: after `since`, the first one that has another post, or else the last one. */
  async function readOthers(query: PageQuery, isOwn: IsOwn): Promise<RoomPage> {
    let page = await readAll(query);
    while (query.since !== undefined && page.more && page.posts.every(isOwn)) {
      page = await readAll({ ...query, since: page.next_n });
    }
    return page.posts.some(isOwn) ? { ...page, posts: page.posts.filter((post) => !isOwn(post)) } : page;
  }

  /** What reads a page for a wait: `readPage`, as long as the reader is admitted. */
  const readAdmitted =
    (reader: Caller, room: ReadableSlug, readPage: () => Ready<RoomPage>) => async (): Promise<RoomPage> => {
      await admission.admit(reader, room);
      return readPage();
    };

  /** A page of posts. With `wait_seconds`, waits for a post or the closing of the room if the page is empty, or has quiet posts only. */
  const read = async (query: PageQuery, options?: ReadOptions): Promise<RoomPage> => {
    if (!options) return readAll(query);
    const { isOwn, reader, ...wait } = options;
    const readAgain = readAdmitted(reader, query.room, () => readNow(query, isOwn));
    return waits.readUntil(roomTopic(query.room), wait, readAgain, isNews);
  };

  /**
   * The first post of a page, which says whether the page has news; the page itself if the post is quiet and others follow. All callers
   * that wait for the same page share one cached answer.
   */
  async function readFirst(query: ReadQuery): Promise<RoomPage> {
    const first = await readAll({ ...query, limit: 1 });
    const is_undecided = first.more && first.posts.every(isQuiet);
    return is_undecided ? readAll({ ...query, chars_max: room_internal_limits.whole_page_bytes_max }) : first;
  }

  const readNow = (query: PageQuery, isOwn: IsOwn | undefined): Ready<RoomPage> =>
    isOwn ? readOthers(query, isOwn) : readAll(query);

  /** The page if it is long, without its posts; else about how many bytes it has at most. */
  function measured(query: ReadQuery): Ready<LongPage | number> {
    const { room, since, before, limit = room_limits.posts_page_default, proof } = query;
    if (pageBytesMax(limit) <= room_internal_limits.unmeasured_page_bytes_max) return pageBytesMax(limit);
    const key = [room, since, before, limit, proof].join("\n");
    return long_pages.getReady(roomTopic(room), key, async () => {
      if (limit > room_internal_limits.short_measure_posts_max) await measuring.next();
      return storage.read((tx) => findLongPage(tx, query, deps.leases));
    });
  }

  /** Posts in chunks. A private room throws `room_not_found` when its reader may read it no more. */
  function chunksFor(caller: Caller, query: ChunkQuery): Chunks<Post[]> {
    const chunks = postChunks(deps, query);
    if (!isPrivateSlug(query.room)) return chunks;
    const reader = readerOf(caller);
    // Looked up after a chunk is read, and at each node: then it has no post from after a removal or the end of a grant.
    return mapChunks(chunks, async (posts) => {
      if (!reader || !(await admission.stillReads(reader, query.room))) throw roomNotFound();
      return posts;
    });
  }

  return {
    read,

    /** The page without leases, as the database has it now: a cached one may not have a post of another node yet. */
    readStored: (query: PageQuery): Promise<RoomPage> => readPage({ storage, clock, leases: null }, query),

    isNews,

    /** Waits for a post or the closing of the room if the page is empty. Throws what a read of the page throws. */
    async wait(query: ReadQuery, { reader, ...wait }: ReadOptions): Promise<void> {
      const readAgain = readAdmitted(reader, query.room, () => readFirst(query));
      await waits.readUntil(roomTopic(query.room), wait, readAgain, isNews);
    },

    /**
     * The same. Before it reads a page, it calls `reserve` with about how many bytes that has. While it waits, it holds no memory:
     * it calls what `reserve` returned.
     */
    readReserved(
      query: PageQuery,
      options: ReadOptions,
      reserve: (bytes: number) => Ready<() => void>,
    ): Ready<RoomPage> {
      const { wait_seconds = 0, isOwn } = options;
      return whenReady(measured(query), (found) => {
        const bytes = typeof found === "number" ? found : found.bytes;
        const reserved = reserve(Math.min(bytes, 2 * (query.chars_max ?? Infinity)));
        return whenReady(reserved, (free) =>
          whenReady(readNow(query, isOwn), (page) => {
            // It may have waited for memory.
            if (wait_seconds === 0 || isNews(page))
              return whenReady(admission.admit(options.reader, query.room), () => page);
            free();
            return read(query, options);
          }),
        );
      });
    },

    /**
     * The page that `read` would return, with its posts in chunks, if it is too long to be held in memory; else about how many
     * bytes it has at most.
     */
    async readLong(query: ReadQuery, reader: Caller): Promise<LongRead | number> {
      const long = await measured(query);
      if (typeof long === "number") return long;
      const { room, proof } = query;
      const chunks = chunksFor(reader, { room, proof, after: long.first - 1, through: long.last });
      return { ...long, chunks };
    },

    /** The same position as `before` for all that equal it; undefined after all posts (see `firstNotBefore`). */
    firstNotBefore: (room: ReadableSlug, before: Position): Promise<number | undefined> =>
      storage.read((tx) => firstNotBefore(tx, room, before)),

    /** All posts of a room, oldest first, in chunks, as `chunksFor`. `proof`: with their salts. */
    posts: (room: ReadableSlug, reader: Caller, { proof = false } = {}): Chunks<Post[]> =>
      chunksFor(reader, { room, proof }),
  };
}
