/** Distinguishes a copy of a database, as by pg_dump, from the original: by its cluster and its own ids there. */

import type { ReservedSQL } from "bun";
import { sha256Hex } from "../../core/secrets.ts";
import type { Place } from "../../core/storage.ts";

async function placeOf(handle: ReservedSQL): Promise<Place> {
  const [row] = await handle`
    SELECT system_identifier::text AS device,
      (SELECT oid::text FROM pg_database WHERE datname = current_database()) || '.' || 'place'::regclass::oid AS inode
    FROM pg_control_system()`;
  return { ...(row as { device: string; inode: string }), born: "0" };
}

/**
 * The place of the database if it is a copy; null if it ran there before, or nowhere. A standby that was promoted is no copy.
 * With `is_moved` it is taken for the original in any case.
 */
export async function placeOfCopy(handle: ReservedSQL, is_moved: boolean): Promise<Place | null> {
  const { device, inode, born } = await placeOf(handle);
  const { count } = is_moved
    ? await handle`
        INSERT INTO place (id, device, inode, born) VALUES (1, ${device}, ${inode}, ${born})
        ON CONFLICT (id) DO UPDATE SET device = excluded.device, inode = excluded.inode, born = excluded.born`
    : await handle`
        INSERT INTO place (id, device, inode, born) VALUES (1, ${device}, ${inode}, ${born}) ON CONFLICT DO NOTHING`;
  if (count > 0) return null;
  const [stored] = await handle`SELECT device, inode FROM place`;
  return stored.device === device && stored.inode === inode ? null : { device, inode, born };
}

/**
 * The identity of the database: eight hexadecimal digits. That of a copy is made of its place, so that all nodes that start on it at once
 * make the same one. It is stored before the copy counts as separated, so that no node finds it there with the identity of the original.
 */
export async function identityAt(handle: ReservedSQL, copied_to: Place | null): Promise<string> {
  const own = copied_to && sha256Hex(`${copied_to.device} ${copied_to.inode}`).slice(0, 8);
  const [row] = await (own === null
    ? handle`SELECT identity FROM schema_version`
    : handle`UPDATE schema_version SET identity = ${own} RETURNING identity`);
  return (row as { identity: string }).identity;
}

/** Marks a database that no service uses, so that its next start takes it for a copy. */
export const markAsCopy = (handle: ReservedSQL) =>
  handle`INSERT INTO place (id, device, inode, born) VALUES (1, '', '', '')`;
