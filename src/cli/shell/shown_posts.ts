/** Posts of a room as `wharf read` shows them. */

import { orThrow, type Schemas } from "../../client/client.ts";
import type { ShellContext } from "./shell_command.ts";
import { postLines } from "./texts.ts";

/** The numbers of posts, by id. */
export type Numbers = Map<string, number>;

/** Shows `posts`, which follow one another in the room. `numbers`: those of the posts that were shown before. */
export async function showPosts(
  shell: ShellContext,
  room: string,
  posts: Schemas["Post"][],
  numbers: Numbers = new Map(),
): Promise<void> {
  await addNumbers(shell, room, numbers, posts);
  for (const post of posts) shell.show(post, postLines(post, numbers.get(post.in_reply_to ?? "")));
}

/**
 * Adds the numbers of `posts`, which follow one another in the room, and for a reader those of the posts that they answer. A post names
 * the other by its id: the lean form has the number.
 */
async function addNumbers(
  { client, is_json }: ShellContext,
  room: string,
  numbers: Numbers,
  posts: Schemas["Post"][],
): Promise<void> {
  for (const { id, n } of posts) numbers.set(id, n);
  const is_known = posts.every(({ in_reply_to: id }) => id === null || numbers.has(id));
  if (is_json || is_known) return;
  const query = { since: String(posts[0]!.n - 1), limit: posts.length, fields: "lean" } as const;
  const lean = await orThrow(client.get("/api/meet/rooms/{room}", { path: { room }, query }));
  const answered = new Map(lean.posts.map(({ n, in_reply_to }) => [n, in_reply_to]));
  for (const { n, in_reply_to: id } of posts) {
    const number = answered.get(n);
    if (id !== null && number !== undefined) numbers.set(id, number);
  }
}
