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

/**
 * Leases on these paths, and places in line for them before the place `before` of others than `name`: the last to end first, at most
 * `limit` of each.
 */
export async function obstaclesOf(
  tx: Tx,
  {
    room,
    paths,
    now,
    limit,
    line,
  }: {
    room: number;
    paths: readonly string[];
    now: string;
    limit: number;
    /** Null: places in line do not count. */
    line: { before: number; name: string } | null;
  },
): Promise<Obstacle[]> {
  const leased: SqlValue[] = [room, now, limit];
  const of_leases = onPaths(
    "SELECT leased_paths.path, leases.fence, leases.holder, leases.purpose, leases.expires " +
      "FROM leased_paths JOIN leases ON leases.room = leased_paths.room AND leases.fence = leased_paths.fence " +
      "WHERE leased_paths.room = $1 AND leases.expires > $2",
    "leased_paths.path",
    paths,
    leased,
  );
  const found = await tx.all<Obstacle>(obstacles(of_leases, "fence"), ...leased);
  if (line === null) return found;
  const awaited: SqlValue[] = [room, now, limit, line.before, line.name];
  const of_places = onPaths(
    "SELECT awaited_paths.path, lease_places.place, lease_places.name AS holder, NULL AS purpose, lease_places.expires " +
      "FROM awaited_paths JOIN lease_places ON lease_places.room = awaited_paths.room AND lease_places.place = awaited_paths.place " +
      "WHERE awaited_paths.room = $1 AND lease_places.expires > $2 AND lease_places.place < $4 AND lease_places.name <> $5",
    "awaited_paths.path",
    paths,
    awaited,
  );
  return [...found, ...(await tx.all<Obstacle>(obstacles(of_places, "NULL"), ...awaited))];
}

const obstacles = (found: string, fence: string): string =>
  `SELECT found.path, ${fence === "NULL" ? "NULL" : "found.fence"} AS fence, found.holder, COALESCE(names.name, found.holder) AS holder_name, ` +
  `found.purpose, found.expires FROM (${found}) AS found LEFT JOIN names ON names.canonical = found.holder ` +
  "ORDER BY found.expires DESC LIMIT $3";
