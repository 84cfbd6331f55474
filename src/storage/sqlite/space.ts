/** Gives free pages of the database file back to the disk (https://www.sqlite.org/pragma.html#pragma_incremental_vacuum). */

import type { Tx } from "../../core/storage.ts";
import { storage_limits } from "../limits.ts";

interface Pages {
  free: number;
  bytes: number;
}

const pagesOf = async (tx: Tx): Promise<Pages> =>
  (await tx.get<Pages>(
    "SELECT freelist_count AS free, page_size AS bytes FROM pragma_freelist_count, pragma_page_size",
  ))!;

/**
 * Moves pages from the end of the file into free ones and shortens the file, in steps. Some free pages stay for the next
 * writes. Returns how many bytes it has given back, and whether there is more. Does nothing in a database that cannot
 * (see shrinkable.ts).
 */
export async function giveBack(tx: Tx): Promise<{ bytes: number; more: boolean }> {
  const before = await pagesOf(tx);
  const surplus = before.free - storage_limits.free_pages_min;
  if (surplus <= 0) return { bytes: 0, more: false };
  await tx.run(`PRAGMA incremental_vacuum(${Math.min(surplus, storage_limits.pages_given_back_per_step)})`);
  const given = before.free - (await pagesOf(tx)).free;
  return { bytes: given * before.bytes, more: given > 0 && surplus > given };
}
