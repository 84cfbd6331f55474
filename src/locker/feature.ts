/** The declarations of lockers for the rest of the service. */

import type { Audit } from "../core/admin.ts";
import type { NameRules } from "../core/caller.ts";
import { underName, withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import { removeAsAdmin } from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { locker_errors } from "./errors.ts";
import { locker_hints } from "./hints.ts";

const lockerCommands = (rules: NameRules, audit: Audit) => {
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
    "locker.remove_as_admin": {
      run: withRules(audit)(removeAsAdmin),
      bounded_because: "an admin causes it",
    },
  } satisfies CommandDefinitions;
};

export type LockerCommands = ReturnType<typeof lockerCommands>;

export const lockerFeature = (rules: NameRules, audit: Audit) =>
  ({
    commands: lockerCommands(rules, audit),
    errors: locker_errors,
    hints: locker_hints,
  }) satisfies FeatureDeclaration;
