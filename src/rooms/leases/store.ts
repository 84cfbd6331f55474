/**
 * SQL of leases. A lease whose time is up counts as ended everywhere. `now` is steady time. A plus before a column keeps SQLite from
 * searching by it: it would read all leases of a room.
 */

import type { SqlValue, Tx } from "../../core/storage.ts";
import { padded } from "../../storage/lists.ts";
import { countRows, insertOf } from "../../storage/rows.ts";

export interface LeaseRow {
  room: number;
  /** Its number in the room. */
  fence: number;
  /** The canonical form of a claimed name, and its claimed spelling. */
  holder: string;
  holder_name: string;
  purpose: string | null;
  /** Steady times. */
  taken: string;
  expires: string;
}

/** Adds the row of a room that has none. */
export const openRoom = (tx: Tx, room: number) =>
  tx.run(
    "INSERT INTO lease_rooms (room, fence, place) VALUES ($1, 0, 0) ON CONFLICT (room) DO NOTHING",
    room,
  );

/** Takes the next number of a lease in the room. */
export const nextFence = async (tx: Tx, room: number): Promise<number> =>
  (await tx.get<{ fence: number }>(
    "UPDATE lease_rooms SET fence = fence + 1 WHERE room = $1 RETURNING fence",
    room,
  ))!.fence;

/** When a lease of the room changed last; null if there has been none. */
export const changedIn = async (tx: Tx, room: number): Promise<string | null> =>
  (await tx.get<{ changed: string | null }>("SELECT changed FROM lease_rooms WHERE room = $1", room))
    ?.changed ?? null;

export const setChanged = (tx: Tx, room: number, changed: string) =>
  tx.run("UPDATE lease_rooms SET changed = $1 WHERE room = $2", changed, room);

/** Raises the numbers of all rooms, in a copy: the original may have given out higher ones than the copy knows. */
export const raiseFences = (tx: Tx, by: number) =>
  tx.run("UPDATE lease_rooms SET fence = fence + CAST($1 AS INTEGER)", by);

export async function insertLease(
  tx: Tx,
  lease: Omit<LeaseRow, "holder_name">,
  paths: readonly string[],
): Promise<void> {
  await tx.run(...insertOf("leases", lease));
  const { room, fence } = lease;
  for (const path of paths) await tx.run(...insertOf("leased_paths", { room, path, fence }));
}

const named =
  "SELECT leases.*, COALESCE(names.name, leases.holder) AS holder_name FROM leases LEFT JOIN names ON names.canonical = leases.holder";

/** The lease with this number, unless it has ended. */
export const findLease = (tx: Tx, room: number, fence: number, now: string) =>
  tx.get<LeaseRow>(
    `${named} WHERE leases.room = $1 AND leases.fence = $2 AND leases.expires > $3`,
    room,
    fence,
    now,
  );

/** The next leases of a room, the earliest taken first. */
export const leasesAfter = (tx: Tx, room: number, fence: number, now: string, limit: number) =>
  tx.all<LeaseRow>(
    `${named} WHERE leases.room = $1 AND leases.fence > $2 AND leases.expires > $3 ORDER BY leases.fence LIMIT $4`,
    room,
    fence,
    now,
    limit,
  );

/** The leases of a name in all rooms, with the slugs of these, by room and number after (`room`, `fence`). */
export const leasesOf = (
  tx: Tx,
  holder: string,
  after: { room: number; fence: number },
  now: string,
  limit: number,
) =>
  tx.all<LeaseRow & { slug: string }>(
    "SELECT leases.*, leases.holder AS holder_name, rooms.slug FROM leases JOIN rooms ON rooms.seq = leases.room " +
      "WHERE leases.holder = $1 AND (leases.room > $2 OR (leases.room = $2 AND leases.fence > $3)) AND leases.expires > $4 " +
      "ORDER BY leases.room, leases.fence LIMIT $5",
    holder,
    after.room,
    after.fence,
    now,
    limit,
  );

export const pathsOf = async (tx: Tx, room: number, fence: number): Promise<string[]> =>
  (
    await tx.all<{ path: string }>(
      "SELECT path FROM leased_paths WHERE room = $1 AND fence = $2 ORDER BY path",
      room,
      fence,
    )
  ).map(({ path }) => path);

