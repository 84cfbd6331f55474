/** Limits of rooms that callers do not see. */

export const room_internal_limits = {
  unlisted_slug_bits: 128,
  /** The keys of the roles that are cached, all together and each: a slug, a name and the hash of a key. */
  known_roles_chars_max: 2_000_000,
  known_role_chars_max: 1_000,
  /** The sessions and grants that ended last, which are remembered as ended. */
  ended_readers_max: 10_000,
  /** How many of the latest posts an admin's action on a name looks at: there is no index of names that nobody has claimed. */
  posts_looked_at_for_a_name: 10_000,
  authored_on_page: 20,
  authored_rooms_on_page: 10,
  authored_excerpt_chars: 280,
  /** How often a page of that list reads on because posts are not listed. */
  authored_slices_max: 10,
  /** Rooms and posts that the export of a name reads, and whose receipts it signs, in one turn of the event loop. */
  exported_per_slice: 20,
  /** A page for browsers: how many posts, bytes of their texts, and levels of replies it has at most. */
  page_posts: 50,
  page_text_bytes_max: 48_000,
  /** The page with the whole thread: the same, with three times as long texts. It ends before the first post that does not fit. */
  whole_thread_posts: 300,
  whole_thread_text_bytes_max: 144_000,
  reply_depth_max: 6,
  /** The beginning of a post that a reply on another page, or a form, repeats. */
  quoted_chars: 100,
  /** A caller that is further behind than so many posts has read too little to post on condition. */
  posts_looked_at_for_a_condition: 1_000,
  /** An excerpt begins so many code points before a mention that has more than the other number before it. */
  mention_chars_before: 60,
  mention_chars_before_max: 100,
  /** A name that is mentioned without a space after it, as in Japanese, is looked for in so many code points. */
  cut_name_chars_min: 2,
  cut_name_chars_max: 16,
  /** Names that one statement looks for. */
  mentioned_names_at_once: 4_096,
  /** Characters of posts that one read fetches for an export. */
  posts_chunk_chars_max: 8 * 1024,
  /** How far a room's latest time may be ahead of the service's before its place in the list is corrected. */
  room_activity_ahead_ms_max: 2_000,
  /**
   * How far the time of a post may be ahead of the clock, because the times of a room rise strictly. If it is further ahead, the clock
   * was set back, and the pace of the room lets the next post through.
   */
  paced_post_ahead_ms_max: 60_000,
  /** Rooms and posts that are read in one turn of the event loop. 300 of the longest posts take 6 ms. */
  rooms_per_slice: 50,
  /** The same for memberships of a name, of which little is read. */
  memberships_per_slice: 500,
  posts_per_slice: 300,
  /** The same for a page that ends before its limit if its texts are long. */
  posts_per_cut_slice: 32,
  /** A longer page of a room is read and sent in chunks. It is measured by its texts, and about what a post takes around them. */
  whole_page_bytes_max: 512 * 1024,
  /** A page that cannot be longer is not measured. */
  unmeasured_page_bytes_max: 64 * 1024,
  /** So many pages of more posts than that are measured in one turn of the event loop. One of 1,000 posts takes a millisecond. */
  long_measures_per_turn: 2,
  short_measure_posts_max: 100,
  post_bytes_around: 400,
  /** How far an id may be behind the time of its post to be found by its time: so many posts are looked at. */
  id_behind_ms_max: 1_000,
  /** Posts on each side that one step of a search for an id without a room looks at: some milliseconds. */
  posts_per_id_slice: 2_500,
  /** The most bytes of a room in a list, and of a page for browsers, for most texts. */
  listed_room_bytes_max: 2_300,
  found_room_bytes_max: 3_300,
  /** The same with the posts that match which a page shows of each room. */
  found_posts_per_room: 3,
  found_room_with_posts_bytes_max: 5_000,
  html_page_bytes_max: 192 * 1024,
  html_whole_thread_bytes_max: 768 * 1024,
  /** Cached beginnings of such pages. */
  long_pages_chars_max: 512 * 1024,
  /** A page of a search examines at most this many hits; the hits after them are on the next page. */
  search_hits_scanned_max: 2_000,
  /** The same for characters of texts that it reads, each text with what it costs besides: some tenths of a second. */
  search_chars_read_max: 2_000_000,
  search_text_chars_around: 100,
  /** The same for the search for the mentions of a name, which follows each claim. */
  mention_hits_scanned_max: 200,
  mention_chars_read_max: 400_000,
  mention_hits_at_once: 50,
  /** Rooms that a page of a search checks for whether an earlier page has listed them. Each check takes some milliseconds. */
  search_rooms_checked_max: 150,
  /** Private rooms of a name that one query of a search names, and how many such queries a page makes until it finds something. */
  private_rooms_per_search: 250,
  private_searches_per_page: 4,
  /** Cached pages of rooms, for tools and for the readers that one post wakes. */
  room_pages_chars_max: 2 * 1024 * 1024,
  room_page_chars_max: 512 * 1024,
  room_lists_chars_max: 4 * 1024 * 1024,
  room_list_chars_max: 2 * 1024 * 1024,
  new_rooms_per_wait: 20,
  /** Posts after a post among which its author sees who has replied to it. */
  replies_scanned_max: 1_000,
  /** A page of posts ends before its limit when it is longer than this: no model can read more at once. */
  mcp_posts_page_chars_max: 256 * 1024,
  /** The bytes of a result with such a page, for each byte of the page: it has the posts twice, in JSON. */
  mcp_bytes_per_byte: 4,
  rooms_clamped_per_command: 200,
  /** The most posts that one command removes, and the most characters of several: it takes milliseconds, most of them for the words in the index. */
  posts_removed_per_step: 20,
  removed_chars_per_step: 200,
  /** Rooms that retention reads in one turn of the event loop. */
  rooms_per_retention_slice: 100,
  /** Of the posts that are counted over all rooms: posts and rooms in memory, and the pairs of a name that one post looks at. */
  pair_posts_remembered_max: 200_000,
  pairs_counted_max: 32,
  /** Pairs that are over the pace, and openings that are counted. */
  pairs_over_max: 1_000,
  openings_counted_max: 1_000,
  /** How long the deletion of a room waits for the erasing of its posts. */
  erasing_ms_max: 5_000,
} as const;
