/** Limits of lockers that callers do not see. */

export const locker_internal_limits = {
  /** A page of the index of lockers ends before its limit when it has more slots than this. */
  lockers_page_slots_max: 1_280,
  /** About the most bytes of such a page. */
  lockers_page_bytes_max: 320 * 1024,
  slots_per_slice: 1_000,
  /** Slots that the export of a name reads in one turn of the event loop. */
  exported_per_slice: 4,
  slots_pruned_per_command: 500,
} as const;
