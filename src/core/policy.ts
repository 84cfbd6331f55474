/** The operator's settings for who may read, speak, claim a name and sign in, and for how long data is stored. */

import type { Caller } from "./caller.ts";
import { caller_errors } from "./caller_errors.ts";
import { ServiceError } from "./errors.ts";
import type { Retention } from "./retention.ts";
import type { Config } from "./settings.ts";

export type Policy = Pick<Config, "read" | "speak" | "claims" | "oauth" | keyof Retention>;

/** Whether speaking needs a claimed name. A member is the holder of one. */
export const speakersHaveNames = ({ read, speak }: Policy): boolean =>
  read === "members" || speak !== "anyone";

/** Throws `credential_required` if the caller may not speak. Null if anybody may. */
export type SpeakerCheck = ((caller: Caller) => void) | null;

export const speakerCheck = (policy: Policy): SpeakerCheck =>
  speakersHaveNames(policy)
    ? ({ identity }) => {
        if (identity !== null) return;
        throw new ServiceError(
          caller_errors.credential_required,
          "Speaking here takes a claimed name and its key.",
        );
      }
    : null;
