/** The place of the database: where the file was when it last ran, to distinguish a copy from the original. */

import type { Place, Tx } from "../core/storage.ts";

export const putPlace = (tx: Tx, { device, inode, born }: Place) =>
  tx.run(
    "INSERT INTO place (id, device, inode, born) VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE SET " +
      "device = excluded.device, inode = excluded.inode, born = excluded.born",
    device,
    inode,
    born,
  );
