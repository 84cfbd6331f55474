/** What an HTTP caller can do next after an error of `core`, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const web_http_hints: Hints = {
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
