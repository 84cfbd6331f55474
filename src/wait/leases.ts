/** Waits for changes of leases in rooms. */

import type { Ready } from "../core/ready.ts";
import type { ReadableSlug } from "../rooms/slug.ts";
import { invalidFields } from "../core/errors.ts";
import { parseTime } from "../core/clock.ts";
import type { ShownLeases } from "../api/leases.ts";
import type { Position } from "../rooms/positions.ts";
import type { Leases } from "../rooms/leases/leases.ts";
import { checkCount, inRoom, placeOf } from "./positions.ts";

/** By slug: the time of the latest change that the caller knows. */
export type LeaseCursors = Record<string, string>;

/** By slug: who holds what by now. */
export type LeaseNews = Record<string, ShownLeases>;

/** Lets the caller into a room. Throws `room_not_found`. */
type AdmitTo = (room: string) => Ready<ReadableSlug>;

/** The reads of leases that a wait needs. */
export type LeaseSource = Pick<Leases, "state" | "topic">;

/** Where to begin in each room, for `now` too. Throws `invalid_fields`, `room_not_found` and `room_deleted`. */
export async function beginLeases(
  { state }: LeaseSource,
  admit: AdmitTo,
  named: Record<string, Position>,
): Promise<LeaseCursors> {
  const entries = Object.entries(named);
  checkCount("leases", entries.length);
  const begun: LeaseCursors = {};
  for (const [i, [room, since]] of entries.entries()) {
    const at = async () =>
      since === "now" ? (await state(await admit(room))).changed : admittedAt(admit, room, String(since));
    begun[room] = await inRoom(placeOf(i, entries.length), at, "leases");
  }
  return begun;
}

async function admittedAt(admit: AdmitTo, room: string, since: string): Promise<string> {
  await admit(room);
  return timeOf(since);
}

function timeOf(since: string): string {
  const time = parseTime(since);
  if (time !== null) return time;
  throw invalidFields([
    { path: "leases", message: "is not now, nor a position that an earlier answer gave out" },
  ]);
}

/** Adds the reads of leases. Each change ends the wait, also one of the caller. */
export function followLeases(
  reads: Map<string, () => Promise<true | null>>,
  { state, topic }: LeaseSource,
  admit: AdmitTo,
  begun: LeaseCursors,
  news: LeaseNews,
): LeaseCursors {
  const cursors = { ...begun };
  for (const [i, room] of Object.keys(begun).entries()) {
    const place = placeOf(i, Object.keys(begun).length);
    reads.set(topic(room), async () => {
      const { shown, changed } = await inRoom(place, async () => state(await admit(room)), "leases");
      if (changed <= cursors[room]!) return null;
      cursors[room] = changed;
      news[room] = shown;
      return true;
    });
  }
  return cursors;
}
