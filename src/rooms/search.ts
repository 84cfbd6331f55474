/** Full-text search over goals and posts of public rooms. A chore indexes them after the writes, so that no post waits for it. */

import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { limits } from "../core/limits.ts";
import type { Tx } from "../core/storage.ts";
import type { IndexedText, TextIndex, TextQuery } from "../core/text_index.ts";
import { excerptsAround, searchTerms } from "../core/text.ts";
import { backlogOf, indexedThrough, progressOf, setProgress } from "../storage/search.ts";
import { roomFromRow, type ListedRoom, type RoomsPage } from "./representations.ts";
import { room_limits } from "../api/limits.ts";
import type { Match } from "../api/rooms/rooms.ts";
import type { RoomsQuery } from "./queries.ts";
import { findRoomBySeq, isListed, type RoomRow } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

const sources = ["posts", "rooms"] as const;

/** Goals have higher document numbers than posts, so that goals come first in "newest first". */
export const goal_documents = 2 ** 52;
/** The document below which all others are. */
const end = Number.MAX_SAFE_INTEGER;

const roomToken = (room_seq: number): string => `room${room_seq}`;

export const indexOf = (tx: Tx): TextIndex => tx.textIndex("search");

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

/** The text of a document; an empty one if its row is missing. */
async function textOf(tx: Tx, document: number): Promise<string> {
  const is_goal = document > goal_documents;
  const sql = is_goal
    ? "SELECT goal AS text FROM rooms WHERE seq = $1"
    : "SELECT body AS text FROM posts WHERE seq = $1";
  const row = await tx.get<{ text: string | null }>(sql, is_goal ? document - goal_documents : document);
  return row?.text ?? "";
}

type ExcerptOf = (text: string) => string;

/** The number of a post, and an excerpt of its text, and how many characters were read. None for a goal: the list has it whole. */
async function matchOf(tx: Tx, document: number, excerptOf: ExcerptOf): Promise<[Match[], chars: number]> {
  if (document > goal_documents) return [[], 0];
  const sql = "SELECT n, body FROM posts WHERE seq = $1";
  const post = await tx.get<{ n: number; body: string | null }>(sql, document);
  if (!post?.body) return [[], 0];
  const chars = post.body.length + room_internal_limits.search_text_chars_around;
  return [[{ n: post.n, excerpt: excerptOf(post.body) }], chars];
}

/** Those of the documents that have the terms of the query, and how many characters were read for that. */
async function hitsAmong<Found extends { document: number }>(
  tx: Tx,
  { check }: TextQuery,
  found: Found[],
): Promise<{ hits: Found[]; chars: number }> {
  if (check === null) return { hits: found, chars: 0 };
  const texts: string[] = [];
  for (const { document } of found) texts.push(await textOf(tx, document));
  const have = check(texts);
  const around = room_internal_limits.search_text_chars_around;
  return {
    hits: found.filter((_, i) => have[i]),
    chars: texts.reduce((chars, text) => chars + text.length + around, 0),
  };
}

interface Hit {
  document: number;
  /** The seq of its room; null if the post does not exist any more. */
  room: number | null;
}

interface SliceOf {
  below: number;
  above?: number;
  at_once?: number;
}

export interface HitsSlice {
  /** Newest first. */
  hits: Hit[];
  /** The document below which the next slice begins; null if there is none. */
  next: number | null;
  /** Characters that were read. */
  chars: number;
}

/** The hits among the next documents that the query finds between `above` and `below`; `at_once`: how many documents. */
export async function hitsBelow(
  tx: Tx,
  wanted: TextQuery,
  { below, above = 0, at_once = wanted.check === null ? 500 : 100 }: SliceOf,
): Promise<HitsSlice> {
  const { table, document: column, matches } = indexOf(tx);
  const found = await tx.all<Hit>(
    `SELECT document, CASE WHEN document > $5 THEN document - $5 ELSE posts.room END AS room FROM (` +
      `SELECT ${column} AS document FROM ${table} WHERE ${matches("$1")} AND ${column} > $2 AND ${column} < $3 ` +
      `ORDER BY ${column} DESC LIMIT $4` +
      ") AS hits LEFT JOIN posts ON posts.seq = document ORDER BY document DESC",
    wanted.query,
    above,
    below,
    at_once,
    goal_documents,
  );
  const next = found.length < at_once ? null : found.at(-1)!.document;
  return { ...(await hitsAmong(tx, wanted, found)), next };
}

