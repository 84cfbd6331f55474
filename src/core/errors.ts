/** Expected errors: one class for all of them, independent of any transport. */

import { call_errors } from "./general_errors.ts";
import type { ErrorDefinition } from "./error_definition.ts";

export interface FieldError {
  /** JSON Pointer (RFC 6901) into the body, or the name of a parameter; empty for the whole input. */
  path: string;
  message: string;
  /** The positions of forbidden characters, in code points from 0. */
  at?: number[];
  /** The known field that was probably meant by an unknown one. */
  did_you_mean?: string;
}

/** The rest of a limit: of calls in a window, or of streams and requests open at the same time. */
export interface Budget {
  policy: string;
  quota: number;
  /** Null if the quota is of streams and requests. */
  window_seconds: number | null;
  remaining: number;
  /** When the whole quota is available again; null if that depends on the caller. */
  resets_in_seconds: number | null;
}

export interface FailureExtra {
  /** What to do next, worded for every caller, in place of the hint for the code. */
  hint?: string;
  /** Selects one of several hints for the code. */
  situation?: string;
  errors?: FieldError[];
  retry_after_seconds?: number;
  /** The limit that was reached. */
  budget?: Budget;
  /** Further members of the problem (RFC 9457, section 3.2). */
  members?: Record<string, unknown>;
  /** What the refusal of a tool says in their place: texts of strangers, in the text form. */
  quoted?: string;
  /** The allowed methods of the path. */
  allow?: string[];
  /** The challenge in place of the general one, for what takes another credential (RFC 9110, section 11.6.1). */
  challenge?: string;
}

/** An expected error. `detail` is for the caller: it never repeats the caller's input or names internals. */
export class ServiceError extends Error {
  override name = "ServiceError";

  constructor(
    readonly definition: ErrorDefinition,
    readonly detail: string,
    readonly extra: FailureExtra = {},
  ) {
    super(`${definition.code}: ${detail}`);
  }

  get code(): string {
    return this.definition.code;
  }
}

/** The error of a field in one line. */
export const fieldText = ({ path, message }: FieldError): string =>
  path === "" ? `What was sent ${message}` : `${path}: ${message}`;

/** The error for one or more invalid fields: `invalid_characters` if all of them have forbidden characters. */
export const invalidFields = (errors: FieldError[], hint?: string): ServiceError =>
  new ServiceError(
    errors.every(({ at }) => at) ? call_errors.invalid_characters : call_errors.invalid_fields,
    errors.map(fieldText).join("; "),
    { errors, ...(hint !== undefined && { hint }) },
  );

/** Waits for a write of no consequence, such as when something was used last: a disk that refuses it must not refuse the use. */
export async function unlessRefused(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** Whether `error` is an expected error with this definition, from any thread. */
export const isFailure = (error: unknown, { code }: ErrorDefinition): error is ServiceError =>
  error instanceof ServiceError && error.code === code;
