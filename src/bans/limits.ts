/** Limits of bans. */

export const ban_limits = {
  /** All bans are in memory. */
  bans_max: 100_000,
  /** The largest network that a moderator may ban: the bits of its prefix, by the bytes of an address. */
  moderated_prefix_bits_min: { 4: 16, 16: 32 },
  bans_page_default: 100,
  bans_page_max: 1_000,
} as const;
