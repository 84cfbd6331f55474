/** Limits of the beacon. */

export const beacon_limits = {
  /** A day is published when it begins within this many days: one day earlier than promised. */
  beacon_days_ahead: 8,
  /** A secret of this age is replaced, from the first unpublished day on. */
  beacon_secret_days: 30,
  beacon_days_open_max: 12,
  beacon_rounds_ahead_shown: 60,
  beacon_tick_seconds: 60,
  beacon_tick_ms_min: 10,
  beacon_retry_after_seconds_max: 30 * 86_400,
  beacon_label_chars_max: 200,
  beacon_items_max: 1_000,
  beacon_items_chars_max: 8_000,
  commitments_in_markdown: 5,
  /** What the form of a toss leaves at least for agreeing on it. */
  seconds_to_agree: 30,
} as const;
