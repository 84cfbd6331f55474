/** The operations of tallies. */

import type { Caller } from "../../../src/core/caller.ts";
import type { CommandRunner, FeatureStorage } from "../../../src/core/commands.ts";
import type { IdempotentCall } from "../../../src/core/storage.ts";
import type { TallyCommands } from "./feature.ts";
import * as store from "./store.ts";

export interface TalliesDeps {
  storage: FeatureStorage<TallyCommands>;
  commands: CommandRunner<TallyCommands>;
}

export type Tallies = ReturnType<typeof createTallies>;

export const createTallies = ({ storage, commands }: TalliesDeps) => ({
  /** Adds one to a tally. Throws `tally_full`. */
  add: async (caller: Caller, name: string, call?: IdempotentCall) => ({
    name,
    count: (await commands.run(caller, "tallies.add", null, { name }, call)).result,
  }),

  read: async (name: string) => ({ name, count: await storage.read((tx) => store.countOf(tx, name)) }),

  /** The number of tallies. */
  total: () => storage.read((tx) => store.counters.read(tx, "tallies")),
});
