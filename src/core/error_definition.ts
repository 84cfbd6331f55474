/** What defines an expected error. Each feature defines its own in `errors.ts`; `app/error_catalog.ts` lists them all. */

import type { TObject } from "@sinclair/typebox";

/** The kinds of errors. Each transport translates them: HTTP into a status. */
export type ErrorKind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "conflict"
  | "gone"
  | "precondition_failed"
  | "too_large"
  | "unsupported_media"
  | "misdirected"
  | "invalid"
  | "too_early"
  | "limited"
  | "not_implemented"
  | "internal"
  | "unavailable"
  | "full";

/** Plain data, so that it can cross to another thread. */
export interface ErrorDefinition {
  /** Stable, and unique in the whole service. */
  code: string;
  kind: ErrorKind;
  title: string;
  /** Whether the same call may succeed later without a change. */
  retryable: boolean;
  /** The text of the page behind a problem's `type`. */
  explanation: string;
  /** The further members of its problems (RFC 9457, section 3.2). */
  members?: TObject;
  /** Whether the refusal of a tool has the members as lines, because its text does not say what they say. */
  members_in_text?: true;
}

/** The kinds of errors that pass by themselves. */
const passing: ErrorKind[] = ["too_early", "limited", "unavailable"];

/** An error as its feature writes it: not retryable unless it or its kind says so. */
type ErrorText = Omit<ErrorDefinition, "code" | "retryable"> & { retryable?: true };

/** The definitions of errors, by code. */
export const defineErrors = <Errors extends Record<string, ErrorText>>(errors: Errors) =>
  Object.fromEntries(
    Object.entries(errors).map(([code, error]) => [
      code,
      { retryable: passing.includes(error.kind), ...error, code },
    ]),
  ) as Record<keyof Errors & string, ErrorDefinition>;
