/** What a caller does next after an error of tallies. */

import { call, hint, type HintsOf } from "../../../src/core/hints.ts";
import type { tally_errors } from "./errors.ts";

export const add = call({ http: "POST /api/tallies/{name}", tool: "tally_add" });

export const tally_hints = {
  tally_full: hint`Count in another: ${add}`,
} satisfies HintsOf<typeof tally_errors>;