/** The places of these numbers in a statement, after `values`. */
const inList = (values: SqlValue[], fences: readonly number[]): string =>
  padded(fences)
    .map((fence) => `$${values.push(fence)}`)
    .join(", ");

/** Those of the leases with these numbers that have not ended, the earliest taken first. */
export async function findLeases(
  tx: Tx,
  room: number,
  fences: readonly number[],
  now: string,
): Promise<LeaseRow[]> {
  if (fences.length === 0) return [];
  const values: SqlValue[] = [room, now];
  const list = inList(values, fences);
  return tx.all<LeaseRow>(
    `${named} WHERE leases.room = $1 AND leases.expires > $2 AND leases.fence IN (${list}) ORDER BY leases.fence`,
    ...values,
  );
}

/** The paths of each of these leases. */
export async function pathsOfEach(
  tx: Tx,
  room: number,
  fences: readonly number[],
): Promise<Map<number, string[]>> {
  const paths = new Map(fences.map((fence): [number, string[]] => [fence, []]));
  if (fences.length === 0) return paths;
  const values: SqlValue[] = [room];
  const rows = await tx.all<{ fence: number; path: string }>(
    `SELECT fence, path FROM leased_paths WHERE room = $1 AND fence IN (${inList(values, fences)}) ORDER BY fence, path`,
    ...values,
  );
  for (const { fence, path } of rows) paths.get(fence)!.push(path);
  return paths;
}

/** How many leases a name has in a room and in all. */
export const countOf = async (tx: Tx, holder: string, room: number, now: string) => ({
  room: await countRows(
    tx,
    "FROM leases WHERE holder = $1 AND +room = $2 AND expires > $3",
    holder,
    room,
    now,
  ),
  all: await countRows(tx, "FROM leases WHERE holder = $1 AND expires > $2", holder, now),
});

export const extendLease = (tx: Tx, room: number, fence: number, expires: string) =>
  tx.run("UPDATE leases SET expires = $1 WHERE room = $2 AND fence = $3", expires, room, fence);

/** Deletes a lease with its paths. */
export const deleteLease = (tx: Tx, room: number, fence: number) =>
  tx.run("DELETE FROM leases WHERE room = $1 AND fence = $2", room, fence);

export const deletePath = (tx: Tx, room: number, fence: number, path: string) =>
  tx.run("DELETE FROM leased_paths WHERE room = $1 AND fence = $2 AND path = $3", room, fence, path);

// What has ended.

/** The rooms in which leases or places in line have ended. */
export const roomsWithEnded = (tx: Tx, now: string, limit: number) =>
  tx.all<{ slug: string }>(
    // Each part has an order of its own, or SQLite would read all leases in the order of their rooms.
    "SELECT slug FROM rooms WHERE seq IN (SELECT room FROM (SELECT room FROM leases WHERE expires <= $1 ORDER BY expires LIMIT $2) AS lease " +
      "UNION SELECT room FROM (SELECT room FROM lease_places WHERE expires <= $1 ORDER BY expires LIMIT $2) AS place)",
    now,
    limit,
  );

/** Deletes up to `limit` leases of a room that have ended. Returns how many. */
export const deleteEndedLeases = (tx: Tx, room: number, now: string, limit: number) =>
  tx.run(
    "DELETE FROM leases WHERE room = $1 AND fence IN (SELECT fence FROM leases WHERE +room = $1 AND expires <= $2 ORDER BY expires, fence LIMIT $3)",
    room,
    now,
    limit,
  );

/** The time when the next lease or place in line ends. */
export const nextEnd = async (tx: Tx): Promise<string | null> =>
  (await tx.get<{ at: string | null }>(
    "SELECT MIN(at) AS at FROM (SELECT MIN(expires) AS at FROM leases UNION ALL SELECT MIN(expires) AS at FROM lease_places) AS ends",
  ))!.at;

export const deleteLeasesIn = (tx: Tx, room: number) => tx.run("DELETE FROM leases WHERE room = $1", room);

/** Deletes all leases of a name. Returns the rooms in which it had some. */
export async function deleteLeasesOf(tx: Tx, holder: string, room: number | null = null): Promise<number[]> {
  const rows = await tx.all<{ room: number }>(
    "DELETE FROM leases WHERE holder = $1 AND room = COALESCE($2, room) RETURNING room",
    holder,
    room,
  );
  return [...new Set(rows.map(({ room }) => room))];
}
