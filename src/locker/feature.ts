/** The declarations of lockers for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { underName, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { locker_errors } from "./errors.ts";

const lockerCommands = (rules: NameRules) => {
  const named = underName(rules);
  return {
    "locker.put": { run: named(commands.putSlot), counted_as: "write" },
    "locker.remove": {
      run: named(commands.removeSlot),
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

export const lockerFeature = (rules: NameRules) =>
  ({ commands: lockerCommands(rules), errors: locker_errors }) satisfies FeatureDeclaration;
