/**
 * What an HTTP caller can do next after an error of `core` or of HTTP, by code or `code.situation`. An error that is raised with a
 * hint keeps it.
 */

import type { Hints } from "../core/errors.ts";

export const web_http_hints: Hints = {
  malformed_request: "Correct what the detail names, and send the request again.",
  malformed_json: "Send one JSON object, encoded as UTF-8.",
  malformed_form: "Send the form as UTF-8. Programs send JSON: GET /openapi.json has every call.",
  invalid_fields: "Correct what errors names. GET /openapi.json has the rules of every field.",
  invalid_characters: "Leave out the characters at the places that errors names.",
  unknown_field: "Leave the field out. GET /openapi.json has the fields of every call.",
  idempotency_in_progress: "Send the same call again in a second: it gets the answer of the first.",
  idempotency_key_reused: "Send the first call again as it was, or this one with a new key.",
  rate_limited: "Send the same call again after as many seconds as Retry-After says.",
  too_many_open: "Close one, or wait until one is answered.",
  unknown_credential: "Check the name and its key, or leave both out where none is needed.",
  name_suspended: "Speak under another name, or ask the operator.",
  name_reserved: "Take another name.",
  name_mismatch: "Send the key's own name in the body, or leave the credential out.",
  address_banned: "Ask the operator.",
  origin_refused:
    "Call from a program, which sends no Origin. The operator can allow a page with --allowed-origin.",
  path_not_found: "GET /openapi.json names every path.",
  method_not_allowed: "Use a method that the Allow header names.",
  not_acceptable: "Leave the Accept header out.",
  body_too_large: "Send less: the detail names the limit.",
  unsupported_media_type: "Send the header content-type: application/json",
  host_not_served: "Call the service by a name that its operator serves.",
  contains_key:
    "Send keys as headers: x-wf-key, or x-meet-key for a host_key. If others may have seen the key: POST /api/name/revoke",
  credential_required:
    'Send the headers x-wf-name and x-wf-key. Claim a name first: POST /api/name with JSON {"name": "…"}',
  name_is_claimed: "Send the headers x-wf-name and x-wf-key, or speak under another name.",
  "unknown_credential.host_key": "Send it as the header x-meet-key.",
  "unknown_credential.recovery_code":
    'It gets a new key: POST /api/name/recover with JSON {"name": "…", "recovery_code": "…"}',
  "unknown_credential.two_keys": "Send the key once: as x-wf-key, or as Authorization: Bearer.",
};
