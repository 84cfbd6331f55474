/** All posts of a room in chunks that are short, whatever the posts are: whoever is slow to take the next one keeps one. */

import { limits } from "../core/limits.ts";
import type { ReadQuery, RoomPage } from "./queries.ts";
import type { Post } from "./schema.ts";

/** How many posts are asked for at first. */
const posts_first = 20;

type ChunkQuery = ReadQuery & { since: string; limit: number };

interface PostsChunk {
  posts: Post[];
  /** What to ask for the next chunk; null at the end. */
  next: ChunkQuery | null;
}

/** The posts of a room, oldest first. `read` reads one page. */
export async function* postChunks(
  query: ReadQuery,
  read: (query: ReadQuery) => Promise<RoomPage>,
): AsyncGenerator<Post[]> {
  let asked: ChunkQuery | null = { ...query, since: "1970-01-01T00:00:00.000Z", limit: posts_first };
  while (asked) {
    const { posts, next } = await chunkOf(asked, read);
    if (posts.length > 0) yield posts;
    asked = next;
  }
}

async function chunkOf(
  query: ChunkQuery,
  read: (query: ReadQuery) => Promise<RoomPage>,
): Promise<PostsChunk> {
  const page = await read(query);
  const posts = page.posts.slice(0, countThatFits(page.posts));
  if (!page.more && posts.length === page.posts.length) return { posts, next: null };
  // The next ones are likely to be as long as these.
  const likely = posts.length === query.limit ? 2 * query.limit : posts.length + 1;
  return {
    posts,
    next: { ...query, since: posts.at(-1)!.ts, limit: Math.min(likely, limits.posts_per_slice) },
  };
}

/** How many posts, from the first on, make one chunk; one at least, if there is one. */
function countThatFits(posts: Post[]): number {
  let chars = 0;
  const end = posts.findIndex(
    ({ body }, i) => (chars += body?.length ?? 0) > limits.posts_chunk_chars_max && i > 0,
  );
  return end === -1 ? posts.length : end;
}
