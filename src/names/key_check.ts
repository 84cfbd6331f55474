/** Compares a sent secret with the stored digest in constant time, with the same work if there is none. */

import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { sameDigest, sha256Hex } from "../core/secrets.ts";

// Compared if no digest is stored, so that the comparison takes the same time.
const no_digest = sha256Hex("");

/** Whether `sent_sha256` is the stored digest. False if none is stored. */
export function fits(stored: string | null | undefined, sent_sha256: string): boolean {
  const is_same = sameDigest(stored ?? no_digest, sent_sha256);
  return is_same && typeof stored === "string";
}

export const unknownCredential = (
  hint = "Check the name and its key for typing errors, or leave them out where none is needed.",
): ServiceError =>
  new ServiceError(
    caller_errors.unknown_credential,
    "That name and key do not belong together, or the key has been replaced.",
    { hint },
  );
