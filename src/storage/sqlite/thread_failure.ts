/** Errors as plain data, to send them from a worker thread. */

import { ServiceError, type FailureExtra } from "../../core/errors.ts";
import type { FailureCode } from "../../core/error_codes.ts";
import { storageFailure } from "./connection.ts";

/** An unexpected failure has no code; its detail is the stack, for the log. */
export type PlainFailure =
  | {
      code: FailureCode;
      detail: string;
      extra: FailureExtra;
      /** For a damaged database: SQLite's message, for the log. */
      damage?: string;
    }
  | { code: null; detail: string };

export function plainFailure(error: unknown): PlainFailure {
  const known = storageFailure(error);
  if (known instanceof ServiceError) {
    const { code, detail, extra } = known;
    return { code, detail, extra, ...(code === "storage_corrupt" && { damage: String(error) }) };
  }
  return { code: null, detail: known instanceof Error ? (known.stack ?? known.message) : String(known) };
}

/** Turns plain data back into an error. `unexpected` is the message of an error without a code. Passes damage to `noteDamage`. */
export function failureFromThread(
  failure: PlainFailure,
  unexpected: string,
  { noteDamage }: { noteDamage(damage: unknown): void },
): Error {
  if (!failure.code) {
    const error = new Error(unexpected);
    error.stack = failure.detail;
    return error;
  }
  if (failure.damage) noteDamage(failure.damage);
  return new ServiceError(failure.code, failure.detail, failure.extra);
}
