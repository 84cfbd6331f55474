/** SQL of tallies. */

import type { Tx } from "../../../src/core/storage.ts";
import { countersOf } from "../../../src/storage/counters.ts";

export const counters = countersOf<"tallies">();

export const countOf = async (tx: Tx, name: string): Promise<number> =>
  (await tx.get<{ count: number }>("SELECT count FROM tallies WHERE name = $1", name))?.count ?? 0;

export const setCount = (tx: Tx, name: string, count: number): Promise<unknown> =>
  tx.run(
    "INSERT INTO tallies (name, count) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET count = $2",
    name,
    count,
  );
