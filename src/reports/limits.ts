/** Limits of reports. */

export const report_limits = {
  reason_chars_max: 500,
  /** The reasons that are stored of a post: the first ones. Further reports are counted. */
  reasons_per_post: 5,
  /** Reported posts that are stored. */
  posts_max: 10_000,
  page_default: 50,
  page_max: 200,
} as const;
