/** The credential of a request: an admin token, a name and its key, or only the key, which implies its name. */

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

/** The admin token of a request: of Bearer, or the password of Basic (RFC 7617), which browsers send. Null if there is none. */
export function adminTokenOf({ headers }: Request): string | null {
  const authorization = headers.get("authorization")?.trim() ?? "";
  const [, scheme = "", value = ""] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password ?? null;
}
