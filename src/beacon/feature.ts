/** What the rest of the service needs to know of the beacon. */

import type { CommandDefinitions } from "../core/commands.ts";
import { moveMark, publishDay, takeAnchor } from "./commands.ts";

export const beacon_commands = {
  "beacon.publish": { run: publishDay, bounded_because: "runs once a day" },
  "beacon.mark": { run: moveMark, bounded_because: "runs when the beacon's time has moved on" },
  "beacon.anchor": { run: takeAnchor, bounded_because: "runs when the clock has been checked" },
} satisfies CommandDefinitions;

export type BeaconCommands = typeof beacon_commands;
