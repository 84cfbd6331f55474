/** All posts of a room in chunks of bounded size, so that a slow reader keeps little in memory. */

import { room_limits } from "./limits.ts";
import type { ReadQuery, RoomPage } from "./queries.ts";
import type { Post } from "./schema.ts";

/** Number of posts in the first page. */
const posts_first = 20;

type ChunkQuery = ReadQuery & { since: string; limit: number };

interface PostsChunk {
  posts: Post[];
  /** The query for the next chunk; null at the end. */
  next: ChunkQuery | null;
}

/** The posts of a room, oldest first. `read` reads one page. */
export async function* postChunks(
  query: ReadQuery,
  read: (query: ReadQuery) => Promise<RoomPage>,
): AsyncGenerator<Post[]> {
  let next_query: ChunkQuery | null = { ...query, since: "1970-01-01T00:00:00.000Z", limit: posts_first };
  while (next_query) {
    const { posts, next } = await chunkOf(next_query, read);
    if (posts.length > 0) yield posts;
    next_query = next;
  }
}

async function chunkOf(
  query: ChunkQuery,
  read: (query: ReadQuery) => Promise<RoomPage>,
): Promise<PostsChunk> {
  const page = await read(query);
  const posts = page.posts.slice(0, countThatFits(page.posts));
  if (!page.more && posts.length === page.posts.length) return { posts, next: null };
  // Assume that the next posts are about as long as these.
  const likely = posts.length === query.limit ? 2 * query.limit : posts.length + 1;
  return {
    posts,
    next: { ...query, since: posts.at(-1)!.ts, limit: Math.min(likely, room_limits.posts_per_slice) },
  };
}

/** The number of posts, from the first on, that fit into one chunk; at least one. */
function countThatFits(posts: Post[]): number {
  let chars = 0;
  const end = posts.findIndex(
    ({ body }, i) => (chars += body?.length ?? 0) > room_limits.posts_chunk_chars_max && i > 0,
  );
  return end === -1 ? posts.length : end;
}
