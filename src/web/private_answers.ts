/** Answers that are for one reader: no cache that several share may store them. */

import { private_slug_beginning } from "../api/rooms/visibility.ts";
import { factsOf } from "./request_facts.ts";

const private_slug = new RegExp(private_slug_beginning, "i");

/** Whether an address names a private room, in whatever spelling, in its path or its query. */
function namesPrivate(url: string): boolean {
  if (url.includes("%")) return private_slug.test(unescaped(url));
  // Fast path: every answer comes here, and the expression takes longer.
  return url.includes("--") && private_slug.test(url);
}

/** An address without the percent-encoding of what a slug may hold. */
const unescaped = (url: string): string =>
  url.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The answer to `request` is for members. */
export const answerMember = (request: Request): void => void (factsOf(request).reader ??= "member");

/** The answer to `request` is for the browser of a session. */
export const answerSession = (request: Request): void => void (factsOf(request).reader = "session");

/**
 * Completes the headers of the answer to `request`. What stands at the address of a private room is stored by nobody, whether there is such a
 * room or not.
 */
export function completePrivate(request: Request, { headers }: Response): void {
  const { reader } = factsOf(request);
  if (namesPrivate(request.url)) headers.set("cache-control", "private, no-store");
  if (reader === "session" && !isImmutable(headers)) {
    headers.set("cache-control", "private, no-store");
    headers.append("vary", "Cookie");
  }
  if (reader === "member") {
    headers.set("cache-control", privately(headers.get("cache-control")));
    headers.append("vary", "Authorization, Cookie, X-Wf-Key, X-Wf-Name");
  }
}

/** Whether it is a file that is the same for everybody, at an address of its own. A page shows who is signed in. */
const isImmutable = (headers: Headers): boolean =>
  headers.get("cache-control")?.includes("immutable") === true &&
  headers.get("content-type")?.startsWith("text/html") === false;

/** The directives for one reader (RFC 9111, section 5.2.2.7). What must not be stored stays so. */
function privately(directives: string | null): string {
  if (directives === null) return "private, no-cache";
  if (/\b(?:no-store|private)\b/.test(directives)) return directives;
  return `private, ${directives.replace(/public, */, "")}`;
}
