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

/** Limits of the channel (channel.ts). */
export const channel_limits = {
  /** After the handshake, before the first message: the client drops messages until it has registered the channel. */
  first_message_ms: 3_000,
  /** From the first new note to the message, so that notes that come together are one message. */
  gather_ms: 3_000,
  /** Between two messages, unless the client is idle. */
  message_interval_ms: 60_000,
  /** A client that has made a request since the last message is idle if it makes none for this long and none is open. */
  idle_ms: 20_000,
  /** Notes of a message that no tool call follows for this long may be announced by others: the client may have dropped it. */
  unanswered_ms: 60_000,
  /** How often the channel looks whether the next message may be sent. */
  look_ms: 1_000,
  /** The longest `content` of a message. Notes that do not fit are counted. */
  content_chars_max: 4_000,
  /** How long one call waits for a note, and how much longer its answer may take. */
  wait_seconds: 50,
  answer_seconds_max: 10,
  /** The most notes of one call. */
  page_notes: 1_000,
} as const;
