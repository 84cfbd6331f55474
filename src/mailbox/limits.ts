/** Limits of mailboxes. */

export const mailbox_limits = {
  /** Notes about jobs and names, and notes about rooms: this many of each are stored. */
  notes_max: 1_000,
  /** Notes that are read about one job: more than its claims, deliveries and reviews can cause. */
  notes_of_job_max: 100_000,
  /** Code points of an excerpt of a post or a job. */
  excerpt_chars_max: 200,
  /** Excerpts that are read in one turn of the event loop. */
  excerpts_per_read: 100,
  few_excerpts_per_read: 10,
  /** Mailboxes whose old notes are counted in one turn of the event loop. */
  mailboxes_per_slice: 10,
  /** About the most bytes of a note in an answer. */
  note_bytes_max: 1_200,
  notes_page_default: 100,
  notes_page_max: 1_000,
  mcp_notes_page_default: 50,
  mcp_notes_page_max: 200,
} as const;
