/** Sends requests without following redirects to another origin: a request may contain a key. */

import { UnexpectedAnswer } from "./answers.ts";

/** How many redirects of a read are followed. */
const redirects_max = 5;
const statuses = new Set([301, 302, 303, 307, 308]);

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Sent extends RequestInit {
  method: string;
  headers: Headers;
}

/**
 * Sends a request and returns the response. Follows redirects of GET within the origin of `address`, which is `base` and a path. Throws an
 * `UnexpectedAnswer` at any other.
 */
export async function fetchWithin(
  fetch: Fetch,
  base: string,
  address: string,
  init: Sent,
): Promise<Response> {
  let at = address;
  for (let left = redirects_max; ; left--) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const { type, status, headers } = response;
    // Browsers hide the status and the address of a redirect.
    if (type !== "opaqueredirect" && !statuses.has(status)) return response;
    await response.body?.cancel();
    const to = addressIn(headers.get("location"), at);
    const is_within = to !== null && to.origin === new URL(at).origin;
    if (init.method !== "GET" || !is_within || left === 0) {
      const target = to === null ? "" : ` to ${to.href}`;
      const advice = adviceFor(to, base, address.slice(base.length));
      throw new UnexpectedAnswer(
        `${init.method} ${at}: a redirect${target} was not followed${advice}`,
        status,
      );
    }
    at = to.href;
  }
}

function addressIn(location: string | null, at: string): URL | null {
  return location !== null && URL.canParse(location, at) ? new URL(location, at) : null;
}

/** Names the address of the service, if a redirect shows it: it leads to the same path below another address. */
function adviceFor(to: URL | null, base: string, path: string): string {
  const moved = to?.href.endsWith(path) ? to.href.slice(0, -path.length) : base;
  if (moved === base) return ". Is a Wharf service there?";
  return `: if the service has moved there, use ${moved} as its address.`;
}
