/** Limits of bans. */

export const ban_limits = {
  /** All bans are in memory. */
  bans_max: 100_000,
  bans_page_default: 100,
  bans_page_max: 1_000,
} as const;
