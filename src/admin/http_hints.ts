/** What a caller over HTTP does next after an error of the admin API, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const admin_http_hints: Hints = {
  admin_required:
    "Send Authorization: Bearer with a token that begins with wfa_. The owner makes one with wharf admin token.",
  scope_missing: "The owner makes a token with more rights: wharf admin token --scope operate",
  token_not_found: "GET /api/admin/tokens lists the tokens.",
  tokens_full: "Revoke one first: POST /api/admin/tokens/{id}/revoke",
};
