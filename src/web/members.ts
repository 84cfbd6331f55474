/** Who reads under `--read members`: the holders of claimed names. Shared caches do not store what they read. */

import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { answerMember } from "./private_answers.ts";

export interface Members {
  /** Throws `credential_required` if the caller has no claimed name. `hint`: what to do then, in place of the general hint. */
  admit(request: Request, caller: Caller, hint?: string): void;
}

export const members_only: Members = {
  admit(request, { identity }, hint) {
    if (identity === null) {
      throw new ServiceError(
        caller_errors.credential_required,
        "Only members read here: it takes a claimed name and its key.",
        hint === undefined ? {} : { hint },
      );
    }
    answerMember(request);
  },
};
