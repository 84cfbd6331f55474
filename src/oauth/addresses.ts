/** The addresses of the authorization server, and the names of its resource. */

import { account_path } from "../api/account.ts";

/** Below the base URL. */
export const oauth_path = "/oauth";

/**
 * The resource that a program has named (RFC 8707), as tokens have it; null for another. Counts as equal: a slash at the end, and
 * the address by which the caller reached the service. `base`: the base URL of the service; `reached`: that of the request.
 */
export function resourceOf(base: string, reached: string, named: readonly string[]): string | null {
  const known = [base, reached].flatMap((one) => [`${one}${account_path}`, `${one}${account_path}/`]);
  return named.every((one) => known.includes(one)) ? `${base}${account_path}` : null;
}
