/** Limits of tallies. */

export const tally_limits = {
  count_max: 3,
  name_chars_max: 40,
} as const;
