/** The declarations of lockers for the rest of the service. */

import type { ActAs } from "../core/caller.ts";
import type { CommandDefinitions } from "../core/commands.ts";
import type { Tx } from "../core/storage.ts";
import * as commands from "./commands.ts";

export const lockerCommands = (rules: ActAs) =>
  ({
    "locker.put": {
      run: (tx: Tx, input: commands.PutInput) => commands.putSlot(tx, rules, input),
      counted_as: "write",
    },
    "locker.remove": {
      run: (tx: Tx, input: commands.RemoveInput) => commands.removeSlot(tx, rules, input),
      counted_as: "write",
      over_budget_because: "frees a slot",
    },
    "locker.prune": {
      run: commands.pruneSlots,
      bounded_because: "removes what has expired, and nothing twice",
    },
  }) satisfies CommandDefinitions;

export type LockerCommands = ReturnType<typeof lockerCommands>;
