/** Space on the disk: whether files fit, and the free pages of the database file, which can be given back. */

import type { Tx } from "../../core/storage.ts";
import { storage_limits } from "../limits.ts";

/** The size of a database after the next checkpoint. */
export interface DatabaseSize {
  bytes: number;
  /** Bytes of it in free pages: writes use them before the file grows. */
  free_bytes: number;
}

/** The size of the database of a connection. */
export const databaseSize = (connection: { control(sql: string): unknown }): DatabaseSize =>
  connection.control(
    "SELECT page_count * page_size AS bytes, freelist_count * page_size AS free_bytes " +
      "FROM pragma_page_count, pragma_page_size, pragma_freelist_count",
  ) as DatabaseSize;

/** Throws if `needed_bytes` do not fit into the free bytes of a disk. */
export function checkRoom(needed_bytes: number, free_bytes: number): void {
  if (needed_bytes <= free_bytes) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new Error(`it needs ${megabytes(needed_bytes)}, but ${megabytes(free_bytes)} of the disk are free`);
}

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
 * (see shrinkable.ts; https://www.sqlite.org/pragma.html#pragma_incremental_vacuum).
 */
export async function giveBack(tx: Tx): Promise<{ bytes: number; more: boolean }> {
  const before = await pagesOf(tx);
  const surplus = before.free - storage_limits.free_pages_min;
  if (surplus <= 0) return { bytes: 0, more: false };
  await tx.run(`PRAGMA incremental_vacuum(${Math.min(surplus, storage_limits.pages_given_back_per_step)})`);
  const given = before.free - (await pagesOf(tx)).free;
  return { bytes: given * before.bytes, more: given > 0 && surplus > given };
}
