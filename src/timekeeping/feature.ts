/** The declarations of the service clock for the rest of the service. */

import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { Tx } from "../core/storage.ts";
import { storeMark } from "./commands.ts";

/** `limitActivity` moves back the latest time of rooms that are ahead of the service. Returns whether there are more. */
export const clockCommands = (limitActivity: (tx: Tx, now: string) => Promise<boolean>) =>
  ({
    "clock.mark": {
      run: withRules(limitActivity)(storeMark),
      bounded_because: "runs once a minute, and when the clock was set",
    },
  }) satisfies CommandDefinitions;

export type ClockCommands = ReturnType<typeof clockCommands>;
