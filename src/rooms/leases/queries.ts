/** Queries of leases. Each runs on one snapshot. */

import { shownTime, steadyTime, type Moment } from "../../core/clock.ts";
import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { Tx } from "../../core/storage.ts";
import type { CheckedLeases, Lease, LeaseList, ShownLeases } from "../../api/leases.ts";
import { lease_limits } from "../../api/limits.ts";
import { roomOrFailure } from "../lookup.ts";
import { lease_internal_limits } from "./limits.ts";
import { lineOf } from "./line_store.ts";
import { leasesBelow, leasesCovering, leasesOnPath, type Below, type Obstacle } from "./obstacles_store.ts";
import { ancestorsOf } from "./paths.ts";
import * as store from "./store.ts";

/** A lease for those who read the room. */
async function leaseFromRow(tx: Tx, row: store.LeaseRow, { ahead_ms }: Moment): Promise<Lease> {
  return {
    holder: row.holder_name,
    paths: await store.pathsOf(tx, row.room, row.fence),
    ...(row.purpose !== null && { purpose: row.purpose }),
    since: shownTime(row.taken, ahead_ms),
    until: shownTime(row.expires, ahead_ms),
  };
}

/** The leases of a room, given by its seq, for those who read it; undefined if there are none. */
export async function shownLeases(tx: Tx, room: number, at: Moment): Promise<ShownLeases | undefined> {
  const limit = lease_limits.leases_shown_max;
  const rows = await store.leasesAfter(tx, room, 0, steadyTime(at), limit + 1);
  if (rows.length === 0) return undefined;
  const leases: Lease[] = [];
  for (const row of rows.slice(0, limit)) leases.push(await leaseFromRow(tx, row, at));
  return { leases, more: rows.length > limit };
}

interface ListQuery extends Moment {
  room: string;
  /** Only leases on this path. */
  prefix: string | undefined;
  limit: number;
  cursor: string | undefined;
  /** The canonical form of the caller's name: its own leases show their numbers. */
  own: string | undefined;
}

const isFence = (value: unknown): value is number => Number.isSafeInteger(value);

/** A page of the leases of a room, the earliest taken first. Throws `room_not_found` and `room_deleted`. */
export async function listLeases(tx: Tx, query: ListQuery): Promise<Omit<LeaseList, "treat_as">> {
  const { limit, prefix, own } = query;
  const { seq } = await roomOrFailure(tx, query.room);
  const now = steadyTime(query);
  const after = query.cursor === undefined ? 0 : decodeCursor(query.cursor, isFence);
  const rows =
    prefix === undefined
      ? await store.leasesAfter(tx, seq, after, now, limit + 1)
      : await leasesOnPath(tx, { room: seq, path: prefix, after, now, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const leases: LeaseList["leases"] = [];
  for (const row of shown) {
    const lease = await leaseFromRow(tx, row, query);
    leases.push(row.holder === own ? { ...lease, fence: row.fence } : lease);
  }
  return {
    leases,
    next: rows.length > limit ? encodeCursor(shown.at(-1)!.fence) : null,
    in_line: await lineOf(tx, seq, now, lease_internal_limits.line_shown_max),
  };
}

interface CheckQuery extends Moment {
  room: string;
  /** Normal paths. */
  paths: readonly string[];
  /** The numbers of leases that are said to hold a path. */
  fences: ReadonlyMap<string, number>;
  own: string | undefined;
}

/** The leases on some of the paths: as many as fit in one statement. Throws `room_not_found` and `room_deleted`. */
export async function checkSlice(tx: Tx, query: CheckQuery): Promise<Omit<CheckedLeases, "treat_as">> {
  const { paths, fences, own, ahead_ms } = query;
  const { seq: room } = await roomOrFailure(tx, query.room);
  const now = steadyTime(query);
  const above = new Map(
    (await leasesCovering(tx, { room, paths, now })).map((lease) => [lease.path, lease] as const),
  );
  const aboveOf = (path: string) =>
    [path, ...ancestorsOf(path)].map((one) => above.get(one)).find((lease) => lease !== undefined);
  // Where a lease covers a path, there is none below it.
  const open = paths.filter((path) => !aboveOf(path));
  // Of several leases below a directory, one of somebody else decides.
  const others = open.map((path) => ({ path, not_of: own ?? "", not_fence: fences.get(path) ?? 0 }));
  const below = await belowEach(tx, room, now, others);
  const rest = open.filter((path) => !below.has(path));
  const yours = await belowEach(
    tx,
    room,
    now,
    rest.map((path) => ({ path, not_of: "", not_fence: 0 })),
  );
  const isYours = (path: string, { holder, fence }: Obstacle) =>
    holder === own || (fences.has(path) && fences.get(path) === fence);
  const held = paths.flatMap((path) => {
    const lease = aboveOf(path) ?? below.get(path) ?? yours.get(path);
    if (!lease) return [];
    return {
      path,
      lease_path: lease.path,
      holder: lease.holder_name,
      ...(lease.purpose !== null && { purpose: lease.purpose }),
      until: shownTime(lease.expires, ahead_ms),
      yours: isYours(path, lease),
      ...(lease.holder === own && { fence: lease.fence! }),
    };
  });
  const stale = paths.filter((path) => fences.has(path) && aboveOf(path)?.fence !== fences.get(path));
  return { held, stale };
}

/** A lease below each of these paths, by the path. */
async function belowEach(
  tx: Tx,
  room: number,
  now: string,
  wanted: readonly Below[],
): Promise<Map<string, Obstacle>> {
  if (wanted.length === 0) return new Map();
  const found = await leasesBelow(tx, { room, now, wanted });
  return new Map(
    found.flatMap(({ at, ...lease }) => (at < wanted.length ? [[wanted[at]!.path, lease] as const] : [])),
  );
}
