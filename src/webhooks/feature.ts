/** The declarations of webhooks for the rest of the service. */

import type { NameRules } from "../core/caller.ts";
import { underName, withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { webhook_errors } from "./errors.ts";
import { webhook_hints } from "./hints.ts";

const webhookCommands = (rules: NameRules, of_mailboxes: commands.MailboxRules) => {
  const named = underName(rules);
  const bound = withRules(of_mailboxes);
  const frees = { over_budget_because: "frees a row" };
  return {
    "webhooks.set": {
      run: named(bound(commands.setWebhook)),
      counted_as: "check_webhook",
      // Commands that end a key are in this order. One that names only the key, and not the name, then comes before or after.
      numbers: "browser_sessions",
    },
    "webhooks.test": {
      run: named(bound(commands.noteTest)),
      counted_as: "check_webhook",
      over_budget_because: "changes one row, which stays as long, or frees it for a note",
    },
    "webhooks.remove": { run: named(commands.removeWebhook), counted_as: "write", ...frees },
    "webhooks.begin": {
      run: bound(commands.beginCall),
      bounded_because: "a webhook has one call, and replaces it",
    },
    "webhooks.end": {
      run: bound(commands.endCall),
      bounded_because: "changes the row of a call; it writes at most one note a day",
    },
    "webhooks.take_over": { run: commands.takeOver, bounded_because: "there is one row for all nodes" },
  } satisfies CommandDefinitions;
};

export type WebhookCommands = ReturnType<typeof webhookCommands>;

export const webhookFeature = (rules: NameRules, of_mailboxes: commands.MailboxRules) =>
  ({
    commands: webhookCommands(rules, of_mailboxes),
    errors: webhook_errors,
    hints: webhook_hints,
  }) satisfies FeatureDeclaration;
