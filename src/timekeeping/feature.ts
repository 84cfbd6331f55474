/** What the rest of the service needs to know of the service's clock. */

import type { CommandDefinitions } from "../core/commands.ts";
import type { Tx } from "../core/storage.ts";
import { keepMark } from "./commands.ts";
import type { Mark } from "./discipline.ts";

/** `limitActivity` moves back rooms whose latest time is ahead of the service's. It returns whether there are more. */
export const clockCommands = (limitActivity: (tx: Tx, now: string) => Promise<boolean>) =>
  ({
    "clock.mark": {
      run: (tx: Tx, input: Mark) => keepMark(tx, limitActivity, input),
      bounded_because: "runs once a minute, and when the clock was set",
    },
  }) satisfies CommandDefinitions;

export type ClockCommands = ReturnType<typeof clockCommands>;
