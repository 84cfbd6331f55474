/** SQL of what became of posts: the replies to them. */

import type { Tx } from "../core/storage.ts";
import { room_internal_limits } from "./limits.ts";

/** A reply with the key of a claimed name. */
export interface ReplyRow {
  n: number;
  in_reply_to_n: number;
  name: string;
}

/**
 * The replies with keys to the posts of a room with the numbers `first` to `last`, among a bounded number of posts after `first`, in
 * their order.
 */
export const repliesTo = (tx: Tx, room: number, first: number, last: number) =>
  tx.all<ReplyRow>(
    "SELECT n, in_reply_to_n, name FROM (SELECT n, in_reply_to_n, name, claimed FROM posts " +
      "WHERE room = $1 AND n > $2 ORDER BY n LIMIT $4) AS later " +
      "WHERE in_reply_to_n >= $2 AND in_reply_to_n <= $3 AND claimed = 1 ORDER BY n",
    room,
    first,
    last,
    room_internal_limits.replies_scanned_max + last - first,
  );
