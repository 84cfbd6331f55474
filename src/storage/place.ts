/** The place of the database: where the file was when it last ran, to distinguish a copy from the original. */

import type { Place, Tx } from "../core/storage.ts";
import { upsertOf } from "./rows.ts";

/** Whether the database is known to run at `place`. */
export const isAt = async (tx: Tx, { device, inode, born }: Place): Promise<boolean> =>
  (await tx.get(
    "SELECT 1 FROM place WHERE device = $1 AND inode = $2 AND born = $3",
    device,
    inode,
    born,
  )) !== undefined;

export const putPlace = (tx: Tx, { device, inode, born }: Place) =>
  tx.run(...upsertOf("place", { id: 1, device, inode, born }, "id"));
