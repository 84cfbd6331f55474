/** The declarations of the admin API for the rest of the service. */

import type { CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { admin_errors } from "./errors.ts";
import { admin_hints } from "./hints.ts";

const admin_commands = {
  "admin.create_token": { run: commands.createToken, bounded_because: "an admin causes it" },
  "admin.revoke_token": { run: commands.revokeToken, bounded_because: "an admin causes it" },
  "admin.note_backup": { run: commands.noteBackup, bounded_because: "an admin causes it" },
  "admin.note_retention": { run: commands.noteRetention, bounded_because: "an admin causes it" },
  "admin.note_export": { run: commands.noteExport, bounded_because: "an admin causes it" },
  "admin.note_loss": { run: commands.noteLoss, bounded_because: "an admin causes it" },
} satisfies CommandDefinitions;

export type AdminCommands = typeof admin_commands;

export const admin_feature = {
  commands: admin_commands,
  errors: admin_errors,
  hints: admin_hints,
} satisfies FeatureDeclaration;
