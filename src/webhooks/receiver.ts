/** Calls receivers: one signed POST request, and what came of it. */

import type { Clock } from "../core/clock.ts";
import {
  FetchFailure,
  type createAddressCheck,
  type FetchFault,
  type GuardedFetch,
} from "../core/guarded_fetch.ts";
import { webhook_limits } from "../api/limits.ts";
import type { CallFailed, CallFault } from "../api/webhooks.ts";
import { webhook_internal_limits } from "./limits.ts";
import type { WebhookSecrets } from "./secrets.ts";

/** The value of a header (RFC 9110, section 5.5), in ASCII, without tabs. */
const header_value = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether requests can have this as their Authorization header. */
export const isAuthorization = (text: string): boolean => header_value.test(text);

/** A request to a receiver. */
export interface Outgoing {
  /** The id of the webhook. */
  webhook: string;
  url: string;
  /** The id of the call: the same whenever it is tried again. */
  id: string;
  body: string;
  salts: readonly string[];
  authorization_sealed: string | null;
}

/** Plain data. */
export type CallResult = {
  /** Whether the receiver took longer than others have to wait for. */
  is_slow: boolean;
} & (
  | { is_accepted: true; status: number }
  | ({ is_accepted: false; retry_after_seconds: number | null } & CallFailed)
);

interface ReceiverDeps {
  guardedFetch: GuardedFetch;
  checkAddress: ReturnType<typeof createAddressCheck>;
  clock: Pick<Clock, "now" | "monotonic">;
  secrets: Pick<WebhookSecrets, "headers" | "open">;
}

export type Receivers = ReturnType<typeof createReceivers>;

/** A stored header does not open: the server's secret has changed, or the row has. No call is made without it. */
class UnreadableHeader extends Error {}

export function createReceivers({ guardedFetch, checkAddress, clock, secrets }: ReceiverDeps) {
  function authorizationOf({ webhook, authorization_sealed }: Outgoing): { authorization?: string } {
    if (authorization_sealed === null) return {};
    const authorization = secrets.open(webhook, authorization_sealed);
    if (authorization === null) throw new UnreadableHeader();
    return { authorization };
  }

  async function post(outgoing: Outgoing, answer: "whole" | "discarded", signal?: AbortSignal) {
    const { url, id, body, salts } = outgoing;
    return guardedFetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...secrets.headers(salts, id, Math.floor(clock.now() / 1000), body),
        ...authorizationOf(outgoing),
      },
      body,
      answer,
      answer_bytes_max: webhook_internal_limits.answer_bytes_max,
      timeout_seconds: webhook_limits.call_seconds_max,
      ...(signal && { signal }),
    });
  }

  return {
    /** Makes a call. Nothing of the answer but its status is used. Does not throw, unless `signal` is aborted. */
    async call(outgoing: Outgoing, signal?: AbortSignal): Promise<CallResult> {
      const began_ms = clock.monotonic();
      const isSlow = () => clock.monotonic() - began_ms > webhook_internal_limits.quick_seconds_max * 1000;
      try {
        const { status, headers } = await post(outgoing, "discarded", signal);
        if (isSuccess(status)) return { is_slow: isSlow(), is_accepted: true, status };
        const retry_after_seconds = retryAfter(headers.get("retry-after"), clock.now());
        const failed = { because: "status", status } as const;
        return { is_slow: isSlow(), is_accepted: false, retry_after_seconds, ...failed };
      } catch (error) {
        const because = faultOf(error);
        return { is_slow: isSlow(), is_accepted: false, retry_after_seconds: null, because };
      }
    },

    /** Why the address of a receiver cannot be called; null if it can. Connects to nothing. */
    async check(url: string): Promise<CallFailed | null> {
      const fault = await checkAddress(url, webhook_limits.call_seconds_max);
      return fault === null ? null : { because: shownFault(fault) };
    },

    /** Whether the receiver repeats the challenge: null, or why it does not. */
    async challenge(outgoing: Outgoing, challenge: string): Promise<CallFailed | null> {
      try {
        const { status, body } = await post(outgoing, "whole");
        if (!isSuccess(status)) return { because: "status", status };
        return repeats(body, challenge) ? null : { because: "no_challenge", status };
      } catch (error) {
        return { because: faultOf(error) };
      }
    },
  };
}

/** Throws everything but failures that the holder of a webhook sees. */
function faultOf(error: unknown): CallFault {
  if (error instanceof UnreadableHeader) return "unreadable_header";
  if (!(error instanceof FetchFailure)) throw error;
  return shownFault(error.fault);
}

/** Throws if the caller of the request has ended it. Which names a private network knows is not for strangers. */
function shownFault(fault: FetchFault): CallFault {
  if (fault === "ended") throw new FetchFailure(fault);
  return fault === "no_such_host" || fault === "not_public" ? "no_public_host" : fault;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function repeats(body: Uint8Array, challenge: string): boolean {
  try {
    const answer = JSON.parse(new TextDecoder().decode(body)) as { challenge?: unknown } | null;
    return answer?.challenge === challenge;
  } catch {
    return false;
  }
}

/** A date of HTTP in its current form (RFC 9110, section 5.6.7). */
const http_date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * The seconds of a Retry-After header (RFC 9110, section 10.2.3), a day at most: a number, or a date; null for anything else.
 */
export function retryAfter(header: string | null, now_ms: number): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : secondsUntil(header, now_ms);
  if (Number.isNaN(seconds)) return null;
  return Math.min(Math.max(seconds, 0), webhook_internal_limits.asleep_seconds);
}

/** NaN if the text is no date of HTTP. */
const secondsUntil = (date: string, now_ms: number): number =>
  http_date.test(date) ? Math.ceil((Date.parse(date) - now_ms) / 1000) : NaN;
