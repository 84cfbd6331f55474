/** SQL of the places of names in line for paths that are not free. A place whose time is up counts as ended. `now` is steady time. For a plus before a column see store.ts. */

import type { Tx } from "../../core/storage.ts";
import { countRows, insertOf } from "../../storage/rows.ts";

/** A place in line. */
interface PlaceRow {
  room: number;
  place: number;
  name: string;
  expires: string;
}

/** Takes the next number of a place in line. */
export const nextPlace = async (tx: Tx, room: number): Promise<number> =>
  (await tx.get<{ place: number }>(
    "UPDATE lease_rooms SET place = place + 1 WHERE room = $1 RETURNING place",
    room,
  ))!.place;

/** The place of a name for a set of paths, unless it has ended. */
export const findPlace = (tx: Tx, room: number, name: string, paths_sha256: string, now: string) =>
  tx.get<PlaceRow>(
    "SELECT room, place, name, expires FROM lease_places WHERE name = $1 AND room = $2 AND paths_sha256 = $3 AND expires > $4",
    name,
    room,
    paths_sha256,
    now,
  );

export const countPlaces = (tx: Tx, room: number, name: string, now: string) =>
  countRows(tx, "FROM lease_places WHERE name = $1 AND +room = $2 AND expires > $3", name, room, now);

/** Inserts a place, in place of one that has ended. */
export async function insertPlace(
  tx: Tx,
  place: PlaceRow & { paths_sha256: string },
  paths: readonly string[],
): Promise<void> {
  await deletePlace(tx, place);
  await tx.run(...insertOf("lease_places", place));
  for (const path of paths)
    await tx.run(...insertOf("awaited_paths", { room: place.room, path, place: place.place }));
}

/** Deletes the place of a name for a set of paths. */
export const deletePlace = (
  tx: Tx,
  { room, name, paths_sha256 }: { room: number; name: string; paths_sha256: string },
) =>
  tx.run(
    "DELETE FROM lease_places WHERE name = $1 AND room = $2 AND paths_sha256 = $3",
    name,
    room,
    paths_sha256,
  );

export const keepPlace = (tx: Tx, room: number, place: number, expires: string) =>
  tx.run("UPDATE lease_places SET expires = $1 WHERE room = $2 AND place = $3", expires, room, place);

/** The names that are in line in a room, the first one first, with the paths that they wait for. */
export async function lineOf(tx: Tx, room: number, now: string, limit: number) {
  const places = await tx.all<{ place: number; name: string }>(
    "SELECT lease_places.place, COALESCE(names.name, lease_places.name) AS name FROM lease_places " +
      "LEFT JOIN names ON names.canonical = lease_places.name " +
      "WHERE lease_places.room = $1 AND lease_places.expires > $2 ORDER BY lease_places.place LIMIT $3",
    room,
    now,
    limit,
  );
  const line: { name: string; paths: string[] }[] = [];
  for (const { place, name } of places) {
    const rows = await tx.all<{ path: string }>(
      "SELECT path FROM awaited_paths WHERE room = $1 AND place = $2 ORDER BY path",
      room,
      place,
    );
    line.push({ name, paths: rows.map(({ path }) => path) });
  }
  return line;
}

/** Deletes up to `limit` places of a room that have ended. Returns how many. */
export const deleteEndedPlaces = (tx: Tx, room: number, now: string, limit: number) =>
  tx.run(
    "DELETE FROM lease_places WHERE room = $1 AND place IN (SELECT place FROM lease_places WHERE +room = $1 AND expires <= $2 ORDER BY expires, place LIMIT $3)",
    room,
    now,
    limit,
  );

export const deletePlacesIn = (tx: Tx, room: number) =>
  tx.run("DELETE FROM lease_places WHERE room = $1", room);

/** Deletes all places of a name. Returns their rooms. */
export async function deletePlacesOf(tx: Tx, name: string, room: number | null = null): Promise<number[]> {
  const rows = await tx.all<{ room: number }>(
    "DELETE FROM lease_places WHERE name = $1 AND room = COALESCE($2, room) RETURNING room",
    name,
    room,
  );
  return [...new Set(rows.map(({ room }) => room))];
}
