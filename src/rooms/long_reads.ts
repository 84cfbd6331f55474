/** The reads of posts that are too many to be held in memory. */

import type { Cache } from "../core/cache.ts";
import { room_limits } from "./limits.ts";
import { findLongPage, firstNotBefore, mayBeLong, type LongPage } from "./long_pages.ts";
import type { Position } from "./positions.ts";
import type { ReadQuery } from "./queries.ts";
import type { Post } from "./schema.ts";
import { postChunks, type SliceDeps } from "./slices.ts";
import { roomTopic } from "./slug.ts";

/** A long page, and its posts as they are read. */
export type LongRead = LongPage & { chunks: AsyncGenerator<Post[]> };

/** `pages`: a cache of long pages without their posts; null under a key says that its page is not long. */
export const createLongReads = (deps: SliceDeps, pages: Cache<LongPage | null>) => ({
  /** The page that `read` would return, with its posts in chunks, if it is too long to be held in memory; else null. */
  async readLong(query: ReadQuery): Promise<LongRead | null> {
    const { room, since, before, limit = room_limits.posts_page_default, proof } = query;
    if (!mayBeLong(limit)) return null;
    const key = [room, since, before, limit, proof].join("\n");
    const long = await pages.get(roomTopic(room), key, () =>
      deps.storage.read((tx) => findLongPage(tx, query)),
    );
    if (!long) return null;
    const chunks = postChunks(deps, { room, proof, after: long.first - 1, through: long.last });
    return { ...long, chunks };
  },

  /** The same position as `before` for all that equal it; undefined after all posts (see `firstNotBefore`). */
  firstNotBefore: (room: string, before: Position): Promise<number | undefined> =>
    deps.storage.read((tx) => firstNotBefore(tx, room, before)),

  /** All posts of a room, oldest first, in chunks. `proof`: with their salts. */
  posts: (room: string, { proof = false } = {}): AsyncGenerator<Post[]> => postChunks(deps, { room, proof }),
});
