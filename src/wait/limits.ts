/** Limits of waits for several kinds of news. */

export const wait_limits = {
  rooms_max: 20,
  /** Characters of posts in an answer, shared by its rooms. Each room with news has at least one post. */
  posts_chars_max: 64 * 1024,
  posts_per_room: 50,
  notes_max: 20,
} as const;
