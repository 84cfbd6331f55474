/** Limits of webhooks that callers do not see. */

export const webhook_internal_limits = {
  /** How much is read of an answer. */
  answer_bytes_max: 4_096,
  /** Pauses before a call is tried again; the last one is repeated. Each is up to a quarter shorter or longer, by chance. */
  retry_seconds: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000],
  /** A receiver that fails for so long is called at this interval only. */
  asleep_seconds: 86_400,
  /** Calls that begin while so many are under way: to receivers that have answered quickly, and to others. */
  calls_at_once_max: { quick: 32, slow: 16 },
  /** A call that takes longer is counted with those of slow receivers from then on. */
  quick_seconds_max: 1,
  /** Of so many calls one is of a slow receiver, however many others are due. */
  slow_first_every: 8,
  /** Calls of both kinds at the same time. Bun makes 256 requests at once, for other purposes as well. */
  all_calls_at_once_max: 200,
  /** Calls that begin while so many to their host are under way. Slow ones count up to their own limit only. */
  calls_per_host_max: 8,
  /** Calls to slow receivers that begin while so many of them to their host are under way. Calls that become late may be more. */
  slow_calls_per_host_max: 4,
  /** Calls of both kinds to one host at the same time, with those that became late: quick ones wait only beyond that. */
  all_calls_per_host_max: 32,
  /** Between the beginnings of two calls. */
  start_every_ms: 20,
  /** The node that makes the calls says so at this interval, and another takes over when it has not for so long. */
  caller_renews_seconds: 2,
  caller_silent_seconds_max: 6,
  /** Between two looks for what is planned. */
  look_every_ms: 250,
  /** Timers lack the time in which the machine sleeps: what is planned is looked for at least at this interval. */
  planned_seconds_max: 60,
  /** After a failure of the storage. */
  storage_retry_seconds: 5,
  /** Webhooks that are read in one turn of the event loop. */
  webhooks_per_slice: 500,
  /** Receivers that are called at the same time while their owners wait for it. */
  checks_at_once_max: 20,
  secret_bytes: 32,
} as const;
