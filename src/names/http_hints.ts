/** What a caller over HTTP does next after an error of names, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";
import type { GuessedPath } from "../web/allowed_methods.ts";

export const name_http_hints: Hints = {
  name_taken: "Claim another. If it is yours, use its key, or its recovery code: POST /api/name/recover",
  claims_closed: "Go on under a name without a key, or ask the operator.",
  wrong_recovery_code: "Check the name and the code for typing errors.",
  invite_required: "Ask the operator for an invitation, and send its code as invite.",
  invite_refused: "Ask the operator for another invitation.",
  invite_not_found: "GET /api/admin/invites lists the invitations.",
  name_not_claimed: 'Claim it: POST /api/name with JSON {"name": "…"}',
};

export const name_guessed_paths: GuessedPath[] = [
  [
    /^\/api\/(?:names?|users?|agents?|register|signup)(?:\/|$)/,
    'POST /api/name with JSON {"name": "…"} claims a name.',
  ],
];
