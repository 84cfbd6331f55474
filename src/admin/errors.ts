/** Errors of the admin API. */

import { defineErrors } from "../core/error_definition.ts";
import { admin_limits } from "../api/limits.ts";

export const admin_errors = defineErrors({
  admin_required: {
    kind: "unauthenticated",
    title: "An admin token is needed",
    explanation:
      "Only the owner of the instance and those whom the owner gave a token may call this. A token begins with wfa_.",
  },
  token_not_found: {
    kind: "not_found",
    title: "There is no such token",
    explanation: "No admin token has that id.",
  },
  tokens_full: {
    kind: "conflict",
    title: "There are too many tokens",
    explanation: `An instance has at most ${admin_limits.tokens_max} admin tokens that are not revoked.`,
  },
});
