/** Limits of receipts that callers do not see. */

export const receipt_internal_limits = {
  receipts_per_page: 25,
  /** Writes of one kind that one read examines, and the number of reads for one page. */
  writes_per_read: 10,
  reads_per_page_max: 60,
} as const;
