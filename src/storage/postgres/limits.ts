/** Limits of the Postgres engine. */

export const postgres_limits = {
  /** How often a node looks for changes of others, if no hint comes. */
  poll_ms: 500,
  /** How long records of changes stay. A node that was silent for longer drops its caches. */
  changes_seconds_min: 60,
  changes_seconds_max: 300,
  /** Most records that a reading takes in. After more of them a node drops its caches. */
  changes_rows_max: 50_000,
  /** How long the database may take to say what has changed. Then the connections count as lost. */
  silence_ms_max: 4_500,
  /** How long a connection may take to open, a caller may wait for one, and a use of one may last. */
  connect_seconds_max: 4,
  reserve_seconds_max: 2,
  use_seconds_max: 20,
  /**
   * How long the server may run a statement, wait for a lock, and wait for the next statement of a transaction. A write may wait for
   * the group before it, a connection, another node and a foreign lock, and is refused after 5 seconds in all.
   */
  statement_seconds_max: 15,
  lock_seconds_max: 1.5,
  idle_in_transaction_seconds_max: 10,
  /** How long an unused connection stays open. */
  idle_seconds_max: 60,
  /** How long the indexing of texts waits for transactions that are writing, and how often it looks whether they have ended. */
  settle_ms_max: 200,
  settle_poll_ms: 5,
  /** How often a node deletes older records of changes. */
  changes_forgotten_seconds: 30,
  /** Groups of writes that are sent at the same time, each in a transaction of its own. */
  groups_max: 2,
  write_group_max: 128,
  /**
   * After a lock was not free in time: how long a command that is run again singly may wait for one, and how long a write of the same
   * group, or one that waits for the next, may have waited. The others are refused.
   */
  lock_again_seconds_max: 0.25,
  group_wait_ms_max: 3_900,
  queue_wait_ms_max: 1_000,
  /** How often a command that others overtake is run again. */
  attempts_max: 20,
  /** How far back a node reads what others have admitted, and most rows that it reads at a time. */
  use_overlap_ms: 3_000,
  use_rows_max: 10_000,
  /** How often a write is made to see whether writes work, and how many numbers it stores in a temporary file: about 300 KiB. */
  probe_every_ms: 1_000,
  probe_rows: 20_000,
  /** How often rows of use that was refilled are deleted. */
  use_exchanges_between_sweeps: 60,
  /** Readings of the time of the database that are compared, and differences that are not worth a correction. */
  time_samples: 16,
  time_noise_ms: 20,
  /** By how much the time may be wrong: beyond that writes are refused. */
  time_error_ms_max: 500,
} as const;
