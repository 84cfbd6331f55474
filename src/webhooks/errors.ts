/** Errors of webhooks. */

import { defineErrors } from "../core/error_definition.ts";
import { WebhookRefused } from "../api/webhooks.ts";

export const webhook_errors = defineErrors({
  webhook_not_found: {
    kind: "not_found",
    title: "There is no webhook",
    explanation:
      "The name has no webhook. One ends when it is deleted, when its receiver answers 410, and as sessions do: when the key of the name is replaced or revoked, and when the name is suspended or released.",
  },
  webhook_refused: {
    kind: "invalid",
    title: "The receiver did not answer as it must",
    explanation:
      "Before an address is called, the service sends it a challenge, and its answer with a 2xx status has to repeat it. The answer says what was wrong instead. Nothing was changed.",
    members: WebhookRefused,
    members_in_text: true,
  },
  webhooks_busy: {
    kind: "unavailable",
    title: "Too many webhooks are being checked",
    explanation: "The service checks and tests only so many webhooks at the same time.",
  },
});
