/** Queries of leases. Each runs on one snapshot. */

import { shownTime, steadyTime, type Moment } from "../../core/clock.ts";
import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { Tx } from "../../core/storage.ts";
import type { CheckedLeases, Lease, LeaseList, ShownLeases } from "../../api/leases.ts";
import { lease_limits } from "../../api/limits.ts";
import { roomOrFailure } from "../lookup.ts";
import { lease_internal_limits } from "./limits.ts";
import { lineOf } from "./line_store.ts";
import { fencesOn, leasesOn, type Obstacle } from "./obstacles_store.ts";
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
  const { limit, own } = query;
  const { seq } = await roomOrFailure(tx, query.room);
  const rows = await nextLeases(tx, seq, { ...query, limit: limit + 1 });
  const leases: LeaseList["leases"] = [];
  for (const row of rows.slice(0, limit)) {
    const lease = await leaseFromRow(tx, row, query);
    leases.push(row.holder === own ? { ...lease, fence: row.fence } : lease);
  }
  return {
    leases,
    next: rows.length > limit ? encodeCursor(rows[limit - 1]!.fence) : null,
    in_line: await lineOf(tx, seq, steadyTime(query), lease_internal_limits.line_shown_max),
  };
}

async function nextLeases(tx: Tx, room: number, query: ListQuery): Promise<store.LeaseRow[]> {
  const { prefix: path, limit, cursor } = query;
  const now = steadyTime(query);
  const after = cursor === undefined ? 0 : decodeCursor(cursor, isFence);
  if (path === undefined) return store.leasesAfter(tx, room, after, now, limit);
  const rows: store.LeaseRow[] = [];
  for (const fence of await fencesOn(tx, { room, path, after, now, limit }))
    rows.push((await store.findLease(tx, room, fence, now))!);
  return rows;
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
  const isYours = (path: string, { holder, fence }: Obstacle) => holder === own || fences.get(path) === fence;
  const checked: Omit<CheckedLeases, "treat_as"> = { held: [], stale: [] };
  const leasesOf = await leasesByPath(tx, room, query);
  for (const path of paths) {
    const leases = await leasesOf(path);
    // Of several leases below a directory, one of somebody else decides.
    const lease = leases.find((one) => !isYours(path, one)) ?? leases[0];
    if (lease)
      checked.held.push({
        path,
        lease_path: lease.path,
        holder: lease.holder_name,
        ...(lease.purpose !== null && { purpose: lease.purpose }),
        until: shownTime(lease.expires, ahead_ms),
        yours: isYours(path, lease),
        ...(lease.holder === own && { fence: lease.fence! }),
      });
    if (fences.has(path) && !(await isHeldBy(tx, room, path, fences.get(path)!, query)))
      checked.stale.push(path);
  }
  return checked;
}

/** Reads the leases on some paths at once. If there are very many, the returned function reads some of those on each path. */
async function leasesByPath(tx: Tx, room: number, { paths, own, ...at }: CheckQuery) {
  const now = steadyTime(at);
  const { checked_leases_max, leases_checked_per_path } = lease_internal_limits;
  const found = await leasesOn(tx, { room, paths, now, own, limit: checked_leases_max });
  if (found.length < checked_leases_max)
    return async (path: string) => found.filter((lease) => overlap(lease.path, path));
  return (path: string) => leasesOn(tx, { room, paths: [path], now, own, limit: leases_checked_per_path });
}

/** Whether the lease with this number holds the path. */
async function isHeldBy(tx: Tx, room: number, path: string, fence: number, at: Moment): Promise<boolean> {
  if ((await store.findLease(tx, room, fence, steadyTime(at))) === undefined) return false;
  const covering = [path, ...ancestorsOf(path)];
  return (await store.pathsOf(tx, room, fence)).some((held) => covering.includes(held));
}
