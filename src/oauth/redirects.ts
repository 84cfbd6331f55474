/** The addresses to which a browser takes the answer of a name to a program. */

import type { FieldError } from "../core/errors.ts";
import { isLoopbackName } from "../core/public_hosts.ts";
import { holdsSecret } from "../core/secrets.ts";
import { oauth_limits } from "./limits.ts";

/** Schemes that a browser or the system opens itself, so that no app can have them (RFC 8252, section 7.1, has private-use ones). */
const refused_schemes = new RegExp(
  `^(?:${[
    ...["javascript", "data", "vbscript", "file", "about", "blob", "filesystem", "view-source", "mhtml"],
    ...["ftp", "wss?", "smb", "nfs", "ldaps?", "ssh", "telnet", "feed", "jar", "chrome", "resource", "res"],
    ...["mailto", "tel", "sms", "smsto", "callto", "sips?", "facetime", "intent", "content", "market"],
    // Programs of Windows that have run what such an address says.
    ...["ms-.*", "search", "search-ms", "shell", "hcp", "help"],
  ].join("|")}):$`,
);

/** Host and port as everybody reads them alike: browsers take other spellings for another host, or for a path of the page that leads there. */
const plain_web_address = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?]|$)/i;

/** Parameters of answers (RFC 6749, section 4.1.2; RFC 9207): with one in the address, a program could read that in their place. */
const answer_params = ["code", "state", "iss", "error"];

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
  if (answer_params.some((name) => url.searchParams.has(name))) return "has a parameter that answers have";
  if (refused_schemes.test(url.protocol)) return "has a scheme that no app can have";
  if (!/^https?:$/.test(url.protocol)) return null;
  if (!plain_web_address.test(uri)) return "has a host that not everybody reads alike";
  if (url.protocol === "https:") return null;
  return isLoopbackName(url.hostname) ? null : "must be https, or http on localhost";
}

/** The addresses of a program if all may be used; else each with why it may not (RFC 7591, section 3.2.2). */
export function checkRedirectUris(uris: unknown): { uris: string[] } | { faults: FieldError[] } {
  const path = "/redirect_uris";
  if (!Array.isArray(uris) || uris.length === 0)
    return { faults: [{ path, message: "must be a list of addresses" }] };
  const { redirect_uris_max } = oauth_limits;
  if (uris.length > redirect_uris_max)
    return { faults: [{ path, message: `has more than ${redirect_uris_max} addresses` }] };
  const faults = uris.flatMap((uri, i) => {
    const message = faultOf(uri);
    return message === null ? [] : [{ path: `${path}/${i}`, message }];
  });
  return faults.length > 0 ? { faults } : { uris: uris as string[] };
}

/** Such faults in one line. */
export const faultsText = (faults: FieldError[]): string =>
  faults.map(({ path, message }) => `${path.slice(1)} ${message}`).join("; ");

/** An address of this machine without its port: a program that listens there has another one each time (RFC 8252, section 7.3). */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/** Such an address without its port, and with a path: an absent one is `/` (RFC 3986, section 6.2.3). Others as they are. */
function withoutPort(uri: string): string {
  const [, host, rest = ""] = loopback.exec(uri) ?? [];
  if (host === undefined) return uri;
  return rest.startsWith("/") ? `${host}${rest}` : `${host}/${rest}`;
}

/** Whether a program with these addresses may be answered at `uri`: only the port of this machine may be another (RFC 9700, section 2.1). */
export const isRegistered = (uris: readonly string[], uri: string): boolean =>
  faultOf(uri) === null && uris.some((registered) => withoutPort(registered) === withoutPort(uri));

/** Whether the answers go to a program on the reader's own computer: any program there may have taken its place (RFC 8252, section 8.6). */
export function isLocal(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return !/^https?:$/.test(protocol) || isLoopbackName(hostname);
}

/** Who gets the answers, as people know it: a host, this computer or an app. */
export function receiverOf(uri: string): string {
  const url = new URL(uri);
  if (/^https?:$/.test(url.protocol)) return isLoopbackName(url.hostname) ? "this computer" : url.host;
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
