/** The numbers of rows that no transaction can still come before. */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import type { SettledSeq } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import type { Pool } from "./pool.ts";

/**
 * Reads the last number of the table, and waits for the transactions that are writing to it: those that got an earlier number
 * are among them. It locks nothing, so that no writer waits for it. If one of them takes long, the answer is `after`.
 */
export const settledIn =
  (pool: Pool): SettledSeq =>
  (table, after) =>
    pool.with(async (handle) => {
      const seq = Number((await handle`SELECT MAX(seq) AS seq FROM ${handle(table)}`)[0].seq ?? 0);
      if (seq <= after) return after;
      const writing = await writersOf(handle, table);
      const end_ms = systemClock.monotonic() + postgres_limits.settle_ms_max;
      for (let rest = writing; rest.length > 0;) {
        if (systemClock.monotonic() > end_ms) return after;
        await new Promise<void>((resolve) => systemClock.after(postgres_limits.settle_poll_ms, resolve));
        const now_writing = new Set(await writersOf(handle, table));
        rest = rest.filter((writer) => now_writing.has(writer));
      }
      return seq;
    });

/** The transactions that have written to the table and not ended: they hold its lock from before they get a number. */
async function writersOf(handle: ReservedSQL, table: string): Promise<string[]> {
  const rows = await handle`
    SELECT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = ${table}::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.map(({ writer }: { writer: string }) => writer);
}
