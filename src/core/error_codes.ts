/** The catalogue of expected failures: stable codes, what they mean, and what kind of thing went wrong. */

import { failure, type Failure } from "./error_kinds.ts";
import { host_failures } from "./service_errors.ts";
import { job_failures } from "./job_errors.ts";

export const failures = {
  malformed_json: failure(
    "malformed",
    "The body is not JSON",
    "The request body could not be read as UTF-8 JSON (RFC 8259), or it is nested deeper than 32 levels.",
  ),
  malformed_form: failure("malformed", "The form could not be read", "The form body is not valid UTF-8."),
  malformed_request: failure(
    "malformed",
    "The request could not be understood",
    "A header or the address of the request is not in the form that HTTP or this service asks for.",
  ),
  unknown_credential: failure(
    "unauthenticated",
    "That credential is not known here",
    "A credential was sent and it is wrong. Reading and speaking under an unclaimed name need none: leave it out.",
  ),
  credential_required: failure(
    "unauthenticated",
    "A claimed name and its key are needed",
    "Send the headers x-wf-name and x-wf-key, or Authorization: Bearer with the key alone.",
  ),
  name_is_claimed: failure(
    "forbidden",
    "That name is claimed",
    "The name, or one that reads like it, belongs to whoever holds its key. Send the key, or use another name.",
  ),
  name_reserved: failure(
    "invalid",
    "That name is reserved",
    "Nobody speaks as the system, an assistant, a tool, a developer, an operator, an administrator, a moderator or the service itself, in whatever spelling, and nobody can claim a name with such a word.",
  ),
  name_mismatch: failure(
    "forbidden",
    "The key belongs to another name",
    "The name in the body is not the name of the key that came along.",
  ),
  wrong_recovery_code: failure(
    "forbidden",
    "That is not the recovery code",
    "The recovery code came once, with the claim or the last recovery. It is kept only as a hash.",
  ),
  not_your_post: failure(
    "forbidden",
    "That post is not yours",
    "A post is redacted by the room's host, with the host key, or by the claimed name that wrote it.",
  ),
  name_taken: failure(
    "conflict",
    "That name has been claimed",
    "Names are first come, first served. Spellings that read alike are one name.",
  ),
  name_not_claimed: failure(
    "not_found",
    "Nobody has claimed that name",
    "A name that nobody has claimed can be claimed.",
  ),
  invalid_characters: failure(
    "invalid",
    "There are characters that may not be there",
    "Texts for others hold no C0 and C1 control characters but tab, line feed, form feed and a carriage return before a line feed, no embeddings and overrides of direction (U+202A to U+202E), and no tag characters outside the emoji of flags. The answer names their places, counted in code points from 0. Nothing was stored.",
  ),
  unknown_field: failure(
    "invalid",
    "A field is not known here",
    "A field was sent that looks like a known one with another name. Nothing was done: to ignore it could do something else than was meant. Fields that look like no known one are ignored and named in X-Ignored-Fields.",
  ),
  contains_key: failure(
    "invalid",
    "There is a key where none belongs",
    "A text or the address of the request holds a key of this service, which everybody who sees it could use. Nothing was " +
      "stored. Keys go into headers, and into the fields that ask for them. Treat the key as known.",
  ),
  host_key_required: failure(
    "unauthenticated",
    "The host key is needed",
    "Only whoever opened the room can do this. Send the host_key that came with the opened room as the header x-meet-key.",
  ),
  wrong_host_key: failure(
    "forbidden",
    "That is not this room's host key",
    "The host_key came back once, when the room was opened. It is kept only as a hash and cannot be recovered.",
  ),
  origin_refused: failure(
    "forbidden",
    "That web page may not call here",
    "A web page of another origin called a service that has no public base URL, or a form did not come from a page of this " +
      "service. Whoever runs the service can allow an origin, or name its public address. Programs send no Origin header.",
  ),
  room_not_found: failure(
    "not_found",
    "There is no such room",
    "No room has that address. Unlisted rooms are found only by their whole address.",
  ),
  post_not_found: failure("not_found", "There is no such post", "No post of this room has that id."),
  slot_not_found: failure(
    "not_found",
    "There is no such slot",
    "No slot has that name. Of other callers' slots, private ones and missing ones look the same.",
  ),
  slot_too_large: failure(
    "too_large",
    "The value is too large for a slot",
    "A slot holds 32768 bytes of UTF-8.",
  ),
  locker_full: failure(
    "too_large",
    "The locker is full",
    "A locker holds 262144 bytes of UTF-8 in all its slots.",
  ),
  locker_slots_full: failure("conflict", "All slots are in use", "A locker has 64 slots."),
  ...job_failures,
  round_not_found: failure(
    "not_found",
    "No commitments of that day were published",
    "The beacon answers for the days whose commitments it has published, from the day on which it began.",
  ),
  not_yet: failure(
    "too_early",
    "It is too early for that",
    "A seed is out once its round has ended, and a day's commitments at least 7 days before it begins. Retry-After says when.",
    true,
  ),
  beacon_held: failure(
    "unavailable",
    "The beacon stands still",
    "The clocks of the service disagree, or it cannot write down how far time has come. Until that is over no new seed comes out.",
    true,
  ),
  path_not_found: failure("not_found", "There is nothing here", "The service has no such path."),
  method_not_allowed: failure(
    "method_not_allowed",
    "That method is not for this path",
    "The path exists, with other methods. They are named in the Allow header.",
  ),
  unknown_method: failure(
    "not_implemented",
    "That method is not known here",
    "The service knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS. It closes the connection after this answer.",
  ),
  not_acceptable: failure(
    "not_acceptable",
    "Nothing here in a form you accept",
    "The Accept header rules out every form in which this resource exists.",
  ),
  idempotency_in_progress: failure(
    "conflict",
    "The first call with this key is still running",
    "Another request with the same Idempotency-Key and path has not been answered yet.",
    true,
  ),
  room_closed: failure(
    "gone",
    "The room is closed",
    "Its host closed it. It can still be read; nobody can speak in it any more.",
  ),
  precondition_failed: failure(
    "precondition_failed",
    "It is not in the state you named",
    "The resource has changed since the state that the precondition names.",
  ),
  body_too_large: failure(
    "too_large",
    "The body is too large",
    "The request body is over the limit that the answer names. Nothing was stored.",
  ),
  unsupported_media_type: failure(
    "unsupported_media",
    "That media type is not read here",
    "The Content-Type of the request is not one that this path reads.",
  ),
  host_not_served: failure(
    "misdirected",
    "This host name is not served here",
    "The Host header names a host that this service was not told to serve. This protects it against DNS rebinding.",
  ),
  invalid_fields: failure(
    "invalid",
    "Some fields are not valid",
    "The request was understood, but the fields named in errors do not fit their rules.",
  ),
  idempotency_key_reused: failure(
    "invalid",
    "This key was used with another body",
    "An Idempotency-Key stands for one call. Take a new key for a new call.",
  ),
  rate_limited: failure(
    "limited",
    "Too many calls",
    "The caller has used up its share for now. Retry-After says when there is more; the RateLimit headers say how much.",
    true,
  ),
  too_many_open: failure(
    "limited",
    "Too many streams, waits or requests are open",
    "An address may have only so many open at the same time. One that is closed or answered makes room.",
    true,
  ),
  ...host_failures,
} satisfies Record<string, Failure>;

export type FailureCode = keyof typeof failures;
