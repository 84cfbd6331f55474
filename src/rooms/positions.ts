/** Positions in a room, as callers give them: the number of a post (57, "57" or "#57"), its id, or a time. */

import { isoTime, parseTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { isId, timeMs } from "../storage/packed.ts";
import { timeOfId } from "../storage/search.ts";
import { numberAt } from "./places_store.ts";
import { room_errors } from "./errors.ts";
import { removedText } from "./removal_notes.ts";
import * as posts_store from "./posts_store.ts";
import * as store from "./store.ts";

/** The number or the id of a post. */
export type PostRef = string | number;

/** A post, or a time. Number 0 is the beginning of the room. */
export type Position = PostRef;

const number_form = /^#?([0-9]{1,15})$/;

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
  if (n !== null) return posts_store.findNumberedPost(tx, room, n, with_salt);
  const id = String(given).toLowerCase();
  return isId(id) ? posts_store.findPost(tx, room, id, with_salt) : Promise.resolve(undefined);
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
 * id that no post of this room has says when it was made (RFC 9562, section 5.7): one from the time of the removed posts is taken for
 * theirs.
 */
function removedAt(room: RoomWithRemoved, given: PostRef): string | null {
  const { removed_through, removed_until, created } = room;
  if (removed_until === null) return null;
  const n = numberIn(given);
  if (n !== null) {
    if (n === removed_through) return removed_until;
    return n > 0 && n < removed_through ? beginning : null;
  }
  const id = String(given).toLowerCase();
  const made = isId(id) ? timeOfId(id) : null;
  if (made === null || made < created || made > removed_until) return null;
  return made;
}

/** Whether `given`, which names no stored post of this room, names a removed one. */
export const isRemoved = (room: RoomWithRemoved, given: PostRef): boolean => removedAt(room, given) !== null;

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
  if (isRemoved(room, given)) throw postRemoved(room);
  throw new ServiceError(room_errors.post_not_found, "This room has no post with that number or id.");
}

/** Whether `given` is the number or the id of a post, rather than a time. */
const isPostRef = (given: Position): boolean => numberIn(given) !== null || isId(String(given));

/** The time that `given` is in every room; null if it names a post, or nothing. */
export const timeIn = (given: Position): string | null =>
  numberIn(given) === 0 ? beginning : isPostRef(given) ? null : parseTime(String(given));

/** A position in a room: its time, and the number of the post that it names. */
export interface Place {
  ts: string;
  n?: number;
}

/** A position in a room; null if there is no such position. */
export async function findPlace(tx: Tx, room: store.RoomRow, given: Position): Promise<Place | null> {
  const time = timeIn(given);
  if (time !== null) return { ts: time };
  if (!isPostRef(given)) return null;
  const post = await findPost(tx, room.seq, given);
  if (post) return { ts: post.ts, n: post.n };
  const removed = removedAt(room, given);
  return removed === null ? null : { ts: removed };
}

/** The position in the field `path`. Throws `invalid_fields`. */
export async function placeIn(tx: Tx, room: store.RoomRow, path: string, given: Position): Promise<Place> {
  const found = await findPlace(tx, room, given);
  if (found !== null) return found;
  const message = isPostRef(given)
    ? noSuchPost(room, given)
    : "must be the number or the id of a post, or an ISO 8601 time such as 2026-03-01T12:00:00.000Z";
  throw invalidFields([{ path, message }]);
}

/** The number of the latest post at or before a position. */
export const lastAt = async (tx: Tx, room: store.RoomRow, { ts, n }: Place): Promise<number> =>
  n ?? numberAt(tx, room, ts);

/** The number of the latest post before a position. */
export const lastBefore = async (tx: Tx, room: store.RoomRow, { ts, n }: Place): Promise<number> =>
  n === undefined ? numberAt(tx, room, isoTime(timeMs(ts) - 1)) : n - 1;
