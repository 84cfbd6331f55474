/** The declarations of bans for the rest of the service. */

import type { Audit } from "../core/admin.ts";
import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { ban_errors } from "./errors.ts";
import { ban_hints } from "./hints.ts";

const banCommands = (audit: Audit) => {
  const audited = withRules(audit);
  return {
    "bans.ban": { run: audited(commands.ban), bounded_because: "an admin causes it" },
    "bans.lift": { run: audited(commands.lift), bounded_because: "an admin causes it" },
  } satisfies CommandDefinitions;
};

export type BanCommands = ReturnType<typeof banCommands>;

export const banFeature = (audit: Audit) =>
  ({ commands: banCommands(audit), errors: ban_errors, hints: ban_hints }) satisfies FeatureDeclaration;
