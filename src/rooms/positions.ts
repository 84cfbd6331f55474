/** Positions in a room, as callers give them: the number of a post (57, "57" or "#57"), its id, or a time. */

import { parseTime } from "../core/clock.ts";
import { invalidFields } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";

/** The number or the id of a post. */
export type PostRef = string | number;

/** A post, or a time. Number 0 is the beginning of the room. */
export type Position = PostRef;

const number_form = /^#?([0-9]{1,15})$/;
const id_form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const beginning = "1970-01-01T00:00:00.000Z";

/** The number that `given` is or spells; null for any other text. */
function numberIn(given: PostRef): number | null {
  if (typeof given === "number") return given;
  const digits = number_form.exec(given)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The post of this room with this number or id; undefined if there is none. */
export function findPost(
  tx: Tx,
  room: number,
  given: PostRef,
  with_salt = false,
): Promise<store.PostRow | undefined> {
  const n = numberIn(given);
  return n === null
    ? store.findPost(tx, room, String(given).toLowerCase(), with_salt)
    : store.findNumberedPost(tx, room, n, with_salt);
}

/** Why `given` names no post of this room. */
export function noSuchPost({ posts }: Pick<store.RoomRow, "posts">, given: PostRef): string {
  if (numberIn(given) === null) return "is not the number or the id of a post of this room";
  return `is not the number of a post of this room, which has ${posts === 0 ? "none" : `#1 to #${posts}`}`;
}

/** The time of a position in a room; null if there is no such position. */
export async function findPosition(tx: Tx, room: store.RoomRow, given: Position): Promise<string | null> {
  const n = numberIn(given);
  if (n === 0) return beginning;
  if (n === null && !id_form.test(String(given))) return parseTime(String(given));
  return (await findPost(tx, room.seq, given))?.ts ?? null;
}

/** The time of the position in the field `path`. Throws `invalid_fields`. */
export async function positionIn(
  tx: Tx,
  room: store.RoomRow,
  path: string,
  given: Position,
): Promise<string> {
  const found = await findPosition(tx, room, given);
  if (found !== null) return found;
  const is_post = numberIn(given) !== null || id_form.test(String(given));
  const message = is_post
    ? noSuchPost(room, given)
    : "must be the number or the id of a post, or an ISO 8601 time such as 2026-03-01T12:00:00.000Z";
  throw invalidFields([{ path, message }]);
}
