/** Expected failures that are of the service, its machine or its load, and not of the call: a part of `failures.ts`. */

import { failure, type Failure } from "./error_kinds.ts";

export const host_failures = {
  internal: failure(
    "internal",
    "Something broke on our side",
    "This is a fault of the service, not of the call. It has been written to its log.",
    true,
  ),
  storage_corrupt: failure(
    "internal",
    "A part of the storage is damaged",
    "The database is damaged where the call reads it. It has been written to the log: the operator has to restore a backup. Other parts can still be read; the same call fails again.",
  ),
  answers_busy: failure(
    "unavailable",
    "Too many large answers are under way",
    "The answer was too large to be sent beside the others. What the call did is done; only its answer is missing.",
    true,
  ),
  storage_busy: failure(
    "unavailable",
    "The storage is busy",
    "Another process holds the database, or more writes are waiting than the service takes on. Nothing was stored.",
    true,
  ),
  search_busy: failure("unavailable", "Too many searches", "Only searches wait: all else is answered.", true),
  search_timeout: failure(
    "unavailable",
    "The search took too long",
    "Rarer or fewer words take less time.",
    true,
  ),
  storage_failed: failure(
    "unavailable",
    "The storage failed",
    "The disk refused the write. Whether it took place is not certain: read before you write again.",
    true,
  ),
  stopping: failure(
    "unavailable",
    "The service is stopping",
    "The service is shutting down or restarting.",
    true,
  ),
  disk_budget: failure(
    "full",
    "The limit for stored data is reached",
    "The operator has limited what this service stores, and the limit is reached, or too little of the disk is free. Nothing was stored. Reading goes on, and so does what takes something back: redacting, closing, deleting. Try again later.",
    true,
  ),
  storage_full: failure(
    "full",
    "The storage is full",
    "The disk has no room for the write. Nothing was stored; reading goes on.",
    true,
  ),
} satisfies Record<string, Failure>;
