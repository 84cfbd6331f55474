/** The place of the database: where the file was when it last ran, to distinguish a copy from the original. */

import type { Place, Tx } from "../core/storage.ts";

/** Whether the database is known to run at `place`. */
export const isAt = async (tx: Tx, { device, inode, born }: Place): Promise<boolean> =>
  (await tx.get(
    "SELECT 1 FROM place WHERE device = $1 AND inode = $2 AND born = $3",
    device,
    inode,
    born,
  )) !== undefined;

export const putPlace = (tx: Tx, { device, inode, born }: Place) =>
  tx.run(
    "INSERT INTO place (id, device, inode, born) VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE SET " +
      "device = excluded.device, inode = excluded.inode, born = excluded.born",
    device,
    inode,
    born,
  );
