/** Queries of leases. Each runs on one snapshot. */

import { shownTime, steadyTime, type Moment } from "../../core/clock.ts";
import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { Tx } from "../../core/storage.ts";
import type { CheckedLeases, Lease, LeaseList, ShownLeases } from "../../api/leases.ts";
import { lease_limits } from "../../api/limits.ts";
import { roomOrFailure } from "../lookup.ts";
import { lease_internal_limits } from "./limits.ts";
import { lineOf } from "./line_store.ts";
import { obstaclesOf, type Obstacle } from "./obstacles_store.ts";
import { ancestorsOf, overlap } from "./paths.ts";
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
  const leases: LeaseList["leases"] = [];
  let after = query.cursor === undefined ? 0 : decodeCursor(query.cursor, isFence);
  for (let more = true; more && leases.length < limit;) {
    const rows = await store.leasesAfter(tx, seq, after, now, limit);
    more = rows.length === limit;
    for (const row of rows.slice(0, limit)) {
      if (leases.length === limit) break;
      after = row.fence;
      const lease = await leaseFromRow(tx, row, query);
      if (prefix !== undefined && !lease.paths.some((path) => overlap(path, prefix))) continue;
      leases.push(row.holder === own ? { ...lease, fence: row.fence } : lease);
    }
    if (!more) after = 0;
  }
  const has_next = after > 0 && (await store.leasesAfter(tx, seq, after, now, 1)).length > 0;
  return {
    leases,
    next: has_next ? encodeCursor(after) : null,
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

/** The leases on some of the paths: at most as many as fit in one statement. Throws `room_not_found` and `room_deleted`. */
export async function checkSlice(tx: Tx, query: CheckQuery): Promise<Omit<CheckedLeases, "treat_as">> {
  const { paths, fences, own, ahead_ms } = query;
  const { seq: room } = await roomOrFailure(tx, query.room);
  const limit = lease_internal_limits.checked_leases_max;
  const found = await obstaclesOf(tx, { room, paths, now: steadyTime(query), limit, line: null });
  const on = (path: string) => found.filter((lease) => overlap(lease.path, path));
  const isYours = (path: string, { holder, fence }: Obstacle) =>
    holder === own || (fences.has(path) && fences.get(path) === fence);
  const held = paths.flatMap((path) => {
    // Of several leases below a directory, one of somebody else decides.
    const leases = on(path);
    const lease = leases.find((one) => !isYours(path, one)) ?? leases[0];
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
  const covers = (path: string, lease: Obstacle) => [path, ...ancestorsOf(path)].includes(lease.path);
  const stale = paths.filter(
    (path) => fences.has(path) && !found.some((one) => one.fence === fences.get(path) && covers(path, one)),
  );
  return { held, stale };
}
