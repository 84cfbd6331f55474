/** The declarations of signing in by OAuth for the rest of the service. */

import type { Audit } from "../core/admin.ts";
import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as admin from "./admin_commands.ts";
import * as commands from "./commands.ts";
import { oauth_errors } from "./errors.ts";
import { oauth_hints } from "./hints.ts";

const oauthCommands = (rules: commands.OAuthRules, audit: Audit) => {
  const bound = withRules(rules);
  const audited = withRules(audit);
  const internal = { bounded_because: "an admin causes it" };
  const frees = { bounded_because: "ends grants, and none twice" };
  const of_grant = { changes: ["grant_id"] } as const;
  return {
    "oauth.register": { run: commands.register, counted_as: "register_client" },
    "oauth.allow": {
      run: bound(commands.allow),
      counted_as: "write",
      over_budget_because: "lets a name redact and close; codes are deleted soon",
    },
    "oauth.exchange": {
      run: bound(commands.exchange),
      changes: ["code_sha256"],
      bounded_because: "a name has allowed it, once for each code",
    },
    "oauth.refresh": {
      run: bound(commands.refresh),
      ...of_grant,
      bounded_because: "its tokens of five minutes are the same",
    },
    "oauth.touch": { run: commands.touch, bounded_because: "runs once an hour for a grant" },
    "oauth.end": { run: commands.end, ...of_grant, ...frees },
    "oauth.add_client": { run: audited(admin.addClient), ...internal },
    "oauth.end_client": { run: audited(admin.endClient), changes: ["client"], ...internal },
  } satisfies CommandDefinitions;
};

export type OAuthCommands = ReturnType<typeof oauthCommands>;

export const oauthFeature = (rules: commands.OAuthRules, audit: Audit) =>
  ({
    commands: oauthCommands(rules, audit),
    errors: oauth_errors,
    hints: oauth_hints,
  }) satisfies FeatureDeclaration;
