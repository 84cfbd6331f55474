/** The cookie of a browser's session (RFC 6265). */

import { isMcpCall } from "./mcp_pages.ts";

/** The names of the cookie: the prefixes make browsers refuse one that another host, or a page without TLS, has set. */
const any_cookie = /(?:^|;\s*)(?:__Host-|__Secure-)?wharf=/;

/** Whether a request carries the cookie of a session, whether or not it counts there. */
export const hasSessionCookie = ({ headers }: Request): boolean => {
  const cookies = headers.get("cookie");
  return cookies !== null && any_cookie.test(cookies);
};

/** How long a browser keeps the cookie: the longest that browsers allow, because the service ends sessions. */
const max_age_seconds = 400 * 86_400;

/** The name of the cookie of the service at `base`. `__Host-` allows no path. */
function nameAt({ protocol, pathname }: URL): string {
  if (protocol !== "https:") return "wharf";
  return pathname === "/" ? "__Host-wharf" : "__Secure-wharf";
}

/**
 * What a browser sent as the cookie of its session; null if there is none, and in calls of MCP, whose clients are programs: a
 * session id of MCP is bound to the key. `base`: the base URL of the service.
 */
export function sessionCookieOf(request: Request, base: (request: Request) => string): string | null {
  const cookies = request.headers.get("cookie");
  // Fast path: programs send no cookies.
  if (cookies === null || isMcpCall(request)) return null;
  const url = URL.parse(base(request));
  if (!url) return null;
  const start = `${nameAt(url)}=`;
  const pair = cookies.split(/;\s*/).find((one) => one.startsWith(start));
  return pair?.slice(start.length) ?? null;
}

/** The header with which a browser stores the cookie for the service at `base`; null deletes it. */
export function setSessionCookie(base: string, cookie: string | null): { "set-cookie": string } {
  const url = new URL(base);
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  const parts = [
    `${nameAt(url)}=${cookie ?? ""}`,
    `Path=${path}`,
    `Max-Age=${cookie === null ? 0 : max_age_seconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(url.protocol === "https:" ? ["Secure"] : []),
  ];
  return { "set-cookie": parts.join("; ") };
}
