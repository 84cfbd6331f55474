/** Comparing what was shown with what is kept: constant time, and the same work whether or not there is something kept. */

import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { sameDigest, sha256Hex } from "../core/secrets.ts";

// Compared with where nothing is kept, for the time that it takes.
const nothing_kept = sha256Hex("");

/** Whether `shown_sha256` is the digest that is kept. Where none is, nothing fits. */
export function fits(kept: string | null | undefined, shown_sha256: string): boolean {
  const is_same = sameDigest(kept ?? nothing_kept, shown_sha256);
  return is_same && typeof kept === "string";
}

export const unknownCredential = (
  hint = "Check the name and its key for typing errors, or leave them out where none is needed.",
): ServiceError =>
  new ServiceError(
    caller_errors.unknown_credential,
    "That name and key do not belong together, or the key has been replaced.",
    { hint },
  );
