/** The credential of a request: a name and its key, or only the key, which implies its name. */

import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import type { Credential } from "../core/caller.ts";

/**
 * The credential in `argument` and in the headers; both parts are null if there is none. Ignores other schemes of
 * Authorization, which may be meant for a proxy. Throws if two different keys were sent.
 */
export function credentialOf({ headers }: Request, argument?: Credential): Credential {
  const authorization = headers.get("authorization");
  // Fast path: most requests have no credential.
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
  // The name in the argument takes precedence: it belongs to this call, the headers to all calls of a client.
  const named = key === null ? null : argument?.name;
  return { name: named || headers.get("x-wf-name"), key };
}
