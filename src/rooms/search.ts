/** Full-text search over goals and posts of public rooms. A chore indexes them after the writes, so that no post waits for it. */

import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { limits } from "../core/limits.ts";
import type { IndexedText, TextIndex, Tx } from "../core/storage.ts";
import { searchTerms } from "../core/text.ts";
import { backlogOf, indexedThrough, progressOf, setProgress } from "../storage/search.ts";
import { roomFromRow, type RoomRecord, type RoomsPage } from "./representations.ts";
import type { RoomFilter } from "../api/rooms/params.ts";
import { findRoomBySeq, isListed, type RoomRow } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

const sources = ["posts", "rooms"] as const;

/** Goals have higher document numbers than posts, so that goals come first in "newest first". */
const goal_documents = 2 ** 52;

const roomToken = (room_seq: number): string => `room${room_seq}`;

const indexOf = (tx: Tx): TextIndex => tx.textIndex("search");

const documentOf = (document: number, text: string, room_seq: number): IndexedText => ({
  document,
  text,
  group: roomToken(room_seq),
});

/** Indexes the next posts and goals. Returns whether there are more. */
export async function indexNext(tx: Tx): Promise<boolean> {
  const chunk = limits.index_chunk_posts;
  const rooms_indexed = await progressOf(tx, "rooms");
  const rooms = await tx.all<Pick<RoomRow, "seq" | "goal" | "visibility">>(
    "SELECT seq, goal, visibility FROM rooms WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3",
    rooms_indexed,
    await tx.settledSeq("rooms", rooms_indexed),
    chunk,
  );
  const goals = rooms.filter(({ visibility }) => visibility === "public");
  await indexOf(tx).add(goals.map(({ seq, goal }) => documentOf(goal_documents + seq, goal, seq)));
  if (rooms.length > 0) await setProgress(tx, "rooms", rooms.at(-1)!.seq);

  const posts_indexed = await progressOf(tx, "posts");
  const posts = await tx.all<{ seq: number; room: number; body: string | null; visibility: string | null }>(
    "SELECT posts.seq, posts.room, posts.body, rooms.visibility FROM posts LEFT JOIN rooms ON rooms.seq = posts.room " +
      "WHERE posts.seq > $1 AND posts.seq <= $2 ORDER BY posts.seq LIMIT $3",
    posts_indexed,
    await tx.settledSeq("posts", posts_indexed),
    chunk,
  );
  const texts = posts.filter(({ visibility, body }) => visibility === "public" && body !== null);
  await indexOf(tx).add(texts.map(({ seq, body, room }) => documentOf(seq, body!, room)));
  if (posts.length > 0) await setProgress(tx, "posts", posts.at(-1)!.seq);
  return rooms.length === chunk || posts.length === chunk;
}

/** Removes a redacted post and its words from the index. `text`: the indexed text. */
export const forgetPost = (tx: Tx, post_seq: number, text: string, room_seq: number): Promise<void> =>
  indexOf(tx).remove([{ document: post_seq, text, group: roomToken(room_seq) }]);

/** A post with the text that is indexed; null if it was redacted. */
type Indexed = { seq: number; body: string | null };

/** The same for several posts of a room. */
export function forgetPosts(tx: Tx, room_seq: number, posts: Indexed[]): Promise<void> {
  const group = roomToken(room_seq);
  const documents = posts.flatMap(({ seq, body }) =>
    body === null ? [] : [{ document: seq, text: body, group }],
  );
  return indexOf(tx).remove(documents);
}

