/** Limits of lockers. */

export const locker_limits = {
  slot_name_chars_max: 64,
  slots_per_locker: 64,
  slot_bytes_max: 32_768,
  locker_bytes_max: 262_144,
  slot_expires_in_seconds_max: 10 * 366 * 86_400,
  lockers_page_default: 100,
  lockers_page_max: 1_000,
  /** A page of the index of lockers ends before its limit when it has more slots than this. */
  lockers_page_slots_max: 1_280,
  /** About the most bytes of such a page. */
  lockers_page_bytes_max: 320 * 1024,
  slots_per_slice: 1_000,
  slots_pruned_per_command: 500,
  mcp_lockers_page_default: 20,
  mcp_lockers_page_max: 100,
} as const;
