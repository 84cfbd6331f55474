/** Queries of leases. Each runs on one snapshot. */

import type { ReadableSlug } from "../slug.ts";
import { shownTime, steadyTime, type Moment } from "../../core/clock.ts";
import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { Tx } from "../../core/storage.ts";
import type { CheckedLeases, Lease, LeaseList, ShownLeases } from "../../api/leases.ts";
import { lease_limits } from "../../api/limits.ts";
import { roomOrFailure } from "../lookup.ts";
import { lease_internal_limits } from "./limits.ts";
import { lineOf } from "./line_store.ts";
import {
  leasesCovering,
  leasesInRanges,
  fencesOnPath,
  type Obstacle,
  type PathRange,
} from "./obstacles_store.ts";
import { ancestorsOf, belowPath, byBytes } from "./paths.ts";
import * as store from "./store.ts";

/** Leases of a room for those who read it. */
async function leasesFromRows(
  tx: Tx,
  room: number,
  rows: readonly store.LeaseRow[],
  { ahead_ms }: Moment,
): Promise<Lease[]> {
  const paths = await store.pathsOfEach(
    tx,
    room,
    rows.map(({ fence }) => fence),
  );
  return rows.map((row) => ({
    holder: row.holder_name,
    paths: paths.get(row.fence)!,
    ...(row.purpose !== null && { purpose: row.purpose }),
    since: shownTime(row.taken, ahead_ms),
    until: shownTime(row.expires, ahead_ms),
  }));
}

/** The first leases of a room, given by its seq, for those who read it; undefined if there are none. */
export async function shownLeases(tx: Tx, room: number, at: Moment): Promise<ShownLeases | undefined> {
  const { leases_shown_max: limit, leased_paths_shown_max } = lease_limits;
  const rows = await store.leasesAfter(tx, room, 0, steadyTime(at), limit + 1);
  if (rows.length === 0) return undefined;
  const leases: Lease[] = [];
  let paths = 0;
  for (const lease of await leasesFromRows(tx, room, rows.slice(0, limit), at)) {
    paths += lease.paths.length;
    if (leases.length > 0 && paths > leased_paths_shown_max) break;
    leases.push(lease);
  }
  return { leases, more: rows.length > leases.length };
}

/** What a room, given by its slug, shows of its leases, and when one changed last. Throws `room_not_found` and `room_deleted`. */
export async function leaseState(
  tx: Tx,
  slug: ReadableSlug,
  at: Moment,
): Promise<{ shown: ShownLeases; changed: string }> {
  const { seq, created } = await roomOrFailure(tx, slug);
  return {
    shown: (await shownLeases(tx, seq, at)) ?? { leases: [], more: false },
    changed: (await store.changedIn(tx, seq)) ?? created,
  };
}

interface ListQuery extends Moment {
  room: ReadableSlug;
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
  const leases = (await leasesFromRows(tx, seq, shown, query)).map((lease, i) => {
    const { holder, fence } = shown[i]!;
    return holder === own ? { ...lease, fence } : lease;
  });
  return {
    leases,
    next: rows.length > limit ? encodeCursor(shown.at(-1)!.fence) : null,
    in_line: await lineOf(tx, seq, now, lease_internal_limits.line_shown_max),
  };
}

/** The next leases of a room on a path, the earliest taken first: at least `limit`, if there are so many. */
async function leasesOnPath(
  tx: Tx,
  { now, after, ...wanted }: Parameters<typeof fencesOnPath>[1] & { now: string },
): Promise<store.LeaseRow[]> {
  const leases: store.LeaseRow[] = [];
  for (let last = after; leases.length < wanted.limit;) {
    const fences = await fencesOnPath(tx, { ...wanted, after: last });
    leases.push(...(await store.findLeases(tx, wanted.room, fences, now)));
    if (fences.length < wanted.limit) break;
    last = fences.at(-1)!;
  }
  return leases;
}

interface CheckQuery extends Moment {
  room: ReadableSlug;
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
  const others = await othersBelow(tx, room, now, { paths: open, fences, own });
  const rest = open.filter((path) => !others.has(path));
  const ranges = rest.map(belowPath);
  const any = await leasesIn(tx, { room, now, ranges, own: "", limit: 1 });
  const yours = new Map(
    rest.flatMap((path, at) => any[at]!.slice(0, 1).map((lease) => [path, lease] as const)),
  );
  const isYours = (path: string, { holder, fence }: Obstacle) =>
    holder === own || (fences.has(path) && fences.get(path) === fence);
  const held = paths.flatMap((path) => {
    const lease = aboveOf(path) ?? others.get(path) ?? yours.get(path);
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

/** The leases in each of some ranges. */
async function leasesIn(tx: Tx, query: Parameters<typeof leasesInRanges>[1]): Promise<Obstacle[][]> {
  const found: Obstacle[][] = query.ranges.map(() => []);
  if (found.length === 0) return found;
  for (const { at, ...lease } of await leasesInRanges(tx, query)) found[at]?.push(lease);
  return found;
}

/**
 * By path: a lease below it that is not the caller's. A path may lie below another one, and the caller may have thousands of leases
 * there: what lies below several of them is read once.
 */
async function othersBelow(
  tx: Tx,
  room: number,
  now: string,
  { paths, fences, own = "" }: Pick<CheckQuery, "paths" | "fences" | "own">,
): Promise<Map<string, Obstacle>> {
  const all = new Set(paths);
  const nested = new Map<string, string[]>();
  for (const path of paths) {
    const parent = ancestorsOf(path).findLast((above) => all.has(above));
    if (parent !== undefined) nested.set(parent, [...(nested.get(parent) ?? []), path]);
  }
  const ranges = paths.map((path) => rangesAround(path, nested.get(path) ?? []));
  // One more than those of the lease whose number was sent for the path.
  const limit = fences.size > 0 ? lease_limits.paths_per_lease_max + 1 : 1;
  const found = await leasesIn(tx, { room, now, ranges: ranges.flat(), own, limit });
  const leases = new Map<string, Obstacle[]>();
  for (const [i, path] of paths.entries()) leases.set(path, found.splice(0, ranges[i]!.length).flat());
  const others = new Map<string, Obstacle>();
  // The deepest first: each has what was found below those below it.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const below = [path, ...(nested.get(path) ?? [])].flatMap((one) => leases.get(one)!).slice(0, limit);
    leases.set(path, below);
    const other = below.find(({ fence }) => fence !== fences.get(path));
    if (other) others.set(path, other);
  }
  return others;
}

/** What lies below `path`, without what lies below those of `nested`. */
function rangesAround(path: string, nested: readonly string[]): PathRange[] {
  const [start, end] = belowPath(path);
  const inner = nested.map(belowPath).sort(([a], [b]) => byBytes(a, b));
  const starts = [start, ...inner.map(([, after]) => after)];
  const ends = [...inner.map(([before]) => before), end];
  return starts.map((from, i) => [from, ends[i]!]);
}
