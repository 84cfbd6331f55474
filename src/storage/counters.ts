/** Row counters, updated in the transaction of each write: `COUNT(*)` takes longer with every row. */

import type { Tx } from "../core/storage.ts";

export type Counter =
  "rooms_open_public" | "rooms_closed_public" | "jobs_open" | "jobs_total" | "lockers" | "slots";

export const addToCounter = (tx: Tx, name: Counter, amount: number): Promise<unknown> =>
  tx.run(
    "INSERT INTO counters (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = counters.value + $2",
    name,
    amount,
  );

export async function readCounter(tx: Tx, name: Counter): Promise<number> {
  return (await tx.get<{ value: number }>("SELECT value FROM counters WHERE name = $1", name))?.value ?? 0;
}
