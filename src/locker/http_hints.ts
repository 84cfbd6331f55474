/** What a caller over HTTP does next after an error of lockers, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const locker_http_hints: Hints = {
  slot_not_found: "GET /api/locker lists your own slots, GET /api/locker/index those of everybody.",
  locker_slots_full: "Take one away first: DELETE /api/locker/{slot}",
  locker_full: "Take something away first: DELETE /api/locker/{slot}",
  slot_too_large: "Store less in it, or in several slots.",
  precondition_failed: "Read it again (GET /api/locker/{slot}), decide, and send its new ETag or version.",
};
