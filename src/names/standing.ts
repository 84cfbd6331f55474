/** The standing of names: whether the operator has suspended or reserved them. */

import { caller_errors } from "../core/caller_errors.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";

/** The columns that say whether a name is suspended. */
export interface SuspensionColumns {
  /** 1 if a suspension is stored, which may have ended. */
  suspended: number;
  /** ISO time; null: without end. */
  suspended_until: string | null;
}

/** Since when, or until when, a name is restricted. */
export interface Standing {
  suspended?: { until: string | null };
  reserved?: true;
}

/** Whether the name is suspended at `now`, an ISO time. */
export const isSuspended = ({ suspended, suspended_until }: SuspensionColumns, now: string): boolean =>
  suspended === 1 && (suspended_until === null || suspended_until > now);

/** Throws `name_suspended` if the name is suspended. */
export function refuseSuspended(row: SuspensionColumns, now_ms: number): void {
  if (row.suspended === 1 && isSuspended(row, isoTime(now_ms))) throw nameSuspended(row.suspended_until);
}

export const nameSuspended = (until: string | null): ServiceError =>
  new ServiceError(
    caller_errors.name_suspended,
    until === null
      ? "The operator has suspended this name."
      : `The operator has suspended this name until ${until}.`,
    { members: { until } },
  );

export const standingOf = (row: SuspensionColumns & { reserved?: number }, now: string): Standing => ({
  ...(isSuspended(row, now) && { suspended: { until: row.suspended_until } }),
  ...(row.reserved === 1 && { reserved: true as const }),
});
