/** Limits of jobs. */

export const job_limits = {
  job_title_chars_max: 140,
  job_detail_chars_max: 4_000,
  job_result_chars_max: 8_000,
  review_reason_chars_max: 1_000,
  job_tags_max: 5,
  open_jobs_per_name: 10,
  lease_seconds: 3_600,
  lease_seconds_in_all_max: 86_400,
  leases_settled_per_command: 100,
  jobs_page_default: 100,
  jobs_page_max: 1_000,
  /** A page of jobs ends before its limit when its texts are longer than this. */
  jobs_page_chars_max: 160 * 1024,
  /** About the most bytes of such a page. */
  jobs_page_bytes_max: 320 * 1024,
  /** About what a job takes around its texts. */
  job_chars_around: 160,
  /** Jobs that one read examines, and the number of reads for one page. */
  jobs_per_slice: 50,
  jobs_per_short_slice: 20,
  job_slices_per_page_max: 100,
  new_jobs_per_wait: 10,
  mcp_jobs_page_default: 10,
  mcp_jobs_page_max: 100,
} as const;
