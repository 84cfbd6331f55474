/** All write commands, searches, chores and errors of the features. */

import { audit } from "../admin/commands.ts";
import { admin_feature } from "../admin/feature.ts";
import { beacon_feature } from "../beacon/feature.ts";
import type { NameRules } from "../core/caller.ts";
import { functionsOf, type CommandDefinitions } from "../core/commands.ts";
import { joined } from "../core/feature.ts";
import { jobFeature } from "../jobs/feature.ts";
import { lockerFeature } from "../locker/feature.ts";
import { putNote } from "../mailbox/commands.ts";
import { mailboxFeature } from "../mailbox/feature.ts";
import { session_commands } from "../mcp/sessions/feature.ts";
import { canonicalName } from "../names/canonical.ts";
import { checkKey, countCommand, isClaimed, speakAs } from "../names/commands.ts";
import { nameFeature } from "../names/feature.ts";
import { receipt_feature } from "../receipts/feature.ts";
import { limitActivity } from "../rooms/commands.ts";
import { roomFeature } from "../rooms/feature.ts";
import { storeServerSecret } from "../storage/server_secret.ts";
import { clockCommands } from "../timekeeping/feature.ts";

const name_rules: NameRules = { checkKey, countCommand };

const server_commands = {
  "server.keep_secret": { run: storeServerSecret, bounded_because: "runs at the first start" },
} satisfies CommandDefinitions;

/** What each feature declares, and the commands of what is no feature. */
export const declarations = [
  roomFeature({ ...name_rules, speakAs, canonicalName, isClaimed, putNote, audit }),
  nameFeature(putNote, audit),
  lockerFeature(name_rules),
  jobFeature({ ...name_rules, putNote }),
  mailboxFeature(name_rules),
  beacon_feature,
  receipt_feature,
  admin_feature,
  { commands: session_commands },
  { commands: clockCommands(limitActivity) },
  { commands: server_commands },
] as const;

export const declared = joined(declarations);
export const { commands: command_definitions, chores } = declared;

export const commands = functionsOf(command_definitions);
export type AppCommands = typeof commands;

export const searches = functionsOf(declared.searches);
export type AppSearches = typeof searches;
