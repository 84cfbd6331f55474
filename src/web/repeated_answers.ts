/**
 * Answers from the cache to requests like an earlier one. They need neither the router nor authentication: what those would find
 * is known from the earlier request.
 */

import type { AnswerCache } from "./answer_cache.ts";
import { web_limits } from "./limits.ts";
import { factsOf } from "./request_facts.ts";
import { sendTagged, type Tagged } from "./responses.ts";

/** An address whose answer is in the cache. */
interface Repeatable {
  /** What the earlier request accepted, and how its caller reached the service. */
  accept: string | null;
  base: string;
  route: string | null;
  /** The key of its answer in the cache. */
  key: string;
}

export type RepeatedAnswers = ReturnType<typeof createRepeatedAnswers>;

/** `baseOf`: the public base URL of the service, as the caller of a request reached it. */
export function createRepeatedAnswers(
  cache: Pick<AnswerCache, "known">,
  baseOf: (request: Request) => string,
) {
  const by_url = new Map<string, Repeatable>();

  function note(request: Request, base: string, key: string): void {
    const { url, headers } = request;
    const { route, ignored_fields } = factsOf(request);
    if (url.length > web_limits.repeated_url_chars_max || ignored_fields || !isPlain(request)) return;
    // The answer of an address that was noted long ago costs another look at the router.
    if (by_url.size >= web_limits.repeated_urls_max) by_url.clear();
    by_url.set(url, { accept: headers.get("accept"), base, route, key });
  }

  return {
    /**
     * Sends an answer that is in the cache under `key`, also to later requests for the same address, as long as it is there. It must
     * depend on nothing else that callers without a credential send, but on what they accept.
     */
    send(request: Request, base: string, key: string, answer: Tagged): Response | Promise<Response> {
      note(request, base, key);
      return sendTagged(request, answer);
    },

    /** The answer that a request gets like the one before; null if the router has to find it. */
    answerTo(request: Request): Response | Promise<Response> | null {
      const found = by_url.get(request.url);
      if (!found || !isPlain(request)) return null;
      if (request.headers.get("accept") !== found.accept || baseOf(request) !== found.base) return null;
      const answer = cache.known(found.key);
      if (!answer) {
        by_url.delete(request.url);
        return null;
      }
      factsOf(request).route = found.route;
      return sendTagged(request, answer);
    },
  };
}

/** Whether a request is a GET without a credential and without a preference. */
const isPlain = ({ method, headers }: Request): boolean =>
  method === "GET" &&
  !headers.has("authorization") &&
  !headers.has("cookie") &&
  !headers.has("x-wf-key") &&
  !headers.has("x-wf-name") &&
  !headers.has("prefer");
