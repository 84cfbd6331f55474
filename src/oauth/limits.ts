/** Limits of signing in by OAuth. */

import { program_limits } from "../api/limits.ts";

export const oauth_limits = {
  ...program_limits,
  /** RFC 6749, section 4.1.2, recommends ten minutes at most. */
  code_seconds: 60,
  /** A used code is stored so long, so that a second use is recognised. */
  used_code_seconds: 3600,
  access_token_seconds: 3600,
  /** The access tokens of one refresh token in so many seconds are the same. */
  token_step_seconds: 300,
  /** A refresh token can be repeated for so long, also after its successor was used. */
  repeat_seconds: 120,
  /** A grant ends when it was not used for so long. */
  grant_idle_days: 90,
  /** Grants of a name. A further one ends the one that was used longest ago. */
  grants_per_name_max: 50,
  /** Refresh tokens of a grant that are remembered, to recognise one that is used again. */
  remembered_refreshes: 50,
  /** Exact recency is not worth a write per request. */
  touch_seconds: 3600,
  /** A registered program that nobody has let in, or whose last grant has ended, is forgotten after so long. */
  unused_client_days: 30,
  /** Programs that have registered. A further one replaces the oldest without a grant. */
  clients_max: 10_000,
  state_chars_max: 4_000,
  document_bytes_max: 8_192,
  document_timeout_seconds: 5,
  /** A document is cached for as long as its headers say, within these bounds; for the default if they say nothing. */
  document_cached_seconds: { min: 60, default: 300, max: 86_400 },
  documents_cached_max: 500,
  /** Fetches of documents under way. A further one is refused. */
  document_fetches_max: 20,
  document_fetches_per_host_max: 4,
  /** Of one network, so that slow hosts that one caller names leave room for others. */
  document_fetches_per_caller_max: 4,
} as const;
