/** All write commands, searches and chores of the service. */

import { beacon_commands } from "../beacon/feature.ts";
import type { NameRules } from "../core/caller.ts";
import { functionsOf, type CommandDefinitions } from "../core/commands.ts";
import type { Chore } from "../core/storage.ts";
import { job_chores, job_searches, jobCommands } from "../jobs/feature.ts";
import { lockerCommands } from "../locker/feature.ts";
import { putNote } from "../mailbox/commands.ts";
import { mailboxCommands } from "../mailbox/feature.ts";
import { session_commands } from "../mcp/sessions/feature.ts";
import { canonicalName } from "../names/canonical.ts";
import { checkKey, countCommand, isClaimed, speakAs } from "../names/commands.ts";
import { nameCommands } from "../names/feature.ts";
import { receipt_commands } from "../receipts/feature.ts";
import { limitActivity } from "../rooms/commands.ts";
import { room_chores, room_searches, roomCommands } from "../rooms/feature.ts";
import { storeServerSecret } from "../storage/server_secret.ts";
import { clockCommands } from "../timekeeping/feature.ts";

const name_rules: NameRules = { checkKey, countCommand };

export const command_definitions = {
  ...roomCommands({ ...name_rules, speakAs, canonicalName, isClaimed, putNote }),
  ...nameCommands(putNote),
  ...lockerCommands(name_rules),
  ...beacon_commands,
  ...jobCommands({ ...name_rules, putNote }),
  ...mailboxCommands(name_rules),
  ...receipt_commands,
  ...session_commands,
  ...clockCommands(limitActivity),
  "server.keep_secret": { run: storeServerSecret, bounded_because: "runs at the first start" },
} satisfies CommandDefinitions;

export const commands = functionsOf(command_definitions);
export type AppCommands = typeof commands;

export const search_definitions = { ...room_searches, ...job_searches };
export const searches = functionsOf(search_definitions);
export type AppSearches = typeof searches;

export const chores: Chore[] = [...room_chores, ...job_chores];
