/** Limits of the storage engine. */

export const storage_limits = {
  /** How long a search may run, and how long it may wait until it runs. */
  search_seconds_max: 2,
  search_wait_seconds_max: 5,
  searches_waiting_max: 64,
  /** Search threads that were ended but still run, because SQLite cannot be interrupted. Beyond them no new one starts. */
  search_threads_ending_max: 1,
  idempotency_hours: 24,
  /** Stored answers that an erasure has in memory at once. */
  changed_answers_per_read: 200,
  write_group_max: 1_000,
  /** Numbers that a process keeps in memory for its writes. */
  remembered_max: 10_000,
  write_gather_ms: 1,
  writes_waiting_max: 20_000,
  /** How soon a listener that failed is called again. */
  repeat_ms: 500,
  read_seconds_max: 10,
  /** Writes end this much before --disk-max and --disk-min-free (a 16th of a small one). */
  disk_margin_bytes_max: 16 * 1024 * 1024,
  /** Bytes that commands which run beyond the budget may add (an eighth of a small --disk-max). */
  disk_reserve_bytes_max: 64 * 1024 * 1024,
  /** The default of --disk-min-free; for a small disk, a share of the disk. */
  disk_min_free_bytes: 500_000_000,
  disk_small_bytes: 10_000_000_000,
  disk_min_free_share: 0.05,
  checkpoint_pages: 8_000,
  wal_bytes_max: 64 * 1024 * 1024,
  /** Free pages that stay in the file for the next writes, and those that one step gives back: some milliseconds. */
  free_pages_min: 64,
  pages_given_back_per_step: 64,
  /** Copies of the database from before upgrades that are stored. */
  upgrade_copies: 2,
  /** Statements and rows of queued reads that one turn of the event loop handles: some milliseconds. */
  read_steps_per_turn: 300,
} as const;
