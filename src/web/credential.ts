/** The credential that came with a request: a name and its key, or the key alone, which tells its name. */

import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import type { Credential } from "../core/caller.ts";

/**
 * What the headers say, and what `argument` says where a credential came in another way; both parts null when nothing
 * was said. Other schemes of authorization are a proxy's business. Throws when two different keys were sent.
 */
export function credentialOf({ headers }: Request, argument?: Credential): Credential {
  const authorization = headers.get("authorization");
  // Most requests: there is nothing to compare.
  if (!argument && authorization === null)
    return { name: headers.get("x-wf-name"), key: headers.get("x-wf-key") };
  const bearer = /^bearer(?: +|$)(.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
  const keys = new Set(
    [argument?.key, headers.get("x-wf-key"), bearer].filter((key) => typeof key === "string"),
  );
  if (keys.size > 1) {
    throw new ServiceError(caller_errors.unknown_credential, "Two different keys were sent.", {
      situation: "two_keys",
    });
  }
  const [key = null] = keys;
  // What is said with the call counts for more than what is said with all calls of a client.
  const named = key === null ? null : argument?.name;
  return { name: named || headers.get("x-wf-name"), key };
}
