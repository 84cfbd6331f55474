/** What an expected failure is: its kind, which each transport translates, and what is said of it. */

/** What went wrong, in kinds that every door can translate. */
export type FailureKind =
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

export interface Failure {
  kind: FailureKind;
  title: string;
  /** Whether the same call may succeed later without a change. */
  retryable: boolean;
  /** What the page behind the problem's `type` says. */
  explanation: string;
}

export const failure = (
  kind: FailureKind,
  title: string,
  explanation: string,
  retryable = false,
): Failure => ({
  kind,
  title,
  explanation,
  retryable,
});
