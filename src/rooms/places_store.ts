/**
 * SQL that finds where a post is, by its time or by its id, and who wrote the posts between two places. Neither time nor id has an index:
 * times rise with the numbers of a room.
 */

import type { Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import { timeMs, timeText } from "../storage/packed.ts";
import { msOfId } from "../storage/search.ts";
import type { RoomRow } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

const { id_behind_ms_max, posts_per_id_slice } = room_internal_limits;

/** A number, and the time of the row with it. */
interface Mark {
  number: number;
  ts: number;
}

interface Marks {
  /** The row with this number, or the next one. */
  probe(number: number): Promise<Mark | undefined>;
  /** The last number from `low` to `high` whose row is at or before the time; undefined if there is none. */
  lastIn(low: number, high: number): Promise<number | undefined>;
}

/** So many rows are looked at by one statement in place of further steps. */
const rows_at_once = 16;

/**
 * The last number whose row is at or before `time_ms`, between `low`, which is, and `high`, which is later; `low` may have no row. By
 * interpolation, and by bisection in every other step, so that it takes at most 2 log2(rows) steps, and some 3 if posts come evenly.
 * The last rows are tried first, because most readers have read nearly everything. Numbers may be missing.
 */
async function lastUntil(marks: Marks, time_ms: number, low: Mark, high: Mark): Promise<number> {
  for (let step = 0; high.number - low.number > rows_at_once; step++) {
    const fraction = (time_ms - low.ts) / (high.ts - low.ts);
    const probed =
      step === 0
        ? high.number - rows_at_once
        : step % 2 === 0
          ? Math.floor((low.number + high.number) / 2)
          : low.number + 1 + Math.floor((high.number - low.number - 2) * fraction);
    const found = await marks.probe(probed);
    if (found && found.ts <= time_ms) low = found;
    else high = { number: probed, ts: found?.ts ?? high.ts };
  }
  return (await marks.lastIn(low.number + 1, high.number - 1)) ?? low.number;
}

const marksOfRoom = (tx: Tx, room: number, time_ms: number): Marks => ({
  probe: (number) =>
    tx.get("SELECT n AS number, ts FROM posts WHERE room = $1 AND n >= $2 ORDER BY n LIMIT 1", room, number),
  async lastIn(low, high) {
    const found = await tx.get<{ n: number }>(
      "SELECT n FROM posts WHERE room = $1 AND n >= $2 AND n <= $3 AND ts <= $4 ORDER BY n DESC LIMIT 1",
      room,
      low,
      high,
      time_ms,
    );
    return found?.n;
  },
});

/** The members of a room that say where its posts begin and end. */
type RoomEnds = Pick<
  RoomRow,
  "seq" | "created" | "posts" | "last_post" | "removed_through" | "removed_until"
>;

/** The number of the latest post of a room at or before an ISO time; that of the latest removed post, or 0, if there is none. */
export async function numberAt(tx: Tx, room: RoomEnds, time: string): Promise<number> {
  const { seq, created, posts, last_post, removed_through, removed_until } = room;
  if (last_post === null || last_post <= time) return posts;
  const begin = removed_until ?? created;
  if (time <= begin) return removed_through;
  const time_ms = timeMs(time);
  const low = { number: removed_through, ts: timeMs(begin) };
  return lastUntil(marksOfRoom(tx, seq, time_ms), time_ms, low, { number: posts, ts: timeMs(last_post) });
}

/** The same for a room of which only the seq is known. */
export async function lastNumberAt(tx: Tx, room: number, time: string): Promise<number> {
  const ends = await tx.get<RoomEnds>(
    "SELECT seq, created, posts, last_post, removed_through, removed_until FROM rooms WHERE seq = $1",
    room,
  );
  return ends ? numberAt(tx, ends, time) : 0;
}

/**
 * Whether the id of a post is in the index of ids, because its time does not lead to the post: an id has the time at which the post was
 * accepted, and the times of a busy room run ahead of it.
 */
export function isIdIndexed(id: string, ts_ms: number): boolean {
  const accepted_ms = msOfId(id);
  return accepted_ms === null || ts_ms < accepted_ms || ts_ms - accepted_ms > id_behind_ms_max;
}

/** The number of the post of a room with this id; undefined if there is none. */
export async function numberOfId(tx: Tx, room: number, id: string): Promise<number | undefined> {
  const accepted_ms = msOfId(id);
  if (accepted_ms !== null) {
    const before = await lastNumberAt(tx, room, timeText(accepted_ms - 1));
    // Each post of a room is at least a millisecond later than the one before.
    const found = await tx.get<{ n: number }>(
      "SELECT n FROM posts WHERE room = $1 AND n > $2 AND n <= $3 AND id = $4 ORDER BY n LIMIT 1",
      room,
      before,
      before + 1 + id_behind_ms_max,
      tx.packed(id),
    );
    if (found) return found.n;
  }
  const indexed = await tx.get<{ n: number }>(
    "SELECT n FROM posts WHERE id = $1 AND room = $2 AND id_indexed = 1",
    tx.packed(id),
    room,
  );
  return indexed?.n;
}

const select_bodies = statementOf(
  ({ rows }) =>
    `SELECT rooms.slug AS room, posts.n, posts.body FROM (VALUES ${rows}) AS given ` +
    "JOIN rooms ON rooms.slug = given.column1 " +
    "JOIN posts ON posts.room = rooms.seq AND posts.n = CAST(given.column2 AS INTEGER)",
  2,
);

/** The texts of these posts, at least one, by the slug of the room and the number, as far as they are stored. */
export const postBodies = (tx: Tx, posts: readonly { room: string; n: number }[]) =>
  tx.all<{ room: string; n: number; body: string | null }>(
    ...select_bodies(posts.map(({ room, n }) => [room, String(n)])),
  );

/** Where a post is. */
export interface PostPlace {
  /** The seq of its room. */
  room: number;
  n: number;
}

/**
 * The next step of the search for a post whose room is not known: looks at `posts_per_id_slice` rows on each side of those that it has
 * looked at, beginning where posts of that time are. A post that is not there costs a look at all posts. Only admins search so.
 */
export interface IdSearch {
  /** All rows with a seq in (after, through] have been looked at. */
  after: number;
  through: number;
}

/** Begins the search for an id. */
export async function beginIdSearch(tx: Tx, id: string): Promise<IdSearch> {
  const time_ms = (msOfId(id) ?? 0) - 1;
  const [first, last] = await Promise.all(
    ["ASC", "DESC"].map((order) =>
      tx.get<Mark>(`SELECT seq AS number, ts FROM posts ORDER BY seq ${order} LIMIT 1`),
    ),
  );
  if (!first || !last || last.ts <= time_ms) return { after: last?.number ?? 0, through: last?.number ?? 0 };
  const marks: Marks = {
    probe: (number) =>
      tx.get("SELECT seq AS number, ts FROM posts WHERE seq >= $1 ORDER BY seq LIMIT 1", number),
    lastIn: (low) => Promise.resolve(low),
  };
  const seq = first.ts > time_ms ? first.number : await lastUntil(marks, time_ms, first, last);
  return { after: seq, through: seq };
}

/** Continues the search: the place of the post, where to continue, or null if there is no such post. */
export async function continueIdSearch(
  tx: Tx,
  id: string,
  { after, through }: IdSearch,
): Promise<PostPlace | IdSearch | null> {
  const range = { after: after - posts_per_id_slice, through: through + posts_per_id_slice };
  const found = await tx.get<PostPlace>(
    "SELECT room, n FROM posts WHERE ((seq > $1 AND seq <= $2) OR (seq > $3 AND seq <= $4)) AND id = $5 LIMIT 1",
    range.after,
    after,
    through,
    range.through,
    tx.packed(id),
  );
  if (found) return found;
  const ends = await tx.get<{ first: number | null; last: number | null }>(
    // SQLite scans the table for two aggregates of one SELECT.
    "SELECT (SELECT MIN(seq) FROM posts) AS first, (SELECT MAX(seq) FROM posts) AS last",
  );
  const { first, last } = ends!;
  return first === null || (range.after < first && range.through >= last!) ? null : range;
}

/** A post in a public room with its text. `ts`: in Unix milliseconds. */
export interface PublicPost {
  room: string;
  n: number;
  ts: number;
  name: string;
  claimed: number;
  body: string;
}

/** The post with this seq, if its text is stored and its room is public. */
export const publicPost = (tx: Tx, seq: number) =>
  tx.get<PublicPost>(
    "SELECT rooms.slug AS room, posts.n, posts.ts, posts.name, posts.claimed, posts.body FROM posts " +
      "JOIN rooms ON rooms.seq = posts.room WHERE posts.seq = $1 AND rooms.visibility = 'public' AND posts.body IS NOT NULL",
    seq,
  );

/** Who wrote the posts after number `after` up to `through`, and how many of these are stored. */
export const writersOf = (tx: Tx, room: number, after: number, through: number) =>
  tx.all<{ name: string; claimed: number; posts: number }>(
    "SELECT name, claimed, COUNT(*) AS posts FROM posts WHERE room = $1 AND n > $2 AND n <= $3 GROUP BY name, claimed",
    room,
    after,
    through,
  );
