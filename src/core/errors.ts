/** Expected failures: one error type, nothing of any transport. */

import { call_errors } from "./error_codes.ts";
import type { ErrorDefinition } from "./error_definition.ts";

export interface FieldError {
  /** JSON Pointer (RFC 6901) into the body, or the name of the parameter; empty for the whole of what was sent. */
  path: string;
  message: string;
  /** The places of characters that may not be there, in code points from 0. */
  at?: number[];
  /** The known field that an unknown one was meant for. */
  did_you_mean?: string;
}

/** What is left of a limit of use: of calls in a window, or of what may be open at the same time. */
export interface Budget {
  policy: string;
  quota: number;
  /** Null where the quota is of what is open. */
  window_seconds: number | null;
  remaining: number;
  /** When all of the quota is there again; null where that is up to the caller. */
  resets_in_seconds: number | null;
}

export interface FailureExtra {
  /** What to do next, in words that fit every transport. A hint of the transport is used instead, if it has one. */
  hint?: string;
  /** Picks among the hints that a transport has for the code. */
  situation?: string;
  errors?: FieldError[];
  retry_after_seconds?: number;
  /** The limit that was reached. */
  budget?: Budget;
  /** Further members of the problem (RFC 9457, section 3.2). */
  members?: Record<string, unknown>;
  /** The methods that the path has. */
  allow?: string[];
}

/** An expected failure. `detail` is for the caller: it never repeats the caller's input and never names internals. */
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

/** What to do next over one transport, by code or by `code.situation`. */
export type Hints = Record<string, string>;

export const hintFor = (hints: Hints, { code, extra }: ServiceError): string | undefined =>
  hints[`${code}.${extra.situation}`] ?? hints[code];

/** A field's error in one line. */
export const fieldText = ({ path, message }: FieldError): string =>
  path === "" ? `What was sent ${message}` : `${path}: ${message}`;

/** One or more fields that break a rule. Where all of them hold characters that may not be there, that is the failure. */
export const invalidFields = (errors: FieldError[], hint?: string): ServiceError =>
  new ServiceError(
    errors.every(({ at }) => at) ? call_errors.invalid_characters : call_errors.invalid_fields,
    errors.map(fieldText).join("; "),
    {
      errors,
      ...(hint ? { hint } : {}),
    },
  );

/** Whether `error` is an expected failure with this definition, from whichever thread. */
export const isFailure = (error: unknown, { code }: ErrorDefinition): error is ServiceError =>
  error instanceof ServiceError && error.code === code;
