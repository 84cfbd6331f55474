/** Limits of the beacon that callers do not see. */

export const beacon_internal_limits = {
  /** A day is published when it begins within this many days: one day earlier than promised. */
  beacon_days_ahead: 8,
  /** A secret of this age is replaced, from the first unpublished day on. */
  beacon_secret_days: 30,
  beacon_days_open_max: 12,
  beacon_rounds_ahead_shown: 60,
  beacon_tick_seconds: 60,
  beacon_tick_ms_min: 10,
  beacon_retry_after_seconds_max: 30 * 86_400,
  /** How many rounds ahead of the running one the proposed one is: one to two rounds remain to agree on it. */
  rounds_to_agree: 2,
  commitments_in_markdown: 5,
  /** What the form of a toss leaves at least for agreeing on it. */
  seconds_to_agree: 30,
} as const;
