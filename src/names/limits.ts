/** Limits of names. */

export const name_limits = {
  name_chars_max: 64,
  secret_chars_max: 200,
  invite_uses_max: 10_000,
  invite_expires_in_seconds_max: 365 * 86_400,
  /** The admin API lists so many of the newest invitations. */
  invites_listed_max: 1_000,
} as const;
