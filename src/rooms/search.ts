/**
 * Full-text search over goals and posts of public rooms. It follows the writes in transactions of its own, so that no
 * post waits for it. Its SQL is SQLite's (FTS5).
 */

import { limits } from "../limits.ts";
import type { Tx } from "../storage/port.ts";
import { matchExpression, progressOf, setProgress } from "../storage/search.ts";
import { findRoomBySeq, type RoomRow } from "./store.ts";

/** Documents of goals are numbered above all posts', so that "newest first" begins with goals. */
const goal_documents = 2 ** 52;

const roomToken = (room_seq: number): string => `room${room_seq}`;

const addDocument = (tx: Tx, document: number, text: string, room_seq: number) =>
  tx.run("INSERT INTO search (rowid, text, room) VALUES ($1, $2, $3)", document, text, roomToken(room_seq));

/** Indexes the next posts and goals. Answers whether there are more. */
export async function indexNext(tx: Tx): Promise<boolean> {
  const chunk = limits.index_chunk_posts;
  const rooms = await tx.all<Pick<RoomRow, "seq" | "goal" | "visibility">>(
    "SELECT seq, goal, visibility FROM rooms WHERE seq > $1 ORDER BY seq LIMIT $2",
    await progressOf(tx, "rooms"),
    chunk,
  );
  for (const room of rooms) {
    if (room.visibility === "public") await addDocument(tx, goal_documents + room.seq, room.goal, room.seq);
  }
  if (rooms.length > 0) await setProgress(tx, "rooms", rooms.at(-1)!.seq);

  const posts = await tx.all<{ seq: number; room: number; body: string | null; visibility: string }>(
    "SELECT posts.seq, posts.room, posts.body, rooms.visibility FROM posts JOIN rooms ON rooms.seq = posts.room " +
      "WHERE posts.seq > $1 ORDER BY posts.seq LIMIT $2",
    await progressOf(tx, "posts"),
    chunk,
  );
  for (const post of posts) {
    if (post.visibility === "public" && post.body !== null) {
      await addDocument(tx, post.seq, post.body, post.room);
    }
  }
  if (posts.length > 0) await setProgress(tx, "posts", posts.at(-1)!.seq);
  return rooms.length === chunk || posts.length === chunk;
}

/** Takes a redacted post out of the index, with its words: `text` is what was indexed, if it was. */
export async function forgetPost(tx: Tx, post_seq: number, text: string, room_seq: number): Promise<void> {
  // The index would be damaged by a text that it does not hold.
  const is_indexed = await tx.get("SELECT id FROM search_docsize WHERE id = $1", post_seq);
  if (!is_indexed) return;
  await tx.run(
    "INSERT INTO search (search, rowid, text, room) VALUES ('delete', $1, $2, $3)",
    post_seq,
    text,
    roomToken(room_seq),
  );
}

/** At most `limit` open rooms whose goal has all words of `query`, newest first: of those that are indexed. */
export async function searchGoals(tx: Tx, query: string, limit: number): Promise<RoomRow[]> {
  const words = matchExpression(query);
  if (!words) return [];
  const hits = await tx.all<{ document: number }>(
    "SELECT rowid AS document FROM search WHERE search MATCH $1 AND rowid > $2 ORDER BY rowid DESC LIMIT $3",
    `{text} : (${words})`,
    goal_documents,
    limit,
  );
  const rooms: RoomRow[] = [];
  for (const { document } of hits) {
    const room = await findRoomBySeq(tx, document - goal_documents);
    if (room && room.closed_at === null) rooms.push(room);
  }
  return rooms;
}

interface Hit {
  document: number;
  room: number;
}

/**
 * The next hits below document `below`, newest first, with the room of each. Bounded, so that a common word costs no
 * more than a rare one.
 */
async function nextHits(tx: Tx, words: string, below: number): Promise<Hit[]> {
  const documents = await tx.all<{ document: number }>(
    "SELECT rowid AS document FROM search WHERE search MATCH $1 AND rowid < $2 ORDER BY rowid DESC LIMIT $3",
    `{text} : (${words})`,
    below,
    limits.search_hits_scanned_max,
  );
  const hits: Hit[] = [];
  for (const { document } of documents) {
    const room =
      document > goal_documents
        ? document - goal_documents
        : (await tx.get<{ room: number }>("SELECT room FROM posts WHERE seq = $1", document))!.room;
    hits.push({ document, room });
  }
  return hits;
}

/** Whether the room has a hit above `document`: then the page that held that one has shown the room. */
async function shownBefore(tx: Tx, words: string, hit: Hit): Promise<boolean> {
  const newer = await tx.get(
    "SELECT rowid FROM search WHERE search MATCH $1 AND rowid > $2 LIMIT 1",
    `({text} : (${words})) AND ({room} : "${roomToken(hit.room)}")`,
    hit.document,
  );
  return newer !== undefined;
}

export interface SearchPage {
  rooms: RoomRow[];
  /** Where the next page begins, or null at the end. */
  next_document: number | null;
}

/**
 * Public rooms whose goal or posts hold all words of `query`: those with a matching goal first, newest first, then by
 * their newest matching post. Each room once over all pages.
 */
export async function searchRooms(
  tx: Tx,
  query: string,
  closed: boolean,
  limit: number,
  below: number = Number.MAX_SAFE_INTEGER,
): Promise<SearchPage> {
  const words = matchExpression(query);
  if (!words) return { rooms: [], next_document: null };
  const hits = await nextHits(tx, words, below);
  const seen = new Set<number>();
  const rooms: RoomRow[] = [];
  for (const hit of hits) {
    if (seen.has(hit.room)) continue;
    seen.add(hit.room);
    const room = await tx.get<RoomRow>("SELECT * FROM rooms WHERE seq = $1", hit.room);
    if (!room || (room.closed_at !== null) !== closed || (await shownBefore(tx, words, hit))) continue;
    rooms.push(room);
    if (rooms.length === limit) return { rooms, next_document: hit.document };
  }
  const ended = hits.length < limits.search_hits_scanned_max;
  return { rooms, next_document: ended ? null : hits.at(-1)!.document };
}
