/** Limits of the MCP transport. */

export const mcp_limits = {
  /** Characters of the id of a request: a session holds it until the request is answered. */
  mcp_request_id_chars_max: 1_024,
  /** Of a token by which a client asks for progress: each notification of it has the token. */
  mcp_progress_token_chars_max: 1_024,
  /** Characters of a message without the arguments of a tool, which have limits of their own. */
  mcp_message_chars_max: 16_384,
  /** Of the arguments that a tool does not know, in a call that waits: they are held until it is answered. */
  mcp_unknown_arguments_chars_max: 4_096,
  mcp_sessions_max: 10_000,
  mcp_sessions_live_max: 4_000,
  mcp_session_idle_hours: 7 * 24,
  mcp_handshake_chars_max: 8_192,
  mcp_session_events_max: 100,
  mcp_session_event_chars_max: 64 * 1024,
  /** Of all sessions together: beyond it the oldest events are dropped. */
  mcp_event_chars_max: 16 * 1024 * 1024,
  /** What an event needs beside its message. */
  mcp_event_chars_around: 512,
  /** Characters of the part of an event's id that contains a call. Proxies take headers of 8 KiB. */
  mcp_event_id_chars_max: 6 * 1024,
  /** How long a call may be resumed at a node that does not know it. */
  mcp_resume_minutes: 60,
  /** Resources that one session, or one stream of subscriptions/listen, may follow. */
  mcp_subscriptions_per_client: 50,
  /** Requests in one batch (revisions before 2025-06-18). They are answered in one body. */
  mcp_batch_max: 10,
  mcp_listeners_max: 4_000,
  mcp_definitions_bytes_max: 14 * 1024,
  mcp_service_definitions_bytes_max: 32 * 1024,
  mcp_instructions_chars_max: 1_600,
} as const;
