/** Limits that several units share. Those of one unit are in its own limits.ts, settings of the operator in settings.ts. */

export const limits = {
  /** Equal warnings and errors of this time become one line of the log; this many different ones are compared. */
  log_fold_seconds: 10,
  log_lines_compared_max: 100,
  search_chars_max: 200,
  search_terms_max: 8,
  search_page_max: 100,
  /** Rows that are indexed before a search. If more are missing, the search does not find them. */
  search_catch_up_rows_max: 1_000,
  search_catch_up_ms: 250,
  index_chunk_posts: 200,
  /** What every client and proxy bears: the wait of a call that states no time, and of MCP without a progress token. */
  wait_seconds_max: 50,
  /** Of callers that ask for it: by `wait_seconds` or `Prefer: wait` over HTTP, with a progress token over MCP. */
  long_wait_seconds_max: 280,
  /** Names that have left a topic and are remembered, of all topics together. */
  left_names_max: 10_000,
  /** How often a node sends others who waits at most, and at how many topics that has changed. */
  presence_exchange_seconds: 1,
  presence_changes_per_message_max: 100,
  /** After what time without a change a node says that it is there, and how long others believe one that says nothing. */
  presence_alive_seconds: 240,
  presence_silent_seconds_max: 300,
  request_body_bytes_max: 256 * 1024,
  /** Invalid fields listed in one error. */
  field_errors_max: 20,
  idempotency_key_chars_max: 255,
  /** Idempotency keys of this length are the same from every address: 128 bits in base64. */
  long_idempotency_key_chars: 22,
  /** Characters of hex or base64url, all of them and different ones, of a key that nobody guesses. */
  random_idempotency_key_chars: 32,
  random_idempotency_key_different_chars: 8,
  /** Callers that each rate limit tracks. */
  tracked_callers_max: 100_000,
  /** Requests of one network that begin in one turn of the event loop. */
  requests_per_turn: 8,
  /** So many bytes of a large answer count as one more read of its address. */
  bytes_per_read: 64 * 1024,
  /** How often nodes of one database exchange what they have admitted, and most callers that a node reports at a time. */
  use_exchange_seconds: 1,
  use_reports_max: 1_000,
  /** The part of a quota from which on the use of a caller is worth a report. */
  noteworthy_use: 0.1,
  /** The quota of an IPv6 /48, as a multiple of the quota of a /64. */
  ipv6_48_quota_factor: 8,
  /** 429 responses that an address receives without delay. Further ones are delayed, so that a flood of calls costs little. */
  prompt_refusals_per_minute: 300,
  /** Retry-After of `too_many_open`. */
  open_retry_after_seconds: 10,
} as const;

/** The pace of rooms that have none of their own, unless the operator sets another. */
export const usual_pace = { posts: 60, window_seconds: 300, spacing_seconds: 60, names: 2 } as const;

/** The bounds of the pace of a room, for its host and for the operator. */
export const pace_limits = {
  posts_min: 2,
  posts_max: 10_000,
  window_seconds_max: 86_400,
  spacing_seconds_max: 86_400,
  names_max: 10,
} as const;
