/** The declarations of names for the rest of the service. */

import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { PutNote } from "../mailbox/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as admin from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { name_errors } from "./errors.ts";
import { name_hints } from "./hints.ts";
import * as invites from "./invites/commands.ts";

const nameCommands = (putNote: PutNote, rules: admin.NameAdminRules) => {
  const bound = withRules({ putNote, endSessions: rules.endSessions });
  const audited = withRules(rules.audit);
  const ruled = withRules(rules);
  const internal = { bounded_because: "an admin causes it" };
  // A session that is replaced at the same time must not survive.
  const ends_sessions = { numbers: "browser_sessions" } as const;
  return {
    "names.claim": { run: commands.claimName, counted_as: "claim_name" },
    "names.rotate": {
      run: bound(commands.rotateKey),
      ...ends_sessions,
      counted_as: "write",
      over_budget_because: "changes a row: a key that others may know must not wait",
    },
    "names.recover": {
      run: bound(commands.recoverName),
      ...ends_sessions,
      counted_as: "write",
      over_budget_because: "changes a row: a key that is lost must not wait",
    },
    "names.revoke": {
      run: bound(commands.revokeKey),
      ...ends_sessions,
      counted_as: "write",
      over_budget_because: "changes a row: a key that others know must not wait",
    },
    "names.invite": { run: audited(invites.createInvite), ...internal },
    "names.revoke_invite": { run: audited(invites.revokeInvite), ...internal },
    "names.suspend": { run: ruled(admin.suspendName), ...ends_sessions, ...internal },
    "names.unsuspend": { run: ruled(admin.unsuspendName), ...internal },
    "names.reserve": { run: ruled(admin.reserveName), ...internal },
    "names.unreserve": { run: ruled(admin.unreserveName), ...internal },
    "names.release": { run: ruled(admin.releaseName), ...ends_sessions, ...internal },
  } satisfies CommandDefinitions;
};

export type NameCommands = ReturnType<typeof nameCommands>;

export const nameFeature = (putNote: PutNote, rules: admin.NameAdminRules) =>
  ({
    commands: nameCommands(putNote, rules),
    errors: name_errors,
    hints: name_hints,
  }) satisfies FeatureDeclaration;
