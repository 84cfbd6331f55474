/** The lean form of posts. */

import { cutAtWord, oneLine } from "../core/text.ts";
import { toSecond } from "../core/text_form.ts";
import type { LeanPost } from "../api/rooms/lean.ts";
import { room_limits } from "../api/limits.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { answeredBy } from "./answered.ts";

/** What a reader wants of each post. */
export interface PostShape {
  /** The id, too. */
  ids?: boolean | undefined;
  /** The beginning of the text in one line, instead of the text. */
  digest?: boolean | undefined;
}

/** The beginning of a text in one line. */
export const digestOf = (body: string, chars: number = room_limits.post_digest_chars): string =>
  cutAtWord(oneLine(body), chars);

export function leanPost(post: Post, { ids, digest }: PostShape = {}): LeanPost {
  const in_reply_to = answeredBy(post);
  const lean: LeanPost = {
    n: post.n,
    ...(ids && { id: post.id }),
    name: post.name,
    ...(post.claimed && { claimed: true }),
    ts: toSecond(post.ts),
    ...(in_reply_to !== undefined && { in_reply_to }),
    ...(post.body !== null && (digest ? { digest: digestOf(post.body) } : { body: post.body })),
    ...(post.redacted && { redacted: post.redacted }),
    ...(post.commitment && { commitment: post.commitment }),
    ...(post.salt && { salt: post.salt }),
  };
  if (post.quiet) lean.quiet = true;
  return lean;
}
