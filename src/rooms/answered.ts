/**
 * The number of the post that a post replies to, beside the post: the full JSON of a post has the id alone. (JSON.stringify
 * takes three times as long for objects with a member that it leaves out.)
 */

import type { Post } from "../api/rooms/rooms.ts";

const numbers = new WeakMap<Post, number>();

/** Sets the number of the answered post. Returns the post. */
export function withAnswered(post: Post, n: number): Post {
  numbers.set(post, n);
  return post;
}

/** The number of the post that `post` replies to; undefined if it is no reply, or a copy of a stored post. */
export const answeredBy = (post: Post): number | undefined => numbers.get(post);
