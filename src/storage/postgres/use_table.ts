/** The use of limits at all nodes: a table that each node reads and adds to in one statement. */

import type { KnownUse, UseReport } from "../../core/storage.ts";
import { postgres_limits } from "./limits.ts";
import type { Pool } from "./pool.ts";

export class UseTable {
  /** The steady time up to which changes have been read. */
  #read_ms = 0;
  #exchanges = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: Pool) {}

  /** Adds `reports`, and returns what has changed at any node since the last exchange. One runs at a time. `now_ms`: steady time. */
  exchange(reports: readonly UseReport[], now_ms: number): Promise<KnownUse[]> {
    const running = this.#exchange(reports, now_ms);
    this.#running = running.catch(() => undefined);
    return running;
  }

  #exchange(reports: readonly UseReport[], now_ms: number): Promise<KnownUse[]> {
    return this.pool.with(async (handle) => {
      // Statements of others that have not ended yet may have an earlier time, and other nodes another one.
      const from_ms = this.#read_ms - postgres_limits.use_overlap_ms;
      // Use counts from its first admission, because a limit has refilled some of it since. Rows are locked in one order, so that
      // nodes do not wait for each other in a circle.
      const rows = (await handle`
        WITH clock AS (SELECT ${now_ms}::float8 AS now_ms),
        added AS (
          INSERT INTO limit_use AS known (policy, key, full_again_ms, added_ms, changed_ms)
          SELECT policy, key, now_ms - age_ms + cost_ms, cost_ms, now_ms
          FROM clock, json_to_recordset(CAST(CAST(${JSON.stringify(reports)} AS TEXT) AS JSON))
            AS report (policy TEXT, key TEXT, cost_ms FLOAT8, age_ms FLOAT8)
          ORDER BY policy, key
          ON CONFLICT (policy, key) DO UPDATE SET added_ms = excluded.added_ms, changed_ms = excluded.changed_ms,
            full_again_ms = GREATEST(known.full_again_ms, excluded.full_again_ms - excluded.added_ms) + excluded.added_ms
          RETURNING policy, key, full_again_ms
        ),
        changed AS (
          SELECT policy, key, full_again_ms FROM added
          UNION ALL (
            SELECT policy, key, full_again_ms FROM limit_use
            WHERE changed_ms >= ${from_ms}::float8 ORDER BY full_again_ms DESC LIMIT ${postgres_limits.use_rows_max}::int
          )
        )
        SELECT policy, key, full_again_ms - now_ms AS debt_ms FROM clock, changed`) as KnownUse[];
      this.#read_ms = now_ms;
      if (this.#exchanges++ % postgres_limits.use_exchanges_between_sweeps === 0) {
        await handle`
          DELETE FROM limit_use WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM limit_use WHERE full_again_ms < ${this.#read_ms}::float8 FOR UPDATE SKIP LOCKED))`;
      }
      return rows;
    });
  }
  /** Resolves when nothing uses the connection any more. */
  async close(): Promise<void> {
    await this.#running;
  }
}
