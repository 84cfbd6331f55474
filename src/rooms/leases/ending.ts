/** Leases and places in line that end by time, with their room, or with the name of their holder. */

import { steadyTime, type Moment } from "../../core/clock.ts";
import type { Tx } from "../../core/storage.ts";
import { findRoom, findRoomBySeq, type RoomRow } from "../store.ts";
import { changeRoom } from "./changes.ts";
import { lease_internal_limits } from "./limits.ts";
import * as line from "./line_store.ts";
import * as store from "./store.ts";
import { leasesTopic } from "./topic.ts";

/**
 * Removes what has ended in a room, in steps: those who wait are woken. Leases count as ended from the moment at which their time is up.
 * Returns whether there may be more.
 */
export async function settleRoom(tx: Tx, input: Moment & { room: string }): Promise<{ more: boolean }> {
  const room = await findRoom(tx, input.room);
  if (!room) return { more: false };
  const now = steadyTime(input);
  const limit = lease_internal_limits.ended_per_command;
  const leases = await store.deleteEndedLeases(tx, room.seq, now, limit);
  const places = await line.deleteEndedPlaces(tx, room.seq, now, limit);
  if (leases > 0) await changeRoom(tx, room, input.now_ms);
  else if (places > 0) tx.announce(leasesTopic(room.slug));
  return { more: leases === limit || places === limit };
}

/** Ends the leases and places of a room that is deleted. `slug`: its address. */
export async function endLeasesIn(tx: Tx, seq: number, slug: string): Promise<void> {
  await store.deleteLeasesIn(tx, seq);
  await line.deletePlacesIn(tx, seq);
  tx.announce(leasesTopic(slug));
}

/** Ends the leases and places of a name that is suspended or released. */
export async function endLeasesOf(tx: Tx, canonical: string, { now_ms }: Moment): Promise<void> {
  const rooms = new Set([
    ...(await line.deletePlacesOf(tx, canonical)),
    ...(await store.deleteLeasesOf(tx, canonical)),
  ]);
  for (const seq of rooms) await changeRoom(tx, (await findRoomBySeq(tx, seq))!, now_ms);
}

/** Ends the leases and places of a name in one room. */
export async function endLeasesOfMember(
  tx: Tx,
  room: RoomRow,
  canonical: string,
  now_ms: number,
): Promise<void> {
  const places = await line.deletePlacesOf(tx, canonical, room.seq);
  const leases = await store.deleteLeasesOf(tx, canonical, room.seq);
  if (places.length > 0 || leases.length > 0) await changeRoom(tx, room, now_ms);
}

/** Raises the numbers of leases in a copy of a database. */
export const raiseFences = (tx: Tx): Promise<unknown> =>
  store.raiseFences(tx, lease_internal_limits.fences_left_in_a_copy);
