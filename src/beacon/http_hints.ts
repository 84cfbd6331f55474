/** What a caller over HTTP does next after an error of the beacon, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const beacon_http_hints: Hints = {
  round_not_found: "GET /api/beacon names the current round, and the first and the last published day.",
  not_issued: "GET /api/beacon names the current round, and under days what is not issued.",
  not_yet:
    "Nothing was computed. Ask again when Retry-After says; until then GET /api/beacon has commitments.",
};
