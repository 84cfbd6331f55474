/** What a caller does next after an error of the admin API. */

import { admin_calls } from "../api/calls.ts";
import { hint, words, type HintsOf } from "../core/hints.ts";
import type { admin_errors } from "./errors.ts";

const token = words({
  http: "Authorization: Bearer with a token that begins with wfa_",
  tool: "one that begins with wfa_",
  command: "set WHARF_ADMIN_TOKEN",
});

export const admin_hints = {
  admin_required: hint`Send the token of an admin: ${token}. The owner makes one with wharf admin token.`,
  token_not_found: hint`${admin_calls.tokens} lists the tokens.`,
  tokens_full: hint`Revoke one first: ${admin_calls.revokeToken}`,
} satisfies HintsOf<typeof admin_errors>;
