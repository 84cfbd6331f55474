/** The declarations of leases for the rest of the service. */

import type { AdmissionRules } from "../members/roles.ts";
import type { Audit } from "../../core/admin.ts";
import type { NameRules } from "../../core/caller.ts";
import { underName, withRules, type CommandDefinitions } from "../../core/commands.ts";
import type { FeatureDeclaration } from "../../core/feature.ts";
import type { PutNote } from "../../mailbox/commands.ts";
import { asHost, type HostRules } from "../host_rights.ts";
import { breakAsAdmin } from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { settleRoom } from "./ending.ts";
import { lease_errors } from "./errors.ts";
import { lease_hints } from "./hints.ts";

/** The functions of other features that the commands of leases need. */
interface LeaseRules extends NameRules, AdmissionRules {
  canonicalName: HostRules["canonicalName"];
  putNote: PutNote;
  audit: Audit;
}

const leaseCommands = (rules: LeaseRules) => {
  const bound = withRules<AdmissionRules>(rules);
  const named = underName(rules);
  // A lease is a right to speak about a thing: who may not speak in the room has none.
  const speaking = { counted_as: "write", speaks: true } as const;
  return {
    "leases.take": { run: named(bound(commands.takeLease)), ...speaking },
    "leases.get_in_line": { run: named(bound(commands.getInLine)), ...speaking },
    "leases.extend": {
      run: named(bound(commands.extendLease)),
      ...speaking,
      over_budget_because: "changes a row",
    },
    "leases.release": {
      run: named(bound(commands.releaseLease)),
      counted_as: "write",
      over_budget_because: "removes rows",
    },
    "leases.break": {
      run: asHost(rules)(commands.breakLeases),
      counted_as: "write",
      over_budget_because: "removes rows",
    },
    "leases.break_as_admin": {
      run: withRules<Pick<LeaseRules, "audit" | "putNote">>(rules)(breakAsAdmin),
      bounded_because: "an admin causes it",
    },
    "leases.leave_line": {
      run: commands.leaveLine,
      bounded_because: "shortens what a call has written that was counted",
    },
    "leases.settle": { run: settleRoom, bounded_because: "runs when a lease ends" },
  } satisfies CommandDefinitions;
};

export type LeaseCommands = ReturnType<typeof leaseCommands>;

export const leaseFeature = (rules: LeaseRules) =>
  ({
    commands: leaseCommands(rules),
    errors: lease_errors,
    hints: lease_hints,
  }) satisfies FeatureDeclaration;
