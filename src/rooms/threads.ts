/** Nests replies below the posts that they answer. */

import { cutAtWord } from "../core/text.ts";
import { answeredBy } from "./answered.ts";
import type { PostExcerpt } from "../mailbox/excerpts.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { Quote, ThreadPost } from "../api/rooms/pages.ts";
import { room_internal_limits } from "./limits.ts";

type Elsewhere = ReadonlyMap<string, PostExcerpt>;

const cut = (text: string | null): string | null =>
  text === null ? null : cutAtWord(text, room_internal_limits.quoted_chars);

/** The quote of a post. */
export const quoteOf = ({ id, n, name, claimed, body }: Post, is_here: boolean): Quote => ({
  id,
  n,
  name,
  claimed,
  text: cut(body),
  is_here,
});

const quoteFrom = ({ id, n, name, claimed, beginning }: PostExcerpt): Quote => ({
  id,
  n,
  name,
  claimed,
  text: cut(beginning),
  is_here: false,
});

/**
 * `posts`, which are in the order of time, as a tree of at most `reply_depth_max` levels of replies. A reply to a post of the
 * deepest level is beside that post, and a reply to a post of another page is at the top; both quote it. `elsewhere`: the
 * posts of other pages that are answered, by id. `opening`: the first post of the room, if it is above them.
 */
export function threadOf(posts: Post[], elsewhere: Elsewhere, opening: Post | null = null): ThreadPost[] {
  const top: ThreadPost[] = [];
  const placed = new Map<string, { node: ThreadPost; siblings: ThreadPost[]; depth: number }>();
  for (const post of posts) {
    const parent = placed.get(post.in_reply_to ?? "");
    const is_below = parent !== undefined && parent.depth < room_internal_limits.reply_depth_max;
    const siblings = is_below ? parent.node.replies : (parent?.siblings ?? top);
    const depth = is_below ? parent.depth + 1 : (parent?.depth ?? 0);
    const quoted = parent?.node.post ?? (post.in_reply_to === opening?.id ? opening : undefined);
    const quote = is_below ? null : quoted ? quoteOf(quoted, true) : quoteElsewhere(post, elsewhere);
    const node = { post, quote, replies: [] };
    siblings.push(node);
    placed.set(post.id, { node, siblings, depth });
  }
  return top;
}

/** The same posts one after the other. Each reply quotes its post, because it is not known what the page that takes them shows. */
export function flatPosts(posts: Post[], elsewhere: Elsewhere): ThreadPost[] {
  const here = new Map(posts.map((post) => [post.id, post]));
  return posts.map((post) => {
    const parent = here.get(post.in_reply_to ?? "");
    return { post, quote: parent ? quoteOf(parent, false) : quoteElsewhere(post, elsewhere), replies: [] };
  });
}

/** A post without an entry in `elsewhere` was removed. */
function quoteElsewhere(post: Post, elsewhere: Elsewhere): Quote | null {
  const { in_reply_to: id } = post;
  if (id === null) return null;
  const parent = elsewhere.get(id);
  if (parent) return quoteFrom(parent);
  const n = answeredBy(post);
  if (n === undefined) return null;
  return { id, n, name: "", claimed: false, text: null, is_here: false, is_removed: true };
}
