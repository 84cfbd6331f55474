/** The declarations of mailboxes for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { withRules, type CommandDefinitions } from "../core/commands.ts";
import * as commands from "./commands.ts";

export const mailboxCommands = (rules: NameRules) => {
  const bound = withRules(rules);
  return {
    "mailbox.ack": {
      run: bound(commands.acknowledge),
      counted_as: "write",
      over_budget_because: "changes a row",
    },
    "mailbox.clear": {
      run: bound(commands.clear),
      counted_as: "write",
      over_budget_because: "frees notes",
    },
  } satisfies CommandDefinitions;
};

export type MailboxCommands = ReturnType<typeof mailboxCommands>;
