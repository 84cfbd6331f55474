/**
 * SQL of what is in the way of paths: leases, and places in line. `now` is steady time. Anybody can lease many paths below one, or ask
 * about long paths: each range of paths is a search in an index, and ends after `limit` rows.
 */

import type { SqlValue, Tx } from "../../core/storage.ts";
import { ancestorsOf, belowPath } from "./paths.ts";
import { named, type LeaseRow } from "./store.ts";

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

/** Repeats the last value up to a power of two, so that engines have few statements to prepare. */
const padded = <Value>(values: readonly Value[]): Value[] => {
  const list = [...values];
  while ((list.length & (list.length - 1)) !== 0) list.push(list.at(-1)!);
  return list;
};

/** Adds values of a statement, and returns their places in it. */
const placesIn =
  (values: SqlValue[]) =>
  (value: SqlValue): string =>
    `$${values.push(value)}`;

/** The condition that a path is one of `paths` or covers one. */
function covering(column: string, paths: readonly string[], values: SqlValue[]): string {
  const all = new Set(paths.flatMap((path) => [path, ...ancestorsOf(path)]));
  return `${column} IN (${padded([...all])
    .map(placesIn(values))
    .join(", ")})`;
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
  "FROM leased_paths JOIN leases ON leases.room = leased_paths.room AND leases.fence = leased_paths.fence " +
  "WHERE leased_paths.room = $1 AND leases.expires > $2";

const awaited =
  "SELECT awaited_paths.path, NULL AS fence, lease_places.name AS holder, NULL AS purpose, lease_places.expires " +
  "FROM awaited_paths JOIN lease_places ON lease_places.room = awaited_paths.room AND lease_places.place = awaited_paths.place " +
  "WHERE awaited_paths.room = $1 AND lease_places.expires > $2 AND lease_places.name <> $4 AND lease_places.place < $5";

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

/** A path, and the leases below it that do not count: those of a name, and the one with this number. */
export interface Below {
  path: string;
  not_of: string;
  not_fence: number;
}

/** For each of `wanted`, by its index `at`, a lease in force below its path, if there is one. */
export function leasesBelow(
  tx: Tx,
  { room, now, wanted }: { room: number; now: string; wanted: readonly Below[] },
): Promise<(Obstacle & { at: number })[]> {
  const values: SqlValue[] = [room, now];
  const place = placesIn(values);
  const found = padded(wanted).map(({ path, not_of, not_fence }, at) => {
    const select = leased.replace("SELECT ", `SELECT ${at} AS at, `);
    const others = `leases.holder <> ${place(not_of)} AND leases.fence <> ${place(not_fence)}`;
    return `SELECT * FROM (${select} AND ${below("leased_paths.path", path, values)} AND ${others} LIMIT 1) AS part`;
  });
  return tx.all(withNames(found.join(" UNION ALL ")), ...values);
}

/** The next leases of a room on a path, the earliest taken first. */
export function leasesOnPath(
  tx: Tx,
  {
    room,
    path,
    after,
    now,
    limit,
  }: { room: number; path: string; after: number; now: string; limit: number },
): Promise<LeaseRow[]> {
  const values: SqlValue[] = [room, after, now, limit];
  const select = "SELECT fence FROM leased_paths WHERE room = $1 AND fence > $2";
  const fences =
    `${select} AND ${covering("path", [path], values)} UNION ` +
    `${select} AND ${below("path", path, values)}`;
  return tx.all<LeaseRow>(
    `${named} WHERE leases.room = $1 AND leases.fence IN (${fences}) AND leases.expires > $3 ORDER BY leases.fence LIMIT $4`,
    ...values,
  );
}
