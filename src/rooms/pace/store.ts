/** SQL of paces. */

import type { Tx } from "../../core/storage.ts";
import { statementOf } from "../../storage/lists.ts";

/** A post as far as a pace needs it. `ts`: milliseconds. */
export interface CountedPost {
  room: number;
  n: number;
  ts: number;
  name: string;
}

/** Posts of a room with `above` < n ≤ `upto`. */
interface PostRange {
  room: number;
  above: number;
  upto: number;
}

const select_posts = statementOf(
  ({ rows }) =>
    "SELECT posts.room, posts.n, posts.ts, posts.name " +
    `FROM (SELECT DISTINCT column1, column2, column3 FROM (VALUES ${rows}) AS listed) AS given ` +
    "JOIN posts ON posts.room = CAST(given.column1 AS BIGINT) " +
    "AND posts.n > CAST(given.column2 AS INTEGER) AND posts.n <= CAST(given.column3 AS INTEGER) " +
    "ORDER BY posts.room, posts.n",
  3,
);

/** The posts in these ranges, at least one, in the order of their numbers. */
export const countedPosts = (tx: Tx, ranges: readonly PostRange[]) =>
  tx.all<CountedPost>(
    ...select_posts(ranges.map(({ room, above, upto }) => [String(room), String(above), String(upto)])),
  );
