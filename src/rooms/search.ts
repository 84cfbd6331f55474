/** Full-text search over goals and posts of rooms. */

import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import type { Tx } from "../core/storage.ts";
import { excerptsAround, searchTerms } from "../core/text.ts";
import { indexedThrough } from "../storage/search.ts";
import { goal_documents, roomToken, sources, wantedIn, type WantedTexts } from "./indexing_store.ts";
import { roomFromRow, type ListedRoom, type RoomsPage } from "./representations.ts";
import { room_limits } from "../api/limits.ts";
import type { Match } from "../api/rooms/rooms.ts";
import type { RoomsQuery } from "./queries.ts";
import { findRoomBySeq, isListed, type RoomRow } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

/** The document below which all others are. */
const end = Number.MAX_SAFE_INTEGER;

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
  { check }: WantedTexts,
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
  wanted: WantedTexts,
  { below, above = 0, at_once = wanted.check === null ? 500 : 100 }: SliceOf,
): Promise<HitsSlice> {
  const { table, document: column, matches } = wanted.index;
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
  const wanted = wantedIn(tx, "public", terms);
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
async function shownBefore(tx: Tx, wanted: WantedTexts, room: number, from: number): Promise<boolean> {
  const { table, document: column, matches } = wanted.index;
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

export interface RoomsSearch extends RoomsQuery {
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
  const of_public: Searched = {
    terms,
    wanted: wantedIn(tx, "public", terms),
    shows: (room) => isListed(room, query.filter),
  };
  const found = terms.length > 0 ? await roomsBelow(tx, of_public, below, query) : { rooms: [], next: null };
  return {
    rooms: found.rooms,
    total: null,
    next: found.next === null ? null : encodeCursor(found.next),
    indexed_through: await indexedThrough(tx, sources, now),
  };
}

/** What is searched for, and where. */
interface Searched {
  terms: string[];
  wanted: WantedTexts;
  /** Whether this room is shown. The index may name one that was removed. */
  shows(room: RoomRow | undefined): room is RoomRow;
}

/** The next rooms, newest hit first. `next`: the document below which the next page begins; null if there is none. */
export async function roomsBelow(
  tx: Tx,
  { terms, wanted, shows }: Searched,
  below: number,
  { limit, posts = 0 }: Pick<RoomsSearch, "limit" | "posts">,
): Promise<{ rooms: ListedRoom[]; next: number | null }> {
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
      if (!shows(room)) continue;
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
