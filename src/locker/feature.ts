/** The declarations of lockers for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { withRules, type CommandDefinitions } from "../core/commands.ts";
import * as commands from "./commands.ts";

export const lockerCommands = (rules: NameRules) => {
  const bound = withRules(rules);
  return {
    "locker.put": { run: bound(commands.putSlot), counted_as: "write" },
    "locker.remove": {
      run: bound(commands.removeSlot),
      counted_as: "write",
      over_budget_because: "frees a slot",
    },
    "locker.prune": {
      run: commands.pruneSlots,
      bounded_because: "removes what has expired, and nothing twice",
    },
  } satisfies CommandDefinitions;
};

export type LockerCommands = ReturnType<typeof lockerCommands>;
