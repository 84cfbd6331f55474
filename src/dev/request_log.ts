/** The latest requests, for assertions of test suites. Holds no key. */

import { isoTime } from "../core/clock.ts";
import { addressHoldsSecret, hideSecrets } from "../core/secrets.ts";
import { dev_limits } from "./limits.ts";
import type { Call, RoutePattern } from "./route_table.ts";

export interface LoggedRequest extends Call {
  /** 1 for the first request since the start or the reset. */
  n: number;
  /** The time of the service's clock when it came. */
  at: string;
  query: string;
  /** Null until it is answered, and if its connection was cut. */
  status: number | null;
  /** Real milliseconds until the answer. */
  duration_ms: number | null;
  headers: Record<string, string>;
  /** Null if the request did not declare its length. */
  body_bytes: number | null;
  /** The id of the fault that happened to it. */
  faulted?: string;
}

const hidden = "(not logged)";
const credential_headers = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-wf-key",
  "x-meet-key",
]);

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let count = 0;
  return {
    /** Adds a request that has just come. Its answer is noted in the result. */
    add({ url, headers }: Request, call: Call, now_ms: number): LoggedRequest {
      const query_begins = url.indexOf("?");
      const holds_key = addressHoldsSecret(url);
      const length = headers.get("content-length");
      const added: LoggedRequest = {
        n: ++count,
        at: isoTime(now_ms),
        ...call,
        ...(holds_key && { path: call.route ?? hidden }),
        query: holds_key ? hidden : hideSecrets(query_begins < 0 ? "" : url.slice(query_begins + 1)),
        status: null,
        duration_ms: null,
        headers: Object.fromEntries(
          Array.from(headers, ([name, text]) => [
            name,
            credential_headers.has(name) ? hidden : hideSecrets(text),
          ]),
        ),
        body_bytes: length !== null ? Number(length) : headers.has("transfer-encoding") ? null : 0,
      };
      requests.push(added);
      if (requests.length > dev_limits.log_requests_max) requests.shift();
      return added;
    },
    /** The requests after number `since` that are meant, the oldest first. */
    list: (since: number, isMeant: RoutePattern) => ({
      requests: requests.filter((request) => request.n > since && isMeant(request)),
      next_since: count,
    }),
    count: () => count,
    /** Removes all requests; the next one has the next number. Returns how many there were. */
    clear(): number {
      const { length } = requests;
      requests = [];
      return length;
    },
    /** Removes all requests; the next one has the number 1. */
    reset(): void {
      requests = [];
      count = 0;
    },
  };
}
