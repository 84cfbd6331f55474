/** The write command of tallies. */

import type { Identity } from "../../../src/core/caller.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import type { Tx } from "../../../src/core/storage.ts";
import { tally_errors } from "./errors.ts";
import { tally_limits } from "./limits.ts";
import * as store from "./store.ts";

/** The caller, the tally and the time of a command. */
interface AddInput {
  identity: Identity;
  name: string;
  now_ms: number;
}

/** Adds one to a tally and returns its count. Throws `tally_full`. */
export async function addOne(tx: Tx, { name }: AddInput): Promise<number> {
  const count = (await store.countOf(tx, name)) + 1;
  if (count > tally_limits.count_max) throw new ServiceError(tally_errors.tally_full, "Nothing was added.");
  await store.setCount(tx, name, count);
  if (count === 1) await store.counters.add(tx, "tallies", 1);
  return count;
}
