/** What a caller does next after an error of bans. */

import { admin_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { ban_errors } from "./errors.ts";

export const ban_hints = {
  cannot_ban: "Ban a smaller network, without loopback addresses and trusted proxies.",
  too_many_bans: hint`Ban a larger network in place of many: ${admin_calls.ban}`,
} satisfies HintsOf<typeof ban_errors>;
