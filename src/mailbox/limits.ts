/** Limits of mailboxes that callers do not see. */

export const mailbox_internal_limits = {
  /** Notes that are read about one job: more than its claims, deliveries and reviews can cause. */
  notes_of_job_max: 100_000,
  /** Excerpts that are read in one turn of the event loop. */
  excerpts_per_read: 100,
  few_excerpts_per_read: 10,
  /** Notes that the export of a name reads in one turn of the event loop. */
  exported_per_slice: 50,
  /** Mailboxes whose old notes are counted in one turn of the event loop. */
  mailboxes_per_slice: 10,
  /** About the most bytes of a note in an answer, and of each other name in it. */
  note_bytes_max: 1_400,
  other_name_bytes_max: 260,
  /** The latest posts whose numbers a folded note stores: an acknowledgement within them is exact. */
  folded_posts_max: 100,
  /** Folded notes that one acknowledgement divides into what was read and the rest. */
  notes_divided_max: 200,
  /** The posts that a folded note names. */
  folded_posts_named: 20,
  /** Notes that a node remembers as fetched. */
  fetched_notes_max: 20_000,
} as const;
