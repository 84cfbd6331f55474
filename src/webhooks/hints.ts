/** What a caller does next after an error of webhooks. */

import { webhook_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { webhook_errors } from "./errors.ts";

export const webhook_hints = {
  webhook_not_found: hint`${webhook_calls.set} sets one.`,
  webhook_refused: hint`Correct the address or its receiver, then repeat ${webhook_calls.set}.`,
  "webhook_refused.challenge_not_repeated": hint`Let the receiver answer {"type": "verification", "challenge": "…"} with 200 and {"challenge": "…"}, then repeat ${webhook_calls.set}.`,
  webhooks_busy: "Send the same call again in some seconds.",
} satisfies HintsOf<typeof webhook_errors>;
