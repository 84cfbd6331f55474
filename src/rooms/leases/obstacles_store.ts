/**
 * SQL of what is in the way of paths: leases, and places in line. `now` is steady time. Anybody can lease many paths below one, or ask
 * about long paths: each range of paths is a search in an index, and ends after `limit` rows. SQLite joins tables that are cross joined
 * in this order; for a plus before a column see store.ts.
 */

import type { SqlValue, Tx } from "../../core/storage.ts";
import { padded } from "../../storage/lists.ts";
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

/** Where to look, and for how many rows in each range of paths. */
interface Wanted {
  room: number;
  paths: readonly string[];
  now: string;
  limit: number;
}

/** Adds values of a statement, and returns their places in it. */
const placesIn =
  (values: SqlValue[]) =>
  (value: SqlValue): string =>
    `$${values.push(value)}`;

/** The condition that a path is one of `paths` or covers one. */
function covering(column: string, paths: readonly string[], values: SqlValue[]): string {
  const all = new Set(paths.flatMap((path) => [path, ...ancestorsOf(path)]));
  return `${column} IN (${padded(all).map(placesIn(values)).join(", ")})`;
}

/** The condition that a path lies below another. */
function below(column: string, path: string, values: SqlValue[]): string {
  const [after, before] = belowPath(path).map(placesIn(values));
  return `${column} > ${after} AND ${column} < ${before}`;
}

/** `select` for the paths that cover one of `paths`, and for each range below one. */
const parts = (select: string, column: string, paths: readonly string[], values: SqlValue[]): string =>
  [covering(column, paths, values), ...padded(paths).map((path) => below(column, path, values))]
    .map((condition) => `SELECT * FROM (${select} AND ${condition} LIMIT $3) AS part`)
    .join(" UNION ");

const leased =
  "SELECT leased_paths.path, leases.fence, leases.holder, leases.purpose, leases.expires " +
  "FROM leased_paths CROSS JOIN leases WHERE leases.room = leased_paths.room AND leases.fence = leased_paths.fence " +
  "AND leased_paths.room = $1 AND leases.expires > $2";

const awaited =
  "SELECT awaited_paths.path, NULL AS fence, lease_places.name AS holder, NULL AS purpose, lease_places.expires " +
  "FROM awaited_paths CROSS JOIN lease_places WHERE lease_places.room = awaited_paths.room AND lease_places.place = awaited_paths.place " +
  "AND awaited_paths.room = $1 AND lease_places.expires > $2 AND lease_places.name <> $4 AND +lease_places.place < $5";

/** With the claimed spelling of the holders. */
const withNames = (found: string): string =>
  "SELECT found.*, COALESCE(names.name, found.holder) AS holder_name " +
  `FROM (${found}) AS found LEFT JOIN names ON names.canonical = found.holder`;

/**
 * Leases in force on these paths: those of others than `own` first, and of these the last to end; none only if there is none. Where
 * there are more than `limit` in a range, it is any of them.
 */
export function leasesOn(
  tx: Tx,
  { room, paths, now, limit, own = "" }: Wanted & { own?: string | undefined },
): Promise<Obstacle[]> {
  const values: SqlValue[] = [room, now, limit, own];
  const found = parts(leased, "leased_paths.path", paths, values);
  return tx.all<Obstacle>(
    `${withNames(found)} ORDER BY CASE WHEN found.holder = $4 THEN 1 ELSE 0 END, found.expires DESC LIMIT $3`,
    ...values,
  );
}

/** Places of others than `own` in line for these paths before the place `before`: none only if there is none. */
export function placesFor(
  tx: Tx,
  { room, paths, now, limit, own, before }: Wanted & { own: string; before: number },
): Promise<Obstacle[]> {
  const values: SqlValue[] = [room, now, limit, own, before];
  const found = parts(awaited, "awaited_paths.path", paths, values);
  return tx.all<Obstacle>(`${withNames(found)} ORDER BY found.expires DESC LIMIT $3`, ...values);
}

/** The leases in force that cover one of these paths: at most one for each. */
export function leasesCovering(tx: Tx, { room, paths, now }: Omit<Wanted, "limit">): Promise<Obstacle[]> {
  const values: SqlValue[] = [room, now, paths.length];
  const found = `${leased} AND ${covering("leased_paths.path", paths, values)} LIMIT $3`;
  return tx.all<Obstacle>(withNames(found), ...values);
}

/** Paths from one up to another, which is not in it. */
export type PathRange = [from: string, to: string];

/** For each of the ranges, by its index `at`, up to `limit` paths in it on which others than `own` have leases in force. */
export function leasesInRanges(
  tx: Tx,
  {
    room,
    now,
    ranges,
    own,
    limit,
  }: { room: number; now: string; ranges: readonly PathRange[]; own: string; limit: number },
): Promise<(Obstacle & { at: number })[]> {
  const values: SqlValue[] = [room, now, limit, own];
  const place = placesIn(values);
  const found = padded(ranges).map(([from, to], at) => {
    const select = leased.replace("SELECT ", `SELECT ${at} AS at, `);
    const between = `leased_paths.path >= ${place(from)} AND leased_paths.path < ${place(to)}`;
    return `SELECT * FROM (${select} AND leases.holder <> $4 AND ${between} LIMIT $3) AS part`;
  });
  return tx.all(withNames(found.join(" UNION ALL ")), ...values);
}

/** The next numbers of leases on a path, some of which may have ended. */
export async function fencesOnPath(
  tx: Tx,
  { room, path, after, limit }: { room: number; path: string; after: number; limit: number },
): Promise<number[]> {
  const values: SqlValue[] = [room, after, limit];
  const select = "SELECT fence FROM leased_paths WHERE room = $1 AND +fence > $2";
  const found =
    `${select} AND ${covering("path", [path], values)} ` +
    `UNION ALL ${select} AND ${below("path", path, values)}`;
  const rows = await tx.all<{ fence: number }>(
    `SELECT DISTINCT found.fence FROM (${found}) AS found ORDER BY found.fence LIMIT $3`,
    ...values,
  );
  return rows.map(({ fence }) => fence);
}
