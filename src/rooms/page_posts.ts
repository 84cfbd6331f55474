/** What the pages of a room show: some of its posts, the posts that they answer, and where the pages around them begin. */

import { answeredBy } from "./answered.ts";
import type { ShownLeases } from "../api/leases.ts";
import type { PostExcerpt } from "../mailbox/excerpts.ts";
import type { RoomRecord } from "./representations.ts";
import type { Rooms } from "./rooms.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { ReadableSlug } from "./slug.ts";
import { cutPage } from "./slices.ts";
import { room_internal_limits } from "./limits.ts";

/** Posts of a room, oldest first, and the posts on other pages that they answer, by id. */
export interface ShownPosts {
  room: RoomRecord;
  posts: Post[];
  elsewhere: Map<string, PostExcerpt>;
  /** The first post of the room, above later ones: only on the newest page. */
  opening: Post | null;
}

export interface PagePosts extends ShownPosts {
  /** Who holds what: only on the newest page. */
  leases?: ShownLeases;
  /** The pages around, as the number of the post before which they end; null if there is none. */
  earlier: number | null;
  newer: number | null;
}

const { page_posts: limit, whole_thread_posts, whole_thread_text_bytes_max } = room_internal_limits;
const cutToPage = (page: Parameters<typeof cutPage>[0], is_latest: boolean) =>
  cutPage(page, is_latest, room_internal_limits.page_text_bytes_max, bytesOf);
const bytesOf = ({ body }: Post): number => (body === null ? 0 : Buffer.byteLength(body));

export function createPageReads(rooms: Rooms) {
  /** The posts that `posts` answer and that are neither among them nor the opening one, in one query. */
  async function elsewhereOf(
    room: ReadableSlug,
    posts: Post[],
    opening: Post | null = null,
  ): Promise<Map<string, PostExcerpt>> {
    const here = new Set([...posts, ...(opening ? [opening] : [])].map(({ n }) => n));
    const answered = posts.flatMap((post) => {
      const n = answeredBy(post);
      return n === undefined || here.has(n) ? [] : { room, n };
    });
    if (answered.length === 0) return new Map();
    return new Map((await rooms.excerpts(answered)).map((post) => [post.id, post]));
  }

  /** The page that begins after post `n`, as the number of the post before which it ends; null if there is no later post. */
  async function pageAfter(room: ReadableSlug, n: number): Promise<number | null> {
    const { posts } = cutToPage(await rooms.read({ room, limit, since: n }), false);
    return posts.length > 0 ? posts.at(-1)!.n + 1 : null;
  }

  /** The page that ends before post `before`; the newest one if there is no such post. Throws `room_not_found`. */
  async function page(room: ReadableSlug, before?: number): Promise<PagePosts> {
    const is_newest = before === undefined || before > (await rooms.find(room)).posts;
    const read = cutToPage(await rooms.read({ room, limit, before: is_newest ? undefined : before }), true);
    let { posts } = read;
    const last = posts.at(-1)?.n ?? 0;
    const newer = is_newest || last === read.room.posts ? null : await pageAfter(room, last);
    const is_long = newer === null && posts.length > 0 && posts[0]!.n > 1;
    // Null if it was removed.
    let opening = is_long && read.room.removed_through === 0 ? await rooms.post(room, 1) : null;
    if (opening && posts[0]!.n === 2) [posts, opening] = [[opening, ...posts], null];
    return {
      room: read.room,
      posts,
      opening,
      elsewhere: await elsewhereOf(room, posts, opening),
      earlier: posts.length > 0 && posts[0]!.n > read.room.removed_through + 1 ? posts[0]!.n : null,
      newer,
      ...(newer === null && read.leases && { leases: read.leases }),
    };
  }

  return {
    page,

    /** The earliest posts of a room: all of them if they fit. Throws `room_not_found`. */
    async whole(room: ReadableSlug): Promise<PagePosts> {
      const chars_max = whole_thread_text_bytes_max + 1_000 * whole_thread_posts;
      const read = cutPage(
        await rooms.read({ room, limit: whole_thread_posts, since: 0, chars_max }),
        false,
        whole_thread_text_bytes_max,
        bytesOf,
      );
      const { posts } = read;
      const last = posts.at(-1)?.n ?? 0;
      return {
        room: read.room,
        posts,
        opening: null,
        elsewhere: await elsewhereOf(room, posts),
        earlier: null,
        newer: last === read.room.posts ? null : await pageAfter(room, last),
      };
    },

    /** The earliest posts after number `n`, and whether there are more. Throws `invalid_fields` if there is no post `n`. */
    async after(room: ReadableSlug, n: number): Promise<ShownPosts & { more: boolean }> {
      const read = cutToPage(await rooms.read({ room, limit, since: n }), false);
      return {
        room: read.room,
        posts: read.posts,
        opening: null,
        elsewhere: await elsewhereOf(room, read.posts),
        more: read.more,
      };
    },

    /** One post alone. Throws `post_not_found` or `post_removed`. */
    async alone(room: ReadableSlug, n: number): Promise<ShownPosts> {
      const { room: record, post } = await rooms.postIn(room, n);
      return { room: record, posts: [post], opening: null, elsewhere: await elsewhereOf(room, [post]) };
    },

    /** The `before` of the page on which post `n` is; null if that is the newest page. */
    async pageWith(room: ReadableSlug, n: number): Promise<number | null> {
      const newest = await page(room);
      if (newest.posts.length > 0 && newest.posts[0]!.n <= n) return null;
      // Pages between fixed numbers are the same for all posts on them. Long texts can make such a page too short.
      const fixed = Math.ceil(n / limit) * limit + 1;
      return (await page(room, fixed)).posts[0]!.n <= n ? fixed : n + 1;
    },
  };
}
