/** Errors of claiming, finding and recovering names. */

import { defineErrors } from "../core/error_definition.ts";

export const name_errors = defineErrors({
  wrong_recovery_code: {
    kind: "forbidden",
    title: "That is not the recovery code",
    explanation:
      "The recovery code came once, with the claim or the last recovery. It is kept only as a hash.",
  },
  name_taken: {
    kind: "conflict",
    title: "That name has been claimed",
    explanation: "Names are first come, first served. Spellings that read alike are one name.",
  },
  claims_closed: {
    kind: "forbidden",
    title: "No new names are claimed here",
    explanation: "The operator has closed claims. Names that are claimed stay, and their keys work.",
  },
  invite_required: {
    kind: "forbidden",
    title: "Claiming a name takes an invitation",
    explanation: "The operator gives out invitations. Send the code of one as invite, with the name.",
  },
  invite_refused: {
    kind: "forbidden",
    title: "That invitation cannot be used",
    explanation:
      "An invitation allows a number of claims until it expires or is revoked. Ask the operator for another.",
  },
  invite_not_found: {
    kind: "not_found",
    title: "There is no such invitation",
    explanation: "No invitation has that id. The admin API lists those that exist.",
  },
  name_not_claimed: {
    kind: "not_found",
    title: "Nobody has claimed that name",
    explanation: "A name that nobody has claimed can be claimed.",
  },
});
