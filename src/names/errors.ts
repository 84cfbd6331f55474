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
  name_not_claimed: {
    kind: "not_found",
    title: "Nobody has claimed that name",
    explanation: "A name that nobody has claimed can be claimed.",
  },
});
