/** The addresses to which a browser takes the answer of a name to a program. */

import { isLoopbackName } from "../core/public_hosts.ts";
import { holdsSecret } from "../core/secrets.ts";
import { oauth_limits } from "./limits.ts";

/** Schemes that a browser runs or opens itself, so that no app can have them (RFC 8252, section 7.1, has private-use ones). */
const refused_schemes = new Set([
  ...["javascript:", "data:", "vbscript:", "file:", "about:", "blob:", "filesystem:", "view-source:"],
  ...[
    "ftp:",
    "ws:",
    "wss:",
    "mailto:",
    "tel:",
    "sms:",
    "intent:",
    "content:",
    "jar:",
    "chrome:",
    "resource:",
  ],
]);

/** Why a program may not be answered at this address; null if it may. */
function faultOf(uri: unknown): string | null {
  if (typeof uri !== "string" || !/^[\x21-\x7e]+$/.test(uri)) return "is no address in ASCII";
  if (uri.length > oauth_limits.redirect_uri_chars_max)
    return `is longer than ${oauth_limits.redirect_uri_chars_max} characters`;
  const url = URL.parse(uri);
  if (!url) return "is no address";
  if (uri.includes("#")) return "has a fragment";
  if (url.username !== "" || url.password !== "") return "has a user name";
  // A browser takes a backslash as a slash, so that the host may be another one than it seems.
  if (uri.includes("\\") || holdsSecret(uri)) return "has what no address may have";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:")
    return isLoopbackName(url.hostname) ? null : "must be https, or http on localhost";
  return refused_schemes.has(url.protocol) ? "has a scheme that no app can have" : null;
}

/** The addresses of a program if all may be used; else each with why it may not (RFC 7591, section 3.2.2). */
export function checkRedirectUris(uris: unknown): { uris: string[] } | { faults: string[] } {
  if (!Array.isArray(uris) || uris.length === 0)
    return { faults: ["redirect_uris must be a list of addresses"] };
  if (uris.length > oauth_limits.redirect_uris_max)
    return { faults: [`redirect_uris has more than ${oauth_limits.redirect_uris_max} addresses`] };
  const faults = uris.flatMap((uri, i) => {
    const fault = faultOf(uri);
    return fault === null ? [] : [`redirect_uris/${i} ${fault}`];
  });
  return faults.length > 0 ? { faults } : { uris: uris as string[] };
}

/** An address of this machine without its port: a program that listens there has another one each time (RFC 8252, section 7.3). */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

function withoutPort(uri: string): string {
  const [, host, rest] = loopback.exec(uri) ?? [];
  return host === undefined ? uri : `${host}${rest}`;
}

/** Whether a program with these addresses may be answered at `uri`: only the port of this machine may be another (RFC 9700, section 2.1). */
export const isRegistered = (uris: readonly string[], uri: string): boolean =>
  faultOf(uri) === null && uris.some((registered) => withoutPort(registered) === withoutPort(uri));

const this_computer = "this computer";

/** Whether the answers go to a program on the reader's own computer. */
export const isLocal = (uri: string): boolean => receiverOf(uri) === this_computer;

/** Who gets the answers, as people know it: a host, this computer or an app. */
export function receiverOf(uri: string): string {
  const url = new URL(uri);
  if (/^https?:$/.test(url.protocol)) return isLoopbackName(url.hostname) ? this_computer : url.host;
  return `the app for ${url.protocol}`;
}

/** What Content-Security-Policy names the address (CSP 3, section 2.3.1), so that a form may lead to it. */
export function sourceOf(uri: string): string {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) ? url.origin : url.protocol;
}

/** The address with the members of an answer (RFC 6749, section 4.1.2). */
export const answeredAt = (uri: string, answer: Record<string, string>): string =>
  uri + (uri.includes("?") ? "&" : "?") + new URLSearchParams(answer).toString();
