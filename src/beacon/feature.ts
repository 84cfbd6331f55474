/** The declarations of the beacon for the rest of the service. */

import type { CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import { moveMark, publishDay, storeAnchor } from "./commands.ts";
import { beacon_errors } from "./errors.ts";
import { beacon_hints } from "./hints.ts";

const beacon_commands = {
  "beacon.publish": { run: publishDay, numbers: "beacon_days", bounded_because: "runs once a day" },
  "beacon.mark": { run: moveMark, bounded_because: "runs when the beacon's time has moved on" },
  "beacon.anchor": { run: storeAnchor, bounded_because: "runs when the clock has been checked" },
} satisfies CommandDefinitions;

export type BeaconCommands = typeof beacon_commands;

export const beacon_feature = {
  commands: beacon_commands,
  errors: beacon_errors,
  hints: beacon_hints,
} satisfies FeatureDeclaration;
