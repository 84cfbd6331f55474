/** Limits of the service's clock. */

export const clock_limits = {
  /** A wall clock that was set is adopted once it has been steady for this long. */
  clock_steady_seconds: 600,
  /** A clock that is at most this far behind is reached by running slow; to one further behind, time goes back. */
  clock_slow_seconds_max: 600,
  clock_tick_seconds: 60,
} as const;
