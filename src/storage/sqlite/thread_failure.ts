/** Errors as plain data, to send them from a worker thread. */

import type { ErrorDefinition } from "../../core/error_definition.ts";
import { isFailure, ServiceError, type FailureExtra } from "../../core/errors.ts";
import { service_errors } from "../../core/general_errors.ts";
import { storageFailure } from "./connection.ts";

/** An unexpected failure has no definition; its detail is the stack, for the log. */
export type PlainFailure =
  | {
      definition: ErrorDefinition;
      detail: string;
      extra: FailureExtra;
      /** For a damaged database: SQLite's message, for the log. */
      damage?: string;
    }
  | { definition: null; detail: string };

export function plainFailure(error: unknown): PlainFailure {
  const known = storageFailure(error);
  if (known instanceof ServiceError) {
    // The schema of its members is for documents.
    const { members: _members, ...definition } = known.definition;
    const { detail, extra } = known;
    const is_damage = isFailure(known, service_errors.storage_corrupt);
    return { definition, detail, extra, ...(is_damage && { damage: String(error) }) };
  }
  const detail = known instanceof Error ? (known.stack ?? known.message) : String(known);
  return { definition: null, detail };
}

/** Turns plain data back into an error. `unexpected` is the message of an error without a definition. Passes damage to `noteDamage`. */
export function failureFromThread(
  failure: PlainFailure,
  unexpected: string,
  { noteDamage }: { noteDamage(damage: unknown): void },
): Error {
  if (!failure.definition) {
    const error = new Error(unexpected);
    error.stack = failure.detail;
    return error;
  }
  if (failure.damage) noteDamage(failure.damage);
  return new ServiceError(failure.definition, failure.detail, failure.extra);
}
