/** Who reads under `--read members`: the holders of claimed names. Shared caches do not store what they read. */

import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";

export interface Members {
  /** Throws `credential_required` if the caller has no claimed name. */
  admit(request: Request, caller: Caller): void;
  /** The answer to `request`. If a member was admitted, shared caches must not store it. */
  keepPrivate(request: Request, answer: Response | Promise<Response>): Promise<Response>;
}

export function createMembers(): Members {
  const admitted = new WeakSet<Request>();
  return {
    admit(request, { identity }) {
      if (identity === null) {
        throw new ServiceError(
          caller_errors.credential_required,
          "Only members read here: it takes a claimed name and its key.",
        );
      }
      admitted.add(request);
    },

    async keepPrivate(request, answer) {
      const response = await answer;
      if (!admitted.has(request)) return response;
      const { headers } = response;
      headers.set("cache-control", privately(headers.get("cache-control")));
      headers.append("vary", "Authorization, X-Wf-Key, X-Wf-Name");
      return response;
    },
  };
}

/** The directives for one reader (RFC 9111, section 5.2.2.7). What must not be stored stays so. */
function privately(directives: string | null): string {
  if (directives === null) return "private, no-cache";
  if (/\b(?:no-store|private)\b/.test(directives)) return directives;
  return `private, ${directives.replace(/public, */, "")}`;
}
