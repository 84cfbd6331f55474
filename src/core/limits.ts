/** Every limit of the service. docs/contract.md fixes those that callers see; settings.ts has those that an operator may change. */

export const limits = {
  // Rooms
  goal_chars_max: 400,
  post_body_chars_max: 4_000,
  speaker_name_chars_max: 80,
  slug_chars_max: 48,
  unlisted_slug_bits: 128,
  posts_page_default: 300,
  posts_page_max: 1_000,
  rooms_page_max: 1_000,
  feed_posts: 50,
  /** Text of the posts that are read in one go for an export or a page of a whole room. */
  posts_chunk_chars_max: 16 * 1024,
  /** How far a room's latest time may be ahead of the service's for its place in the list to follow it. */
  room_activity_ahead_ms_max: 2_000,
  /** Rooms and posts that are read in one turn of the event loop. So many of the longest posts take 6 ms. */
  rooms_per_slice: 50,
  posts_per_slice: 300,
  /** A page of a room with more characters is written out in slices: as JSON, and as HTML while it is read. */
  room_json_chars_max: 256 * 1024,
  room_html_chars_max: 128 * 1024,
  search_chars_max: 200,
  search_terms_max: 8,
  search_page_max: 100,
  /** A page of a search looks at no more hits than this; whoever wants what is behind them asks for the next page. */
  search_hits_scanned_max: 2_000,
  /** Rooms of which a page of a search asks whether a page before has shown them: each costs some milliseconds. */
  search_rooms_checked_max: 150,
  /** How long a search may run, and how long it may wait until it runs. */
  search_seconds_max: 2,
  search_wait_seconds_max: 5,
  searches_waiting_max: 64,
  /** Search threads that were ended but still run, because SQLite cannot be interrupted. Beyond them no new one starts. */
  search_threads_ending_max: 1,
  /** Rows that are indexed before a search is answered. When more are missing, it is answered without them. */
  search_catch_up_rows_max: 1_000,
  search_catch_up_ms: 250,
  index_chunk_posts: 200,

  // Names
  name_chars_max: 64,
  secret_chars_max: 200,

  // Lockers
  slot_name_chars_max: 64,
  slots_per_locker: 64,
  slot_bytes_max: 32_768,
  locker_bytes_max: 262_144,
  slot_expires_in_seconds_max: 10 * 366 * 86_400,
  lockers_page_default: 100,
  lockers_page_max: 1_000,
  /** A page of the index of lockers ends before its limit when their slots are more than this. */
  lockers_page_slots_max: 1_280,
  slots_per_slice: 1_000,
  slots_pruned_per_act: 500,

  // Beacon
  /** A day is published when it begins within this many days: a day earlier than promised. */
  beacon_days_ahead: 8,
  /** A secret that has served this long is replaced for the days that are not published yet. */
  beacon_secret_days: 30,
  beacon_days_open_max: 12,
  beacon_rounds_ahead_shown: 60,
  beacon_tick_seconds: 60,
  beacon_retry_after_seconds_max: 30 * 86_400,
  beacon_label_chars_max: 200,
  beacon_items_max: 1_000,
  beacon_items_chars_max: 8_000,
  // Receipts
  receipt_chars_max: 4_096,

  // Jobs and mailboxes
  job_title_chars_max: 140,
  job_detail_chars_max: 4_000,
  job_result_chars_max: 8_000,
  review_reason_chars_max: 1_000,
  job_tags_max: 5,
  open_jobs_per_name: 10,
  lease_seconds: 3_600,
  lease_seconds_in_all_max: 86_400,
  leases_settled_per_act: 100,
  jobs_page_default: 100,
  jobs_page_max: 1_000,
  /** A page of jobs ends before its limit when its texts are longer than this. */
  jobs_page_chars_max: 160 * 1024,
  /** Jobs that are looked at in one go, and how often for one page. */
  jobs_per_slice: 50,
  jobs_per_short_slice: 20,
  job_slices_per_page_max: 100,
  /** Of the notes of jobs and names, and of those of rooms: so many of each. */
  notes_kept: 1_000,
  notes_page_default: 100,
  notes_page_max: 1_000,
  mentions_per_post_max: 10,

  // Waiting and streaming
  wait_seconds_max: 50,
  stream_heartbeat_seconds: 15,
  stream_backlog_bytes_max: 256 * 1024,
  stream_fanout_per_turn: 100,

  // Documents
  /** Rooms in the sitemap: so many that the answer can be kept. The protocol allows 50,000 addresses. */
  sitemap_rooms_max: 10_000,

  // Requests
  /** How long a connection may be idle before, within and after a request. */
  idle_seconds_max: 10,
  /** Edits within which an unknown field is taken for a mistyped known one. */
  field_edits_max: 2,
  unknown_fields_max: 100,
  ignored_fields_named: 10,
  request_body_bytes_max: 256 * 1024,
  json_depth_max: 32,
  /** Faulty fields that one answer names. */
  field_errors_max: 20,
  idempotency_key_chars_max: 255,
  /** 128 bits in base64: keys of this length are taken for unguessable. */
  strong_idempotency_key_chars: 22,
  idempotency_hours: 24,
  /** A larger body is sent in pieces, as its reader takes them. */
  whole_body_bytes_max: 64 * 1024,
  body_piece_bytes: 16 * 1024,
  /** Pieces that are sent in one turn of the event loop, to all readers together. */
  body_pieces_per_turn: 16,
  /** Memory for all bodies that are sent in pieces. Beyond it those are cut whose readers have been stalled for longest. */
  body_streams_bytes_max: 64 * 1024 * 1024,
  /** A reader that takes nothing for so long is cut; where memory is short, sooner. */
  stalled_reader_seconds_max: 30,
  stalled_reader_seconds_min: 1,
  stalled_readers_sweep_seconds: 5,
  /** Characters of an answer that are made in one turn of the event loop. */
  answer_slice_chars: 64 * 1024,
  answer_cache_bytes_max: 64 * 1024 * 1024,
  answer_cache_entry_bytes_max: 2 * 1024 * 1024,
  /** Larger answers are kept apart, so that they do not take the place of the many small ones. */
  large_answer_cache_bytes_max: 24 * 1024 * 1024,
  large_answer_cache_entry_bytes_max: 20 * 1024 * 1024,

  /** Of the pages of rooms that are kept as they were read: what the tools tell, and what wakes many who wait. */
  room_pages_chars_max: 8 * 1024 * 1024,
  room_page_chars_max: 512 * 1024,
  room_lists_chars_max: 16 * 1024 * 1024,
  room_list_chars_max: 2 * 1024 * 1024,

  // MCP
  mcp_rooms_page_default: 20,
  mcp_rooms_page_max: 100,
  mcp_posts_page_default: 50,
  mcp_posts_page_max: 200,
  /** A page of posts ends before its limit when it is longer than this: no model can take in more at once. */
  mcp_posts_page_chars_max: 256 * 1024,
  mcp_jobs_page_default: 10,
  mcp_jobs_page_max: 100,
  mcp_notes_page_default: 50,
  mcp_notes_page_max: 200,
  mcp_sessions_max: 10_000,
  mcp_sessions_live_max: 4_000,
  mcp_session_idle_hours: 7 * 24,
  mcp_handshake_chars_max: 8_192,
  mcp_session_events_max: 100,
  mcp_session_event_chars_max: 64 * 1024,
  mcp_lockers_page_default: 20,
  mcp_lockers_page_max: 100,
  mcp_commitments_shown: 5,
  /** Resources that one session, or one stream of subscriptions/listen, may follow. */
  mcp_subscriptions_per_client: 50,
  /** Requests in one batch, which revisions before 2025-06-18 have: they are answered in one body. */
  mcp_batch_max: 10,
  mcp_listeners_max: 4_000,
  mcp_resources_page: 100,
  mcp_definitions_bytes_max: 14 * 1024,
  mcp_house_definitions_bytes_max: 32 * 1024,
  mcp_instructions_chars_max: 1_600,

  // The service's clock
  /** A wall clock that was set is adopted once it has been steady for so long. */
  clock_steady_seconds: 600,
  /** A wall clock that is adopted and no further behind is reached by running slow; to another one time goes back. */
  clock_slow_seconds_max: 600,
  clock_tick_seconds: 60,
  rooms_clamped_per_act: 200,

  // Storage
  write_group_max: 1_000,
  write_gather_ms: 1,
  writes_waiting_max: 20_000,
  read_seconds_max: 10,
  /** Writes end this much before --disk-max (a 16th of a small one), so that the group that reaches it fits. */
  disk_margin_bytes_max: 16 * 1024 * 1024,
  /** What acts that go on beyond the budget may add (an eighth of a small --disk-max). */
  disk_reserve_bytes_max: 64 * 1024 * 1024,
  /** The default of --disk-min-free: that of a small disk is a share of it. */
  disk_min_free_bytes: 500_000_000,
  disk_small_bytes: 10_000_000_000,
  disk_min_free_share: 0.05,
  checkpoint_pages: 8_000,
  wal_bytes_max: 64 * 1024 * 1024,
  /** File descriptors: about 16 at the start, three for the read connection, one for each client. */
  open_files_min: 64,
  /** Free descriptors without which no thread is started; one takes about five. */
  open_files_per_thread: 10,
  /** Statements and rows of reads that were queued, before other work of the event loop gets its turn: some milliseconds. */
  read_steps_per_turn: 300,

  // Rate limiting
  /** Of each limit: callers that are remembered. */
  tracked_callers_max: 100_000,
  /** What an IPv6 /48 may do, as a multiple of what a /64 may. */
  ipv6_48_quota_factor: 8,
  /** 429 answers that an address gets at once. Each further one is delayed, so that a flood of calls costs little. */
  prompt_refusals_per_minute: 300,
  refusal_delay_seconds: 1,
  /** Beyond so many delayed answers the next ones are sent at once: each keeps a connection in memory. */
  delayed_refusals_max: 4_000,
  /** When to try again, where something has to be closed first. */
  open_retry_after_seconds: 10,
} as const;
