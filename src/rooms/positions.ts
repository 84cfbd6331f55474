/** Positions in a room, as callers give them: the number of a post (57, "57" or "#57"), its id, or a time. */

import { parseTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { timeOfId } from "../storage/search.ts";
import { room_errors } from "./errors.ts";
import { removedText } from "./removal_notes.ts";
import * as posts_store from "./posts_store.ts";
import * as store from "./store.ts";

/** The number or the id of a post. */
export type PostRef = string | number;

/** A post, or a time. Number 0 is the beginning of the room. */
export type Position = PostRef;

const number_form = /^#?([0-9]{1,15})$/;
const id_form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const beginning = "1970-01-01T00:00:00.000Z";

/** The number that `given` is or spells; null for any other text. */
export function numberIn(given: PostRef): number | null {
  if (typeof given === "number") return given;
  const digits = number_form.exec(given)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether `given` is the number or the id of this post. */
export function names(given: PostRef, { n, id }: Pick<posts_store.PostRow, "n" | "id">): boolean {
  const number = numberIn(given);
  return number === null ? String(given).toLowerCase() === id : number === n;
}

/** The post of this room with this number or id; undefined if there is none. */
export function findPost(
  tx: Tx,
  room: number,
  given: PostRef,
  with_salt = false,
): Promise<posts_store.PostRow | undefined> {
  const n = numberIn(given);
  return n === null
    ? posts_store.findPost(tx, room, String(given).toLowerCase(), with_salt)
    : posts_store.findNumberedPost(tx, room, n, with_salt);
}

/** Why `given` names no post of this room. */
export function noSuchPost(
  { posts, removed_through }: Pick<store.RoomRow, "posts" | "removed_through">,
  given: PostRef,
): string {
  if (numberIn(given) === null) return "is not the number or the id of a post of this room";
  const has = posts === removed_through ? "none" : `#${removed_through + 1} to #${posts}`;
  return `is not the number of a post of this room, which has ${has}`;
}

type RoomWithRemoved = Pick<store.RoomRow, "created"> & store.RemovedPosts;

/**
 * The time of a removed post of this room, or an earlier time; null if `given` names no removed post. A number is known. An
 * id says when it was made (RFC 9562, section 5.7): one from the time of the removed posts that no post has is taken for
 * theirs.
 */
async function removedAt(tx: Tx, room: RoomWithRemoved, given: PostRef): Promise<string | null> {
  const { removed_through, removed_until, created } = room;
  if (removed_until === null) return null;
  const n = numberIn(given);
  if (n !== null) {
    if (n === removed_through) return removed_until;
    return n > 0 && n < removed_through ? beginning : null;
  }
  const id = String(given).toLowerCase();
  const made = id_form.test(id) ? timeOfId(id) : null;
  if (made === null || made < created || made > removed_until) return null;
  return (await posts_store.hasPost(tx, id)) ? null : made;
}

/** Whether `given` names a removed post of this room. */
export const isRemoved = async (tx: Tx, room: RoomWithRemoved, given: PostRef): Promise<boolean> =>
  (await removedAt(tx, room, given)) !== null;

/** The error for a removed post. */
export const postRemoved = (room: store.RemovedPosts): ServiceError =>
  new ServiceError(room_errors.post_removed, removedText(room));

/** The stored post of a room with this number or id. Throws `post_removed` or `post_not_found`. */
export async function postOrFailure(
  tx: Tx,
  room: store.RoomRow,
  given: PostRef,
  with_salt = false,
): Promise<posts_store.PostRow> {
  const post = await findPost(tx, room.seq, given, with_salt);
  if (post) return post;
  if (await isRemoved(tx, room, given)) throw postRemoved(room);
  throw new ServiceError(room_errors.post_not_found, "This room has no post with that number or id.");
}

/** Whether `given` is the number or the id of a post, rather than a time. */
const isPostRef = (given: Position): boolean => numberIn(given) !== null || id_form.test(String(given));

/** The time that `given` is in every room; null if it names a post, or nothing. */
export const timeIn = (given: Position): string | null =>
  numberIn(given) === 0 ? beginning : isPostRef(given) ? null : parseTime(String(given));

/** The time of a position in a room; null if there is no such position. */
export async function findPosition(tx: Tx, room: store.RoomRow, given: Position): Promise<string | null> {
  const time = timeIn(given);
  if (time !== null || !isPostRef(given)) return time;
  return (await findPost(tx, room.seq, given))?.ts ?? removedAt(tx, room, given);
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
  const message = isPostRef(given)
    ? noSuchPost(room, given)
    : "must be the number or the id of a post, or an ISO 8601 time such as 2026-03-01T12:00:00.000Z";
  throw invalidFields([{ path, message }]);
}
