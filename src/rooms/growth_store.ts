/** SQL of rooms that grow by new posts. */

import type { Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import { second_chars, secondOf, type RoomState } from "./store.ts";

/** A room with new posts. */
export interface GrownRoom extends RoomState {
  /** Its version in the database. */
  was_changed: string;
  last_active: string;
  /** How many posts come to it together. Some may be refused. */
  coming: number;
  /** Whether its members `pace` and `slowed_until` have changed. */
  is_paced: boolean;
}

// SQLite writes an index whenever one of its columns is set, also to the same value.
const andSecond = (last_active: string): string => `, active_second = ${secondOf(last_active)}`;

const updateRooms = (and = "", columns = 5) =>
  statementOf(
    ({ rows }) =>
      "UPDATE rooms SET posts = CAST(given.column3 AS INTEGER), last_post = given.column4, changed = given.column4, " +
      `last_active = given.column5${and} FROM (VALUES ${rows}) AS given ` +
      "WHERE rooms.seq = CAST(given.column1 AS BIGINT) AND changed = given.column2 AND closed_at IS NULL",
    columns,
  );

// Three times as fast in SQLite as the same with a list of one.
const updateRoom = (and = "") =>
  `UPDATE rooms SET posts = $3, last_post = $4, changed = $4, last_active = $5${and} ` +
  "WHERE seq = $1 AND changed = $2 AND closed_at IS NULL";

/** The statements for rooms that stay in the second in which they are listed, and for others. */
const staying = { one: updateRoom(), several: updateRooms() };
const moving = { one: updateRoom(andSecond("$5")), several: updateRooms(andSecond("given.column5")) };

/** The statements for rooms of which one has got another pace, or another time until which names are slowed down. */
const pacing = {
  one: updateRoom(`${andSecond("$5")}, pace = $6, slowed_until = $7`),
  several: updateRooms(
    `${andSecond("given.column5")}, pace = given.column6, slowed_until = given.column7`,
    7,
  ),
};

/** Updates rooms for their new posts, unless another change came first or one is closed. */
export function countPosts(tx: Tx, rooms: readonly GrownRoom[]): Promise<void> {
  if (rooms.some(({ is_paced }) => is_paced)) return countPacing(tx, rooms);
  const is_moving = rooms.some(
    ({ last_active, active_second }) => last_active.slice(0, second_chars) !== active_second,
  );
  const { one, several } = is_moving ? moving : staying;
  if (rooms.length === 1) {
    const { seq, was_changed, posts, changed, last_active } = rooms[0]!;
    return tx.change(1, one, seq, was_changed, posts, changed, last_active);
  }
  const rows = rooms.map(({ seq, was_changed, posts, changed, last_active }) => [
    String(seq),
    was_changed,
    String(posts),
    changed,
    last_active,
  ]);
  return tx.change(rooms.length, ...several(rows));
}

function countPacing(tx: Tx, rooms: readonly GrownRoom[]): Promise<void> {
  const rows = rooms.map((room) => {
    const { seq, was_changed, posts, changed, last_active, pace, slowed_until } = room;
    return [String(seq), was_changed, String(posts), changed, last_active, pace, slowed_until];
  });
  if (rooms.length > 1) return tx.change(rooms.length, ...pacing.several(rows));
  const { seq, was_changed, posts, changed, last_active, pace, slowed_until } = rooms[0]!;
  return tx.change(1, pacing.one, seq, was_changed, posts, changed, last_active, pace, slowed_until);
}