/** After posts were deleted: a later post may get the seq of the last one, and must be indexed. */
export async function afterDeletion(tx: Tx): Promise<void> {
  const last = (await tx.get<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM posts"))?.seq ?? 0;
  if ((await progressOf(tx, "posts")) > last) await setProgress(tx, "posts", last);
}

/** Removes the goal of a deleted room and its words from the index. */
export const forgetGoal = (tx: Tx, room_seq: number, goal: string): Promise<void> =>
  indexOf(tx).remove([{ document: goal_documents + room_seq, text: goal, group: roomToken(room_seq) }]);

/** Indexes a restored post, unless its turn is yet to come. */
export async function indexAgain(tx: Tx, post_seq: number, text: string, room_seq: number): Promise<void> {
  if (post_seq <= (await progressOf(tx, "posts")))
    await indexOf(tx).add([documentOf(post_seq, text, room_seq)]);
}

/** The number of rows that are not indexed yet. */
export const roomsBacklog = (tx: Tx): Promise<number> => backlogOf(tx, sources);

/** The slugs of at most `limit` indexed open rooms whose goal has all words of `query`, newest first. */
export async function searchGoals(
  tx: Tx,
  { query, limit }: { query: string; limit: number },
): Promise<string[]> {
  const terms = searchTerms(query);
  if (terms.length === 0) return [];
  const { table, document: column, matches, query: matching } = indexOf(tx);
  const hits = await tx.all<{ document: number }>(
    `SELECT ${column} AS document FROM ${table} WHERE ${matches("$1")} AND ${column} > $2 ORDER BY ${column} DESC LIMIT $3`,
    matching(terms),
    goal_documents,
    limit,
  );
  const slugs: string[] = [];
  for (const { document } of hits) {
    const room = await findRoomBySeq(tx, document - goal_documents);
    if (isListed(room, { closed: false })) slugs.push(room.slug);
  }
  return slugs;
}

interface Hit {
  document: number;
  /** The seq of its room; null if the post does not exist any more. */
  room: number | null;
}

const hits_per_statement = 500;

/** The next hits below the document `below`, newest first. Bounded, so that a common word costs no more than a rare one. */
async function* nextHits(tx: Tx, terms: string[], below: number): AsyncGenerator<Hit> {
  const { table, document: column, matches, query } = indexOf(tx);
  let next = below;
  for (
    let scanned = 0;
    scanned < room_internal_limits.search_hits_scanned_max;
    scanned += hits_per_statement
  ) {
    const hits = await tx.all<Hit>(
      `SELECT document, CASE WHEN document > $4 THEN document - $4 ELSE posts.room END AS room FROM (` +
        `SELECT ${column} AS document FROM ${table} WHERE ${matches("$1")} AND ${column} < $2 ORDER BY ${column} DESC LIMIT $3` +
        ") AS hits LEFT JOIN posts ON posts.seq = document ORDER BY document DESC",
      query(terms),
      next,
      hits_per_statement,
      goal_documents,
    );
    yield* hits;
    if (hits.length < hits_per_statement) return;
    next = hits.at(-1)!.document;
  }
}

/** Whether the room has a hit at the document `from` or above: then an earlier page contains the room. */
async function shownBefore(tx: Tx, terms: string[], room: number, from: number): Promise<boolean> {
  const { table, document: column, matches, query } = indexOf(tx);
  const newer = await tx.get(
    `SELECT ${column} FROM ${table} WHERE ${matches("$1")} AND ${column} >= $2 LIMIT 1`,
    query(terms, roomToken(room)),
    from,
  );
  return newer !== undefined;
}

interface RoomsSearch {
  q: string;
  filter: RoomFilter;
  limit: number;
  cursor?: string | undefined;
  /** ISO time. */
  now: string;
}

const isDocument = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Public rooms whose goal or posts have all words of `q`: first those with a matching goal, newest first, then the others
 * by their newest matching post. Each room appears once over all pages. A page examines a bounded number of hits, so it may
 * have fewer rooms than `limit` and still a next page.
 */
export async function searchRooms(tx: Tx, query: RoomsSearch): Promise<RoomsPage> {
  const { filter, limit, cursor, now } = query;
  const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursor, isDocument);
  const terms = searchTerms(query.q);
  const found =
    terms.length > 0 ? await roomsBelow(tx, terms, below, filter, limit) : { rooms: [], next: null };
  return {
    rooms: found.rooms,
    total: null,
    next: found.next === null ? null : encodeCursor(found.next),
    indexed_through: await indexedThrough(tx, sources, now),
  };
}

/** `next`: the document below which the next page begins; null if there is none. */
async function roomsBelow(tx: Tx, terms: string[], below: number, filter: RoomFilter, limit: number) {
  const is_first = below === Number.MAX_SAFE_INTEGER;
  const seen = new Set<number>();
  const rooms: RoomRecord[] = [];
  let scanned = 0;
  let checked = 0;
  let next = below;
  for await (const { document, room: seq } of nextHits(tx, terms, below)) {
    if (rooms.length === limit || checked === room_internal_limits.search_rooms_checked_max)
      return { rooms, next };
    scanned++;
    next = document;
    if (seq === null || seen.has(seq)) continue;
    seen.add(seq);
    const room = await findRoomBySeq(tx, seq);
    if (!isListed(room, filter)) continue;
    // The first page has no earlier page to check.
    if (!is_first) {
      checked++;
      if (await shownBefore(tx, terms, seq, below)) continue;
    }
    rooms.push(roomFromRow(room));
  }
  return { rooms, next: scanned < room_internal_limits.search_hits_scanned_max ? null : next };
}
