/** SQL of what is in the way of paths: leases, and places in line. `now` is steady time. */

import type { SqlValue, Tx } from "../../core/storage.ts";
import { ancestorsOf, belowPath } from "./paths.ts";

/** What is in the way of a path: a lease, or an earlier place in line for it. */
export interface Obstacle {
  path: string;
  /** The number of the lease; null for a place in line. */
  fence: number | null;
  holder: string;
  holder_name: string;
  purpose: string | null;
  expires: string;
}

/** Repeats the last value up to a power of two, so that engines have few statements to prepare. */
const padded = <Value>(values: readonly Value[]): Value[] => {
  const list = [...values];
  while ((list.length & (list.length - 1)) !== 0) list.push(list.at(-1)!);
  return list;
};

/**
 * Selects from a table of paths those that cover one of `paths` or lie below one. One part of the statement for each range, so that
 * each is a search in the index.
 */
function onPaths(select: string, column: string, paths: readonly string[], values: SqlValue[]): string {
  const value = (given: SqlValue) => `$${values.push(given)}`;
  const covering = padded([...new Set(paths.flatMap((path) => [path, ...ancestorsOf(path)]))]);
  const ranges = padded(paths.map(belowPath));
  return [
    `${select} AND ${column} IN (${covering.map(value).join(", ")})`,
    ...ranges.map(
      ([after, before]) => `${select} AND ${column} > ${value(after)} AND ${column} < ${value(before)}`,
    ),
  ].join(" UNION ");
}

interface OnPaths {
  /** By its seq. */
  room: number;
  paths: readonly string[];
  now: string;
  /** The most leases that are read, and the most places. */
  limit: number;
  /** The canonical form of a name whose leases come after those of others. */
  own: string | undefined;
}

/** Leases on these paths: those of others first, and of these the last to end. */
export function leasesOn(tx: Tx, { room, paths, now, limit, own = "" }: OnPaths): Promise<Obstacle[]> {
  const values: SqlValue[] = [room, now, limit, own];
  const found = onPaths(
    "SELECT leased_paths.path, leases.fence, leases.holder, leases.purpose, leases.expires " +
      "FROM leased_paths JOIN leases ON leases.room = leased_paths.room AND leases.fence = leased_paths.fence " +
      "WHERE leased_paths.room = $1 AND leases.expires > $2",
    "leased_paths.path",
    paths,
    values,
  );
  return tx.all<Obstacle>(
    "SELECT found.*, COALESCE(names.name, found.holder) AS holder_name " +
      `FROM (${found}) AS found LEFT JOIN names ON names.canonical = found.holder ` +
      "ORDER BY CASE WHEN found.holder = $4 THEN 1 ELSE 0 END, found.expires DESC LIMIT $3",
    ...values,
  );
}

/** Places of others in line for these paths that come before the place `before`: the last to end first. */
export function placesOn(
  tx: Tx,
  { room, paths, now, limit, own = "", before }: OnPaths & { before: number },
): Promise<Obstacle[]> {
  const values: SqlValue[] = [room, now, limit, own, before];
  const found = onPaths(
    "SELECT awaited_paths.path, lease_places.place, lease_places.name AS holder, lease_places.expires " +
      "FROM awaited_paths JOIN lease_places ON lease_places.room = awaited_paths.room AND lease_places.place = awaited_paths.place " +
      "WHERE awaited_paths.room = $1 AND lease_places.expires > $2 AND lease_places.name <> $4 AND lease_places.place < $5",
    "awaited_paths.path",
    paths,
    values,
  );
  return tx.all<Obstacle>(
    "SELECT found.path, NULL AS fence, found.holder, COALESCE(names.name, found.holder) AS holder_name, NULL AS purpose, found.expires " +
      `FROM (${found}) AS found LEFT JOIN names ON names.canonical = found.holder ORDER BY found.expires DESC LIMIT $3`,
    ...values,
  );
}

/** The next leases of a room on a path, the earliest taken first. */
export async function fencesOn(
  tx: Tx,
  {
    room,
    path,
    after,
    now,
    limit,
  }: { room: number; path: string; after: number; now: string; limit: number },
): Promise<number[]> {
  const values: SqlValue[] = [room, now, limit, after];
  const found = onPaths(
    "SELECT leases.fence FROM leased_paths JOIN leases ON leases.room = leased_paths.room AND leases.fence = leased_paths.fence " +
      "WHERE leased_paths.room = $1 AND leases.expires > $2 AND leased_paths.fence > $4",
    "leased_paths.path",
    [path],
    values,
  );
  const rows = await tx.all<{ fence: number }>(
    `SELECT found.fence FROM (${found}) AS found ORDER BY found.fence LIMIT $3`,
    ...values,
  );
  return rows.map(({ fence }) => fence);
}
