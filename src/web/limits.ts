/** Limits of HTTP: requests, bodies, streams and cached answers. */

export const web_limits = {
  stream_heartbeat_seconds: 15,
  /** How long the page with new secrets can be loaded again. */
  shown_once_seconds: 600,
  /** An encoded `next` in an address. Proxies take about 8,000 characters of an address, and the whole head has 16 KB. */
  next_query_chars_max: 7_500,
  stream_backlog_bytes_max: 256 * 1024,
  stream_fanout_per_turn: 100,
  /** How long a connection may be idle before, within and after a request. */
  idle_seconds_max: 10,
  /** Edits within which an unknown field is taken for a mistyped known one. */
  field_edits_max: 2,
  unknown_fields_max: 100,
  ignored_fields_named: 10,
  json_depth_max: 32,
  /** A larger body is sent in pieces, as its reader takes them. */
  whole_body_bytes_max: 64 * 1024,
  body_piece_bytes: 16 * 1024,
  /** Pieces that are sent to all readers in one turn of the event loop. */
  body_pieces_per_turn: 16,
  /** Pieces among these that have to be rendered first. */
  body_pieces_made_per_turn: 2,
  /** Memory for all bodies that are sent in pieces. Beyond it the readers that have been stalled for longest are disconnected. */
  body_streams_bytes_max: 16 * 1024 * 1024,
  /** The same for the bodies that are sent to one address; a single body may be larger. */
  body_bytes_by_address_max: 8 * 1024 * 1024,
  /** Garbage is collected after so many bytes of bodies that are made piece by piece. */
  made_bytes_per_collection: 4 * 1024 * 1024,
  /** Memory for all large answers that are being made, and how long another one waits for it. */
  answers_made_bytes_max: 4 * 1024 * 1024,
  answer_wait_seconds_max: 5,
  /** A reader that takes nothing for this long is disconnected; sooner if memory is short. */
  stalled_reader_seconds_max: 30,
  stalled_reader_seconds_min: 1,
  stalled_readers_sweep_seconds: 5,
  /** Characters of an answer that are written in one turn of the event loop. */
  answer_slice_chars: 64 * 1024,
  /** Texts of callers that are cached as HTML. */
  rendered_texts_chars_max: 4 * 1024 * 1024,
  rendered_text_chars_max: 256 * 1024,
  /** A shorter answer is not compressed. */
  compressed_bytes_min: 1024,
  /** Of what is compressed once and stays the same: the style sheet and the scripts. It makes them a tenth smaller. */
  zstd_level_of_assets: 12,
  /** From 0 to 11. Higher values take several times as long for a few percent. */
  brotli_quality: 4,
  /** Answers of more than 64 KB that are compressed at a time. */
  large_compressions_max: 2,
  accept_encodings_known_max: 256,
  accept_encoding_chars_max: 200,
  /** Sizes in caches are half as large again as the answers, for compressed copies. */
  answer_cache_bytes_max: 24 * 1024 * 1024,
  answer_cache_entry_bytes_max: 2 * 1024 * 1024,
  /** Larger answers have a cache of their own, so that they do not evict many small ones. */
  large_answer_cache_bytes_max: 36 * 1024 * 1024,
  large_answer_cache_entry_bytes_max: 30 * 1024 * 1024,
  /** Addresses whose cached answers are sent again without the router. */
  repeated_urls_max: 4_000,
  repeated_url_chars_max: 300,
  refusal_delay_seconds: 1,
  /** Beyond this many delayed answers the next ones are sent at once: each holds a connection in memory. */
  delayed_refusals_max: 4_000,
} as const;
