/** Errors of the service: not the caller's fault. */

import { defineErrors } from "./error_definition.ts";

export const service_errors = defineErrors({
  internal: {
    kind: "internal",
    title: "Something broke on our side",
    explanation: "This is a fault of the service, not of the call. It has been written to its log.",
    retryable: true,
  },
  storage_corrupt: {
    kind: "internal",
    title: "A part of the storage is damaged",
    explanation:
      "The database is damaged where the call reads it. It has been written to the log: the operator has to restore a backup. Other parts can still be read; the same call fails again.",
  },
  answers_busy: {
    kind: "unavailable",
    title: "Too many large answers are under way",
    explanation:
      "The answer was too large to be made or sent beside the others. What the call did is done; only its answer is missing.",
    retryable: true,
  },
  storage_busy: {
    kind: "unavailable",
    title: "The storage is busy",
    explanation:
      "Another process holds the database, or more writes are waiting than the service takes on. Nothing was stored.",
    retryable: true,
  },
  backup_running: {
    kind: "unavailable",
    title: "Another backup is being made",
    explanation: "The service makes one backup at a time.",
    retryable: true,
  },
  search_busy: {
    kind: "unavailable",
    title: "Too many searches",
    explanation: "Only searches wait: all else is answered.",
    retryable: true,
  },
  search_timeout: {
    kind: "unavailable",
    title: "The search took too long",
    explanation: "Rarer or fewer words take less time.",
    retryable: true,
  },
  storage_failed: {
    kind: "unavailable",
    title: "The storage failed",
    explanation:
      "The disk refused the write. Whether it took place is not certain: read before you write again.",
    retryable: true,
  },
  stopping: {
    kind: "unavailable",
    title: "The service is stopping",
    explanation: "The service is shutting down or restarting.",
    retryable: true,
  },
  disk_budget: {
    kind: "full",
    title: "The limit for stored data is reached",
    explanation:
      "The operator has limited what this service stores, and the limit is reached, or too little of the disk is free. Nothing was stored. Reading goes on, and so does what takes something back: redacting, closing, deleting. Try again later.",
    retryable: true,
  },
  storage_full: {
    kind: "full",
    title: "The storage is full",
    explanation: "The disk has no room for the write. Nothing was stored; reading goes on.",
    retryable: true,
  },
});
