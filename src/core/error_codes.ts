/** Errors of calls, for all features and transports. */

import { defineErrors } from "./error_definition.ts";

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
    retryable: true,
  },
  too_many_open: {
    kind: "limited",
    title: "Too many streams, waits or requests are open",
    explanation:
      "An address may have only so many open at the same time. One that is closed or answered makes room.",
    retryable: true,
  },
});
