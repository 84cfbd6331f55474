/** Errors of mailboxes. */

import { Type } from "@sinclair/typebox";
import { defineErrors } from "../core/error_definition.ts";

export const mailbox_errors = defineErrors({
  notes_pruned: {
    kind: "gone",
    title: "Those notes are no longer kept",
    explanation:
      "A mailbox keeps the latest 1000 notes of jobs and names, and the latest 1000 of rooms. The answer names the oldest that is left.",
    members: Type.Object({ oldest: Type.Integer({ description: "The seq of the oldest note." }) }),
  },
});
