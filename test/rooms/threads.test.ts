/** How replies are nested on the page of a room. */

import { expect, test } from "bun:test";
import type { PostExcerpt } from "../../src/mailbox/excerpts.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { flatPosts, threadOf } from "../../src/rooms/threads.ts";
import type { ThreadPost } from "../../src/api/rooms/pages.ts";

const post = (n: number, answers: number | null): Post => ({
  id: `id-${n}`,
  n,
  ts: "2026-03-01T12:00:00.000Z",
  room: "a-room",
  name: `name ${n}`,
  claimed: false,
  in_reply_to: answers === null ? null : `id-${answers}`,
  body: `text ${n} ${"word ".repeat(40)}`,
});
const nowhere = new Map<string, PostExcerpt>();

/** Each post as its number, with its replies: [1, [2, 3]]. */
type Shape = (number | Shape)[];
const shapeOf = (thread: ThreadPost[]): Shape =>
  thread.flatMap(({ post, replies }) => (replies.length ? [post.n, shapeOf(replies)] : [post.n]));
const all = (thread: ThreadPost[]): ThreadPost[] => thread.flatMap((shown) => [shown, ...all(shown.replies)]);
const depthOf = (thread: ThreadPost[]): number =>
  thread.length === 0 ? 0 : 1 + Math.max(...thread.map(({ replies }) => depthOf(replies)));

test("puts replies below the posts that they answer, in the order of time", () => {
  const posts = [post(1, null), post(2, 1), post(3, null), post(4, 1), post(5, 2)];
  const thread = threadOf(posts, nowhere);
  expect(shapeOf(thread)).toEqual([1, [2, [5], 4], 3]);
  expect(all(thread).map(({ quote }) => quote)).toEqual([null, null, null, null, null]);
});

test("nests to depth 6, and puts deeper replies beside their parent with a quote of it", () => {
  const thread = threadOf(
    Array.from({ length: 9 }, (_, i) => post(i + 1, i === 0 ? null : i)),
    nowhere,
  );
  expect(shapeOf(thread)).toEqual([1, [2, [3, [4, [5, [6, [7, 8, 9]]]]]]]);
  const [eighth] = all(thread).filter(({ post }) => post.n === 8);
  expect(eighth!.quote).toMatchObject({ n: 7, name: "name 7", is_here: true });
  expect(eighth!.quote!.text).toStartWith("text 7 word");
  expect(eighth!.quote!.text!.length).toBeLessThanOrEqual(100);
});

test("puts replies to posts of other pages at the top, with a quote of them", () => {
  const beginning = {
    name: "Ada",
    claimed: true,
    beginning: null,
    in_reply_to_n: null,
    unlisted: false,
    room: "a",
    ts: "2026-03-01T12:00:00.000Z",
    in_reply_to: null,
    removed_through: 0,
  };
  const elsewhere = new Map([["id-3", { id: "id-3", n: 3, ...beginning }]]);
  const thread = threadOf([post(51, 3), post(52, 51), post(53, 4)], elsewhere);
  expect(shapeOf(thread)).toEqual([51, [52], 53]);
  expect(thread[0]!.quote).toEqual({
    id: "id-3",
    n: 3,
    name: "Ada",
    claimed: true,
    text: null,
    is_here: false,
  });
  expect(thread[1]!.quote).toBeNull();
});

test("shows each of 300 posts of threads of depth 30 once", () => {
  // Ten threads, whose posts arrive in turn.
  const posts = Array.from({ length: 300 }, (_, i) => post(i + 1, i < 10 ? null : i - 9));
  const thread = threadOf(posts, nowhere);
  expect(thread).toHaveLength(10);
  expect(depthOf(thread)).toBe(7);
  const shown = all(thread);
  expect(shown.map(({ post }) => post.n).sort((a, b) => a - b)).toEqual(posts.map(({ n }) => n));
  // Of each thread, the first 7 posts are below each other, and the other 23 quote.
  expect(shown.filter(({ quote }) => quote !== null)).toHaveLength(10 * 23);
});

test("quotes the parent of every reply of a flat list", () => {
  const flat = flatPosts([post(1, null), post(2, 1), post(3, 2)], nowhere);
  expect(shapeOf(flat)).toEqual([1, 2, 3]);
  expect(flat.map(({ quote }) => quote?.n)).toEqual([undefined, 1, 2]);
});
