/** Row counters, updated in the transaction of each write: `COUNT(*)` takes longer with every row. */

import type { Tx } from "../core/storage.ts";

/** The counters of a feature. Their names are unique in the service, because all are in one table. */
export const countersOf = <Name extends string>() => ({
  add: (tx: Tx, name: Name, amount: number): Promise<unknown> =>
    tx.run(
      "INSERT INTO counters (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = counters.value + $2",
      name,
      amount,
    ),

  read: async (tx: Tx, name: Name): Promise<number> =>
    (await tx.get<{ value: number }>("SELECT value FROM counters WHERE name = $1", name))?.value ?? 0,
});
