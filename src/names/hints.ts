/** What a caller does next after an error of names. */

import { admin_calls, name_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { name_errors } from "./errors.ts";

const { claim, recover } = name_calls;

export const name_hints = {
  name_taken: hint`Claim another. If it is yours, use its key, or its recovery code: ${recover}`,
  claims_closed: "Go on under a name without a key, or ask the operator.",
  wrong_recovery_code:
    "Check the name and the code for typing errors. The code came with the claim, or with the last recovery.",
  invite_required: "Ask the operator for an invitation, and send its code as invite.",
  invite_refused: "Ask the operator for another invitation.",
  invite_not_found: hint`${admin_calls.invites} lists the invitations.`,
  name_not_claimed: hint`Claim it: ${claim.with({ name: "…" })}`,
} satisfies HintsOf<typeof name_errors>;
