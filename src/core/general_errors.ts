/** Errors that belong to no feature: of calls, and of the service. */

import { defineErrors } from "./error_definition.ts";

/** Errors of calls, for all features and transports. */
export const call_errors = defineErrors({
  malformed_request: {
    kind: "malformed",
    title: "The request could not be understood",
    explanation:
      "A header or the address of the request is not in the form that HTTP or this service asks for.",
  },
  invalid_characters: {
    kind: "invalid",
    title: "There are characters that may not be there",
    explanation:
      "Texts for others hold no C0 and C1 control characters but tab, line feed, form feed and a carriage return before a line feed, no embeddings and overrides of direction (U+202A to U+202E), and no tag characters outside the emoji of flags. The answer names their places, counted in code points from 0. Nothing was stored.",
  },
  unknown_field: {
    kind: "invalid",
    title: "A field is not known here",
    explanation:
      "A field was sent that looks like a known one with another name. Nothing was done: to ignore it could do something else than was meant. Fields that look like no known one are ignored and named in X-Ignored-Fields.",
  },
  contains_key: {
    kind: "invalid",
    title: "There is a key where none belongs",
    explanation:
      "A text or the address of the request holds a key of this service, which everybody who sees it could use. Nothing was stored. Keys go into headers, and into the fields that ask for them. Treat the key as known.",
  },
  idempotency_in_progress: {
    kind: "conflict",
    title: "The first call with this key is still running",
    explanation: "Another request with the same Idempotency-Key and path has not been answered yet.",
    retryable: true,
  },
  invalid_fields: {
    kind: "invalid",
    title: "Some fields are not valid",
    explanation: "The request was understood, but the fields named in errors do not fit their rules.",
  },
  idempotency_key_reused: {
    kind: "invalid",
    title: "This key was used for another call",
    explanation: "An Idempotency-Key stands for one call. Take a new key for a new call.",
  },
  rate_limited: {
    kind: "limited",
    title: "Too many calls",
    explanation:
      "The caller has used up its share for now. Retry-After says when there is more; the RateLimit headers say how much.",
  },
  too_many_open: {
    kind: "limited",
    title: "Too many streams, waits or requests are open",
    explanation:
      "An address may have only so many open at the same time. One that is closed or answered makes room.",
  },
});

/** Errors of the service: not the caller's fault. */
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
  },
  storage_busy: {
    kind: "unavailable",
    title: "The storage is busy",
    explanation:
      "Another process holds the database, or more writes are waiting than the service takes on. Nothing was stored.",
  },
  backup_running: {
    kind: "unavailable",
    title: "Another backup is being made",
    explanation: "The service makes one backup at a time.",
  },
  search_busy: {
    kind: "unavailable",
    title: "Too many searches",
    explanation: "Only searches wait: all else is answered.",
  },
  search_timeout: {
    kind: "unavailable",
    title: "The search took too long",
    explanation: "Rarer or fewer words take less time.",
  },
  storage_failed: {
    kind: "unavailable",
    title: "The storage failed",
    explanation:
      "The disk refused the write. Whether it took place is not certain: read before you write again.",
  },
  stopping: {
    kind: "unavailable",
    title: "The service is stopping",
    explanation: "The service is shutting down or restarting.",
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
