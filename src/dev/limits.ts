/** Limits of the calls below /_dev. */

export const dev_limits = {
  /** How far one call lets the time run. */
  advance_seconds_max: 31 * 86_400,
  snapshots_max: 100,
  faults_max: 100,
  fault_times_max: 1_000_000,
  fault_delay_ms_max: 600_000,
  fault_retry_after_seconds_max: 31 * 86_400,
  /** The log holds the latest requests. */
  log_requests_max: 1_000,
} as const;
