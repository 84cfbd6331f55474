/** Errors of tallies. */

import { defineErrors } from "../../../src/core/error_definition.ts";

export const tally_errors = defineErrors({
  tally_full: { kind: "conflict", title: "The tally is full", explanation: "A tally counts to 3." },
});
