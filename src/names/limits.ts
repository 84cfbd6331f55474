/** Limits of names. */

export const name_limits = {
  name_chars_max: 64,
  secret_chars_max: 200,
} as const;
