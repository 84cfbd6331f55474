/** SQL of the service clock. */

import type { Tx } from "../core/storage.ts";

export interface MarkRow {
  boot: string;
  uptime_ms: number;
  service_time: string;
  steady_time: string;
}

/** The stored mark; undefined at the first start. */
export const findMark = (tx: Tx) =>
  tx.get<MarkRow>("SELECT boot, uptime_ms, service_time, steady_time FROM clock_mark");

export const putMark = (tx: Tx, row: MarkRow) =>
  tx.run(
    "INSERT INTO clock_mark (id, boot, uptime_ms, service_time, steady_time) VALUES (1, $1, $2, $3, $4) " +
      "ON CONFLICT (id) DO UPDATE SET boot = excluded.boot, uptime_ms = excluded.uptime_ms, " +
      "service_time = excluded.service_time, steady_time = excluded.steady_time",
    row.boot,
    row.uptime_ms,
    row.service_time,
    row.steady_time,
  );
