/** The addresses of the authorization server, and the names of its resource. */

import { call_scope } from "./scope.ts";

/** Below the base URL. */
export const account_path = "/mcp/account";
export const oauth_path = "/oauth";

/** Where RFC 9728, section 3.1, has the metadata of the resource: between the host and its path. */
const resource_metadata_path = `/.well-known/oauth-protected-resource${account_path}`;

/** The challenge of the resource to a caller without a token (RFC 9728, section 5.1). `error`: of RFC 6750, section 3.1. */
export const challengeOf = (base: string, error?: "invalid_token"): string =>
  [
    `Bearer resource_metadata="${base}${resource_metadata_path}"`,
    `scope="${call_scope}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
  ].join(", ");

/**
 * The resource that a program has named (RFC 8707), as tokens have it; null for another. Counts as equal: a slash at the end, and
 * the address by which the caller reached the service. `base`: the base URL of the service; `reached`: that of the request.
 */
export function resourceOf(base: string, reached: string, named: readonly string[]): string | null {
  const known = [base, reached].flatMap((one) => [`${one}${account_path}`, `${one}${account_path}/`]);
  return named.every((one) => known.includes(one)) ? `${base}${account_path}` : null;
}
