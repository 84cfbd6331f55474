/** Limits of jobs that callers do not see. */

export const job_internal_limits = {
  leases_settled_per_command: 100,
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
} as const;
