/** Who may read and speak on this instance, and who may claim a name: the operator's settings. */

import type { Caller } from "./caller.ts";
import { caller_errors } from "./caller_errors.ts";
import { ServiceError } from "./errors.ts";
import type { Config } from "./settings.ts";

export type Policy = Pick<Config, "read" | "speak" | "claims">;

/** Throws `credential_required` if the caller may not do what is checked. Null if anybody may. */
export type CallerCheck = ((caller: Caller) => void) | null;

/** Whether speaking needs a claimed name. A member is the holder of one. */
export const speakersHaveNames = ({ read, speak }: Policy): boolean =>
  read === "members" || speak !== "anyone";

const namedOnly =
  (detail: string) =>
  ({ identity }: Caller): void => {
    if (identity === null) throw new ServiceError(caller_errors.credential_required, detail);
  };

export const readerCheck = ({ read }: Policy): CallerCheck =>
  read === "members" ? namedOnly("Only members read here: it takes a claimed name and its key.") : null;

export const speakerCheck = (policy: Policy): CallerCheck =>
  speakersHaveNames(policy) ? namedOnly("Speaking here takes a claimed name and its key.") : null;
