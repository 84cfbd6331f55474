/** Limits of the sessions of browsers. */

export const session_limits = {
  /** A session ends when it was not used for so long. */
  idle_days: 30,
  /** Sessions of a name. A further one ends the one that was used longest ago. */
  per_name_max: 10,
  /** Sessions without a name. A further one ends one of the network that has most of them. */
  without_name_max: 10_000,
  /** Rooms in which a session has the rights of the host. A further one replaces the oldest. */
  rooms_max: 100,
  /** Exact recency is not worth a write per request. */
  touch_seconds: 3600,
  /** Expired sessions that are deleted when another begins. */
  pruned_per_command: 100,
} as const;
