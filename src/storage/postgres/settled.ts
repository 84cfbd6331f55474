/** The numbers of rows that no transaction can still come before. */

import { begin, type SettledSeq } from "./connection.ts";
import type { Pool } from "./pool.ts";

/** Locks the table for a moment if it has rows after `after`: by then every transaction that has written to it has ended. */
export const settledIn =
  (pool: Pool): SettledSeq =>
  (table, after) =>
    pool.with(async (handle) => {
      const last = async () =>
        Number((await handle`SELECT MAX(seq) AS seq FROM ${handle(table)}`)[0].seq ?? 0);
      if ((await last()) <= after) return after;
      // Sent at once, because writers wait for the lock.
      const [, , seq] = await Promise.all([
        begin(handle),
        handle`LOCK TABLE ${handle(table)} IN SHARE MODE`,
        last(),
        handle`COMMIT`,
      ]);
      return seq;
    });
