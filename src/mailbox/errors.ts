/** Errors of mailboxes. */

import { defineErrors } from "../core/error_definition.ts";

export const mailbox_errors = defineErrors({
  notes_pruned: {
    kind: "gone",
    title: "Those notes are no longer kept",
    explanation:
      "A mailbox keeps the latest 1000 notes of jobs and names, and the latest 1000 of rooms. The answer names the oldest that is left.",
  },
});
