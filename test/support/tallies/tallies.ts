/** The operations of tallies. */

import type { Caller, Identity } from "../../../src/core/caller.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { CommandRunner, FeatureStorage } from "../../../src/core/commands.ts";
import type { IdempotentCall } from "../../../src/core/storage.ts";
import type { TallyCommands } from "./feature.ts";
import * as store from "./store.ts";

export interface TalliesDeps {
  storage: FeatureStorage<TallyCommands>;
  commands: CommandRunner<TallyCommands>;
  clock: Clock;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
}

export type Tallies = ReturnType<typeof createTallies>;

export const createTallies = ({ storage, commands, clock, identityOf }: TalliesDeps) => ({
  /** Adds one to a tally. Throws `tally_full`. */
  async add(caller: Caller, name: string, call?: IdempotentCall) {
    const identity = identityOf(caller);
    const input = { identity, name, now_ms: clock.now() };
    const { result } = await commands.run(caller, "tallies.add", identity.name, input, call);
    return { name, count: result };
  },

  read: async (name: string) => ({ name, count: await storage.read((tx) => store.countOf(tx, name)) }),

  /** The number of tallies. */
  total: () => storage.read((tx) => store.counters.read(tx, "tallies")),
});
