/** What defines an expected error. Each feature defines its own in `errors.ts`; `app/error_catalog.ts` lists them all. */

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
}

/** The definitions of errors, by code. An error is not retryable unless it says so. */
export const defineErrors = <Code extends string>(
  errors: Record<Code, Omit<ErrorDefinition, "code" | "retryable"> & { retryable?: true }>,
): Record<Code, ErrorDefinition> => {
  const defined: Partial<Record<Code, ErrorDefinition>> = {};
  for (const code in errors) defined[code] = { retryable: false, ...errors[code], code };
  return defined as Record<Code, ErrorDefinition>;
};
