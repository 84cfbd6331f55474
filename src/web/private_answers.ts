/** Answers that are for one reader: no cache that several share may store them. */

import { factsOf } from "./request_facts.ts";

export interface PrivateAnswers {
  /** The answer to `request` is for members. */
  forMember(request: Request): void;
  /** The answer to `request` is for the browser of a session. */
  forSession(request: Request): void;
  /** Completes the headers of the answer to `request`. */
  complete(request: Request, response: Response): Response;
}

export function createPrivateAnswers(): PrivateAnswers {
  return {
    forMember: (request) => void (factsOf(request).reader ??= "member"),
    forSession: (request) => void (factsOf(request).reader = "session"),
    complete(request, response) {
      const { reader } = factsOf(request);
      if (reader === null) return response;
      const { headers } = response;
      if (reader === "session") {
        if (isImmutable(headers)) return response;
        headers.set("cache-control", "private, no-store");
        headers.append("vary", "Cookie");
      } else {
        headers.set("cache-control", privately(headers.get("cache-control")));
        headers.append("vary", "Authorization, Cookie, X-Wf-Key, X-Wf-Name");
      }
      return response;
    },
  };
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
