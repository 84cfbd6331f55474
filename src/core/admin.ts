/** Who runs or moderates the instance, and what their commands record. */

import type { Clock } from "./clock.ts";
import { defineErrors } from "./error_definition.ts";
import { ServiceError } from "./errors.ts";
import type { Tx } from "./storage.ts";

/** `moderate`: posts, rooms, names, public slots, reports, programs, smaller bans and the audit log. `operate`: all of the instance. */
export type Scope = "moderate" | "operate";

/** Who changes the instance: `owner`, who has its files, or `token:` and the label of a token. */
export interface Admin {
  actor: string;
  scopes: readonly Scope[];
}

export const scope_errors = defineErrors({
  scope_missing: {
    kind: "forbidden",
    title: "The token does not have the scope",
    explanation:
      "A token with the scope moderate may act on posts, rooms, names, public slots, reports, programs and bans of networks that are not too large. The rest needs the scope operate.",
  },
});

/** Throws `scope_missing` if an admin does not have the scope that `what` takes. */
export function requireScope({ scopes }: Admin, scope: Scope, what = "This"): void {
  if (scopes.includes(scope)) return;
  throw new ServiceError(scope_errors.scope_missing, `${what} takes a token with the scope ${scope}.`);
}

/** What the command of an admin takes beside its own input. */
export interface AdminAction {
  actor: string;
  reason: string;
  now_ms: number;
}

/** What the command of an admin records, at this moment. */
export const actionBy = ({ actor }: Admin, reason: string, clock: Pick<Clock, "now">): AdminAction => ({
  actor,
  reason,
  now_ms: clock.now(),
});

/**
 * Writes a line of the audit log in the transaction of the action. `action`: what was done, such as `post.hide`. `target`: what it
 * was done to, by its public id, such as `a-room#57`: never a text that could have to be erased.
 */
export type Audit = (tx: Tx, by: AdminAction, action: string, target: string) => Promise<void>;
