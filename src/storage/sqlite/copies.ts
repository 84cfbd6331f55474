/** Distinguishes a copy of a database from the original, by the place of its file. */

import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { Place } from "../../core/storage.ts";
import { migrate } from "./migrate.ts";

function placeOf(file: string): Place {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return { device: String(dev), inode: String(ino), born: String(birthtimeNs) };
}

/**
 * Whether both are the same file. Renaming a file changes neither its inode nor its time of birth, and a copy has others. The
 * number of a device can change at each boot, so it counts only if the file system knows no time of birth (0).
 */
function isSame(one: Place, other: Place): boolean {
  if (one.inode !== other.inode) return false;
  const has_births = one.born !== "0" && other.born !== "0";
  return has_births ? one.born === other.born : one.device === other.device;
}

/** Whether the open database `file` was last used in another place. False if it was never used, or is too old to say. */
export function isCopy(database: Database, file: string): boolean {
  const has_place = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'place'").get() !== null;
  const stored = has_place ? storedPlace(database) : null;
  return stored !== null && !isSame(stored, placeOf(file));
}

const storedPlace = (database: Database): Place | null =>
  database.query("SELECT device, inode, born FROM place").get() as Place | null;

/**
 * The place of the open database `file` if it is a copy; null if it ran there before, or nowhere. With `is_moved` it is taken
 * for the original in any case. Call it inside a transaction.
 */
export function placeOfCopy(database: Database, file: string, is_moved: boolean): Place | null {
  const place = placeOf(file);
  const stored = storedPlace(database);
  if (stored && !is_moved) return isSame(stored, place) ? null : place;
  const values = [place.device, place.inode, place.born];
  database.run("INSERT OR REPLACE INTO place (id, device, inode, born) VALUES (1, ?, ?, ?)", values);
  return null;
}

/** Gives the database `file`, which is not in use, the current schema, and marks it as a copy. */
export function becomeCopy(file: string): void {
  const database = new Database(file, { readwrite: true });
  try {
    database.run("PRAGMA synchronous = FULL");
    database.transaction(() => {
      migrate(database);
      markAsCopy(database);
    })();
  } finally {
    database.close();
  }
}

/** Marks a database, open or not in use, so that its next start takes it for a copy. */
export function markAsCopy(database: Database): void {
  const has_place = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'place'").get() !== null;
  if (has_place)
    database.run("INSERT OR REPLACE INTO place (id, device, inode, born) VALUES (1, '', '', '')");
}
