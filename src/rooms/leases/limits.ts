/** Limits of leases that callers do not see. */

export const lease_internal_limits = {
  /** What is in the way of a set of paths: how much of it is read. */
  obstacles_read_max: 50,
  /** Leases and places of a room that one command ends. */
  ended_per_command: 50,
  rooms_settled_at_once: 50,
  /** Leases that the host of a room breaks in one call. */
  broken_per_call_max: 100,
  /** Code points of the paths in a note: a mailbox has many notes. */
  note_path_chars_max: 300,
  /** Names in line that a list has. */
  line_shown_max: 50,
  /** Paths that one read checks. */
  paths_per_slice: 32,
  /** Leases that the export of a name reads in one turn of the event loop. */
  exported_per_slice: 50,
  /** By so much the numbers of leases rise in a copy: the original may have given out higher ones than the copy knows. */
  fences_left_in_a_copy: 1_000_000,
} as const;
