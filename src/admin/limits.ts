/** Limits of the admin API. */

export const admin_limits = {
  reason_chars_max: 500,
  label_chars_max: 60,
  /** Tokens that are not revoked. */
  tokens_max: 100,
  audit_page_default: 100,
  audit_page_max: 1_000,
};