/** The slugs of at most `limit` indexed open rooms whose goal has all words of `query`, newest first. */
export async function searchGoals(
  tx: Tx,
  { query, limit }: { query: string; limit: number },
): Promise<string[]> {
  const terms = searchTerms(query);
  if (terms.length === 0) return [];
  const wanted = indexOf(tx).find(terms);
  const rooms: Hit["room"][] = [];
  let read = 0;
  let next: number | null = end;
  while (next !== null && rooms.length < limit && read < room_internal_limits.search_chars_read_max) {
    const slice: HitsSlice = await hitsBelow(tx, wanted, {
      below: next,
      above: goal_documents,
      at_once: limit,
    });
    rooms.push(...slice.hits.map(({ room }) => room));
    read += slice.chars;
    next = slice.next;
  }
  const slugs: string[] = [];
  for (const seq of rooms.slice(0, limit)) {
    const room = await findRoomBySeq(tx, seq!);
    if (isListed(room, { closed: false })) slugs.push(room.slug);
  }
  return slugs;
}

/** Whether the room has a hit at the document `from` or above: then an earlier page contains the room. */
async function shownBefore(tx: Tx, wanted: TextQuery, room: number, from: number): Promise<boolean> {
  const { table, document: column, matches } = indexOf(tx);
  // Any document will do unless texts are read.
  const [order, at_once] = wanted.check === null ? ["", 1] : [`ORDER BY ${column}`, 50];
  for (let next = from; ;) {
    const found = await tx.all<{ document: number }>(
      `SELECT ${column} AS document FROM ${table} WHERE ${matches("$1")} AND ${column} >= $2 ${order} LIMIT $3`,
      wanted.within(roomToken(room)),
      next,
      at_once,
    );
    if ((await hitsAmong(tx, wanted, found)).hits.length > 0) return true;
    if (found.length < at_once) return false;
    next = found.at(-1)!.document + 1;
  }
}

interface RoomsSearch extends RoomsQuery {
  q: string;
  /** How many posts of each room are wanted in `matches`, as far as the page comes across them. */
  posts?: number;
  /** ISO time. */
  now: string;
}

const isDocument = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Public rooms whose goal or posts have all words of `q`: first those with a matching goal, newest first, then the others
 * by their newest matching post, with an excerpt of that. Each room appears once over all pages. A page examines a bounded number of hits, so it may
 * have fewer rooms than `limit` and still a next page.
 */
export async function searchRooms(tx: Tx, query: RoomsSearch): Promise<RoomsPage> {
  const { cursor, now } = query;
  const below = cursor === undefined ? end : decodeCursor(cursor, isDocument);
  const terms = searchTerms(query.q);
  const found = terms.length > 0 ? await roomsBelow(tx, terms, below, query) : { rooms: [], next: null };
  return {
    rooms: found.rooms,
    total: null,
    next: found.next === null ? null : encodeCursor(found.next),
    indexed_through: await indexedThrough(tx, sources, now),
  };
}

/** `next`: the document below which the next page begins; null if there is none. */
async function roomsBelow(tx: Tx, terms: string[], below: number, query: RoomsSearch) {
  const { filter, limit, posts = 0 } = query;
  const wanted = indexOf(tx).find(terms);
  const excerptOf = excerptsAround(terms, room_limits.search_excerpt_chars_max);
  const { search_hits_scanned_max, search_chars_read_max, search_rooms_checked_max } = room_internal_limits;
  const seen = new Set<number>();
  const rooms: ListedRoom[] = [];
  const matches = new Map<number | null, Match[]>();
  let is_full = false;
  let [scanned, read, checked] = [0, 0, 0];
  let next: number | null = below;
  async function matchesAt(document: number): Promise<Match[]> {
    const [found, chars] = await matchOf(tx, document, excerptOf);
    read += chars;
    return found;
  }
  // Bounded, so that a common word costs no more than a rare one.
  while (next !== null && scanned < search_hits_scanned_max && read < search_chars_read_max) {
    // The newest hits of a common word are mostly in different rooms: few are enough.
    const few = scanned === 0 ? { at_once: Math.min(2 * limit, 100) } : {};
    const slice: HitsSlice = await hitsBelow(tx, wanted, { below: next, ...few });
    for (const { document, room: seq } of slice.hits) {
      // Further posts of the rooms are taken from the hits that are here in any case.
      const further = matches.get(seq);
      if (further && further.length < posts) further.push(...(await matchesAt(document)));
      is_full ||= rooms.length === limit || checked === search_rooms_checked_max;
      if (is_full) continue;
      next = document;
      if (seq === null || seen.has(seq)) continue;
      seen.add(seq);
      const room = await findRoomBySeq(tx, seq);
      if (!isListed(room, filter)) continue;
      // The first page has no earlier page to check.
      if (below !== end && ++checked && (await shownBefore(tx, wanted, seq, below))) continue;
      const found = await matchesAt(document);
      matches.set(seq, found);
      rooms.push({ ...roomFromRow(room), ...(found[0] && { match: found[0] }), matches: found });
    }
    if (is_full) return { rooms, next };
    scanned += slice.hits.length;
    read += slice.chars;
    next = slice.next;
  }
  return { rooms, next };
}
