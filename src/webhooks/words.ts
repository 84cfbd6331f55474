/** Why a call of a webhook failed, in user-facing sentences. Commands of the client load this file, too. */

import { webhook_limits } from "../api/limits.ts";
import type { CallFault } from "../api/webhooks.ts";

const texts: Record<Exclude<CallFault, "status">, string> = {
  invalid_address: "The address is no plain http or https URL: it may have no credentials and no fragment.",
  not_https: "The address does not begin with https. http is for networks that the operator allows.",
  no_public_host: "The host of the address has no public IP address.",
  unreachable: "The receiver cannot be reached.",
  tls: "The certificate of the receiver is not trusted here.",
  timeout: `The receiver did not answer within ${webhook_limits.call_seconds_max} seconds.`,
  redirect: "The receiver redirects to another address, which is not followed.",
  too_large: "The answer of the receiver is too long.",
  invalid_answer: "The receiver did not answer with HTTP.",
  no_challenge: "The answer of the receiver does not repeat the challenge.",
  unreadable_header:
    "The stored Authorization header cannot be decrypted any more, so no call was made. Set the webhook again.",
};

/** The sentence for a failure. A service of a later version may name one that is not known here. */
export function failureText({ because, status }: { because: string; status?: number | undefined }): string {
  if (because === "status") return `The receiver answered with status ${status}.`;
  return new Map(Object.entries(texts)).get(because) ?? `The call failed: ${because}.`;
}
