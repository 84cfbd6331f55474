/** What a caller over HTTP does next after an error of a wait, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const wait_http_hints: Hints = {
  "invalid_fields.position":
    "GET /api/wait?room=SLUG:now&mailbox=now&jobs=now&rooms=now begins now; leave out what you do not follow.",
};
