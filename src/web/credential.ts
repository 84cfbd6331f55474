/** The credential that a request carries, in its headers: a name and its key, or the key alone as a bearer token. */

import { ServiceError } from "../errors.ts";

/** Throws when the request carries a credential: no name has been given out, so none can be right. */
export function checkCredential({ headers }: Request): void {
  const carries =
    headers.has("x-wf-key") ||
    headers.has("x-wf-name") ||
    /^bearer /i.test(headers.get("authorization") ?? "");
  if (!carries) return;
  throw new ServiceError("unknown_credential", "No such name has been claimed here.", {
    hint: "Leave the headers x-wf-name, x-wf-key and authorization out.",
  });
}
