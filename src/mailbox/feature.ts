/** The declarations of mailboxes for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { underName, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { mailbox_errors } from "./errors.ts";
import { mailbox_hints } from "./hints.ts";
import { recordReach } from "./reach.ts";

const mailboxCommands = (rules: NameRules) => {
  const named = underName(rules);
  return {
    "mailbox.ack": {
      run: named(commands.acknowledge),
      counted_as: "write",
      over_budget_because: "changes rows, which become shorter",
    },
    "mailbox.reached": {
      run: named(recordReach),
      counted_as: "write",
      over_budget_because: "writes one row for a name, and replaces it",
    },
    "mailbox.delivery": {
      run: named(commands.setDelivery),
      counted_as: "write",
      over_budget_because: "writes one row for a name, and replaces it",
    },
    "mailbox.clear": {
      run: named(commands.clear),
      counted_as: "write",
      over_budget_because: "frees notes",
    },
    "mailbox.remove_old": {
      run: commands.removeOld,
      bounded_because: "removes notes that are old, and none twice",
    },
  } satisfies CommandDefinitions;
};

export type MailboxCommands = ReturnType<typeof mailboxCommands>;

export const mailboxFeature = (rules: NameRules) =>
  ({
    commands: mailboxCommands(rules),
    errors: mailbox_errors,
    hints: mailbox_hints,
  }) satisfies FeatureDeclaration;
