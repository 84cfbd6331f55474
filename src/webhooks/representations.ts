/** A webhook as its name sees it. */

import type { CallFailed, CallFault, Webhook } from "../api/webhooks.ts";
import { shownTime, type Moment } from "../core/clock.ts";
import type { CallRow, WebhookRow } from "./store.ts";

type Settings = Pick<WebhookRow, "url" | "kinds" | "authorization_sealed" | "created">;

/** What its name has chosen. */
export const shownSettings = ({ url, kinds, authorization_sealed, created }: Settings) => ({
  url,
  ...(kinds !== null && { kinds: JSON.parse(kinds) as Webhook["kinds"] & object }),
  ...{ has_authorization: authorization_sealed !== null, created },
});

export function shownWebhook(
  { asleep, next_at, ...settings }: WebhookRow,
  call: CallRow | undefined,
  read_through: number,
  { ahead_ms }: Moment,
): Webhook {
  const shown: Webhook = { ...shownSettings(settings), asleep: asleep === 1 };
  if (call) {
    const { id, through, queued, called, tries } = call;
    const state = stateOf(call, read_through);
    shown.call = { id, state, through, queued_at: queued, tries };
    if (called !== null) shown.call.called_at = called;
    else if (state === "queued" && next_at !== null) shown.call.next_try_at = shownTime(next_at, ahead_ms);
    const failed = failureOf(call);
    if (failed) shown.call.failed = failed;
  }
  return shown;
}

function stateOf({ called, through }: CallRow, read_through: number): "queued" | "called" | "read" {
  if (read_through >= through) return "read";
  return called === null ? "queued" : "called";
}

function failureOf({ because, status }: CallRow): CallFailed | null {
  if (because === null) return null;
  return { because: because as CallFault, ...(status !== null && { status }) };
}
