/** When a webhook is called again, and when it sleeps. */

import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { webhook_limits } from "../api/limits.ts";
import { webhook_internal_limits } from "./limits.ts";
import type { CallResult } from "./receiver.ts";
import type { State, WebhookRow } from "./store.ts";

/** The steady time some seconds later, in the stored form. */
export const later = ({ now_ms, ahead_ms }: Moment, seconds: number): string =>
  isoTime(now_ms - ahead_ms + seconds * 1000);

/** The steady time at which the pause after a call ends. If the clock was set back since, nobody knows, and there is none: "". */
export function pauseEnd(called: string, at: Moment): string {
  const called_ms = Date.parse(called);
  return called_ms > at.now_ms ? "" : later({ ...at, now_ms: called_ms }, webhook_limits.pause_seconds);
}

/** The state of a webhook after a failure. */
export function afterFailure(
  webhook: WebhookRow,
  { retry_after_seconds }: CallResult & { is_accepted: false },
  chance: number,
  at: Moment,
): State {
  const { retry_seconds, asleep_seconds } = webhook_internal_limits;
  const now = steadyTime(at);
  const failing_since = webhook.failing_since ?? now;
  const failures = webhook.failures + 1;
  const pause_seconds = retry_seconds[Math.min(failures, retry_seconds.length) - 1]! * (0.75 + chance / 2);
  const ends_at = isoTime(Date.parse(failing_since) + asleep_seconds * 1000);
  const earliest_at = later(at, retry_after_seconds ?? 0);
  const asleep = webhook.asleep === 1 || now >= ends_at || earliest_at > ends_at ? 1 : 0;
  // The last try comes when the day ends.
  const retry_at = latest(earliest_at, earliest(later(at, pause_seconds), ends_at));
  return {
    ...{ through: webhook.through, failing_since, failures, asleep, slow: 1 },
    next_at: asleep === 1 ? later(at, asleep_seconds) : retry_at,
  };
}

const earliest = (one: string, other: string): string => (one < other ? one : other);
const latest = (one: string, other: string): string => (one > other ? one : other);
