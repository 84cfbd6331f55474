/** Limits of the bridge. */

export const bridge_limits = {
  /** How long a message is sent again while the service does not answer. */
  away_seconds_max: 60,
  /** Between two attempts. The pause doubles from the first to the last. */
  pause_ms_min: 100,
  pause_ms_max: 3_000,
  /** Before a stream that the service refuses is opened again. */
  refused_stream_pause_ms: 30_000,
  /** An open stream sends a heartbeat every 15 seconds. One that is silent for this long is lost. */
  silent_stream_seconds_max: 60,
  /** An answer without a stream may take as long as the longest wait, and its way. */
  silent_call_seconds_max: 330,
  /** How long calls in progress may take after standard input has ended, and the end of the session after that. */
  last_answers_ms_max: 1_000,
  session_end_ms_max: 500,
} as const;
