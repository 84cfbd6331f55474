/** Indexes goals and posts for searches. A chore does so after the writes, so that no post waits for it. */

import { limits } from "../core/limits.ts";
import type { Tx } from "../core/storage.ts";
import type { IndexedText, TextIndex, TextIndexName, TextQuery } from "../core/text_index.ts";
import { backlogOf, progressOf, setProgress } from "../storage/search.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import type { RoomRow } from "./store.ts";

export const sources = ["posts", "rooms"] as const;

/** Goals have higher document numbers than posts, so that goals come first in "newest first". */
export const goal_documents = 2 ** 52;

export const roomToken = (room_seq: number): string => `room${room_seq}`;

/** The rooms of an index: public ones, or private ones, of which a search names those of its caller. */
type IndexedRooms = "public" | "private";

const names: Record<IndexedRooms, TextIndexName> = { public: "search", private: "private_search" };

const indexOf = (tx: Tx, rooms: IndexedRooms): TextIndex => tx.textIndex(names[rooms]);

/** A query, and the index that it is for. */
export interface WantedTexts extends TextQuery {
  readonly index: TextIndex;
}

/** What finds the documents of these rooms that have all terms; `how`: as for `TextIndex.find`. */
export function wantedIn(
  tx: Tx,
  rooms: IndexedRooms,
  terms: readonly string[],
  how?: { is_beginning: boolean },
): WantedTexts {
  const index = indexOf(tx, rooms);
  return { ...index.find(terms, how), index };
}

/** A room with what says in which index it is. */
type IndexedRoom = Pick<RoomRow, "seq" | "slug">;

const indexFor = (tx: Tx, { slug }: IndexedRoom): TextIndex =>
  indexOf(tx, isPrivateSlug(slug) ? "private" : "public");

const documentOf = (document: number, text: string, room_seq: number): IndexedText => ({
  document,
  text,
  group: roomToken(room_seq),
});

/** Adds the documents of these rows to the indexes of their rooms. Those of unlisted rooms are in none. */
async function addTexts<Row extends { slug: string | null; visibility: string | null }>(
  tx: Tx,
  rows: readonly Row[],
  documentFor: (row: Row) => IndexedText,
): Promise<void> {
  const of_public = rows.filter(({ visibility }) => visibility === "public");
  await indexOf(tx, "public").add(of_public.map(documentFor));
  const of_private = rows.filter(({ slug }) => slug !== null && isPrivateSlug(slug));
  if (of_private.length > 0) await indexOf(tx, "private").add(of_private.map(documentFor));
}

interface PostToIndex {
  seq: number;
  room: number;
  body: string | null;
  slug: string | null;
  visibility: string | null;
}

/** Indexes the next posts and goals. Returns whether there are more. */
export async function indexNext(tx: Tx): Promise<boolean> {
  const chunk = limits.index_chunk_posts;
  const rooms_indexed = await progressOf(tx, "rooms");
  const rooms_settled = await tx.settledSeq("rooms", rooms_indexed);
  const posts_indexed = await progressOf(tx, "posts");
  const posts_settled = await tx.settledSeq("posts", posts_indexed);
  await tx.holdTextIndexes();
  const rooms = await tx.all<Pick<RoomRow, "seq" | "slug" | "goal" | "visibility">>(
    "SELECT seq, slug, goal, visibility FROM rooms WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3",
    rooms_indexed,
    rooms_settled,
    chunk,
  );
  await addTexts(tx, rooms, ({ seq, goal }) => documentOf(goal_documents + seq, goal, seq));
  if (rooms.length > 0) await setProgress(tx, "rooms", rooms.at(-1)!.seq);

  const posts = await tx.all<PostToIndex>(
    "SELECT posts.seq, posts.room, posts.body, rooms.slug, rooms.visibility FROM posts LEFT JOIN rooms ON rooms.seq = posts.room " +
      "WHERE posts.seq > $1 AND posts.seq <= $2 ORDER BY posts.seq LIMIT $3",
    posts_indexed,
    posts_settled,
    chunk,
  );
  const texts = posts.filter(({ body }) => body !== null);
  await addTexts(tx, texts, ({ seq, body, room }) => documentOf(seq, body!, room));
  if (posts.length > 0) await setProgress(tx, "posts", posts.at(-1)!.seq);
  return rooms.length === chunk || posts.length === chunk;
}

/** Removes a redacted post and its words from the index. `text`: the indexed text. */
export const forgetPost = (tx: Tx, post_seq: number, text: string, room: IndexedRoom): Promise<void> =>
  indexFor(tx, room).remove([documentOf(post_seq, text, room.seq)]);

/** A post with the text that is indexed; null if it was redacted. */
type Indexed = { seq: number; body: string | null };

/** The same for several posts of a room. */
export function forgetPosts(tx: Tx, room: IndexedRoom, posts: Indexed[]): Promise<void> {
  const documents = posts.flatMap(({ seq, body }) =>
    body === null ? [] : [documentOf(seq, body, room.seq)],
  );
  return indexFor(tx, room).remove(documents);
}

/** After posts were deleted: a later post may get the seq of the last one, and must be indexed. */
export async function afterDeletion(tx: Tx): Promise<void> {
  const last = (await tx.get<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM posts"))?.seq ?? 0;
  if ((await progressOf(tx, "posts")) > last) await setProgress(tx, "posts", last);
}

/** Removes the goal of a deleted room and its words from the index. */
export const forgetGoal = (tx: Tx, room: IndexedRoom, goal: string): Promise<void> =>
  indexFor(tx, room).remove([documentOf(goal_documents + room.seq, goal, room.seq)]);

/** Indexes a restored post, unless its turn is yet to come. */
export async function indexAgain(
  tx: Tx,
  post_seq: number,
  text: string,
  room: IndexedRoom & Pick<RoomRow, "visibility">,
): Promise<void> {
  // Otherwise its turn could come and go, while its text is not there yet, after the progress was read.
  await tx.holdTextIndexes();
  if (post_seq <= (await progressOf(tx, "posts")))
    await addTexts(tx, [room], ({ seq }) => documentOf(post_seq, text, seq));
}

/** The number of rows that are not indexed yet. */
export const roomsBacklog = (tx: Tx): Promise<number> => backlogOf(tx, sources);
