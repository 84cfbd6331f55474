/** Errors of bans. */

import { defineErrors } from "../core/error_definition.ts";

export const ban_errors = defineErrors({
  cannot_ban: {
    kind: "conflict",
    title: "This network cannot be banned",
    explanation:
      "The network contains a loopback address or a trusted proxy. A ban of it would refuse the operator, or everybody behind the proxy.",
  },
  too_many_bans: {
    kind: "full",
    title: "There are too many bans",
    explanation: "All bans are in memory, so their number is limited. Ban a larger network in place of many.",
  },
});
