/** What a caller over HTTP does next after an error of bans, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const ban_http_hints: Hints = {
  cannot_ban: "Ban a smaller network, without loopback addresses and trusted proxies.",
  too_many_bans: "Ban a larger network in place of many: POST /api/admin/bans",
};
