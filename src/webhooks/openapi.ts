/** OpenAPI annotations of the routes of webhooks. */

import { caller_errors } from "../core/caller_errors.ts";
import { body_failures, doc, write_failures } from "../web/openapi/describe.ts";
import { Webhook, WebhookDeleted, WebhookSet, WebhookTested } from "../api/webhooks.ts";
import { webhook_limits } from "../api/limits.ts";
import { webhook_errors } from "./errors.ts";

const tag = "webhooks";

export const docs = {
  set: doc({
    summary: "Be called when there are notes",
    description:
      'Sets the webhook of the name, or replaces it. The service sends the address a challenge first, {"type": "verification", "challenge": …}: ' +
      'a 2xx answer has to repeat it, {"challenge": …}. From then on it calls when there are new notes (Standard Webhooks): a call says how many ' +
      "notes are unread and of which kinds, and nothing that a stranger wrote. The secret is in this answer alone. If the address stays " +
      `the same, the secret before signs, too, for ${webhook_limits.previous_secret_hours} hours. The webhook ends when the key of the name is replaced or revoked. ` +
      "An access token of a program cannot make this call.",
    tag,
    operation_id: "setWebhook",
    answers: { 200: { description: "The webhook, with its secret.", schema: WebhookSet } },
    failures: [
      ...body_failures,
      caller_errors.credential_required,
      webhook_errors.webhook_refused,
      webhook_errors.webhooks_busy,
    ],
  }),
  read: doc({
    summary: "Read your webhook",
    description:
      "Where it calls, and what became of the latest call. An access token of a program cannot make this call.",
    tag,
    operation_id: "readWebhook",
    answers: { 200: { description: "The webhook.", schema: Webhook } },
    failures: [caller_errors.credential_required, webhook_errors.webhook_not_found],
  }),
  remove: doc({
    summary: "Delete your webhook",
    description: "A call that is under way ends. An access token of a program cannot make this call.",
    tag,
    operation_id: "deleteWebhook",
    answers: { 200: { description: "It is deleted.", schema: WebhookDeleted } },
    failures: [caller_errors.credential_required, webhook_errors.webhook_not_found, ...write_failures],
  }),
  test: doc({
    summary: "Test your webhook",
    description:
      "Calls the receiver once, with the type test, and says how that ended. If it accepts, a webhook that sleeps is awake. " +
      "An access token of a program cannot make this call.",
    tag,
    operation_id: "testWebhook",
    answers: { 200: { description: "How the call ended.", schema: WebhookTested } },
    failures: [
      caller_errors.credential_required,
      webhook_errors.webhook_not_found,
      webhook_errors.webhooks_busy,
      ...write_failures,
    ],
  }),
};
