/** The declarations of mailboxes for the rest of the service. */

import type { ActAs } from "../core/caller.ts";
import type { CommandDefinitions } from "../core/commands.ts";
import type { Tx } from "../core/storage.ts";
import * as commands from "./commands.ts";

export const mailboxCommands = (rules: ActAs) =>
  ({
    "mailbox.ack": {
      run: (tx: Tx, input: commands.AckInput) => commands.acknowledge(tx, rules, input),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "mailbox.clear": {
      run: (tx: Tx, input: commands.ClearInput) => commands.clear(tx, rules, input),
      counted_as: "write",
      over_budget_because: "frees notes",
    },
  }) satisfies CommandDefinitions;

export type MailboxCommands = ReturnType<typeof mailboxCommands>;
