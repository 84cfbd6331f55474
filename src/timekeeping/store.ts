/** SQL of the service clock. */

import type { Tx } from "../core/storage.ts";
import { upsertOf } from "../storage/rows.ts";

export interface MarkRow {
  boot: string;
  uptime_ms: number;
  service_time: string;
  steady_time: string;
}

/** The stored mark; undefined at the first start. */
export const findMark = (tx: Tx) =>
  tx.get<MarkRow>("SELECT boot, uptime_ms, service_time, steady_time FROM clock_mark");

export const putMark = (tx: Tx, row: MarkRow) => tx.run(...upsertOf("clock_mark", { id: 1, ...row }, "id"));
