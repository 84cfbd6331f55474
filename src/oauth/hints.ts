/** What a caller does next after an error of signing in by OAuth. */

import { admin_calls, name_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { oauth_errors } from "./errors.ts";

export const oauth_hints = {
  grant_not_found: hint`${name_calls.grants} lists the grants of the name.`,
  client_not_found: hint`${admin_calls.clients} lists the programs.`,
} satisfies HintsOf<typeof oauth_errors>;
