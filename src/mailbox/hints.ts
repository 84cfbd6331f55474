/** What a caller does next after an error of mailboxes. */

import { mailbox_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { mailbox_errors } from "./errors.ts";

export const mailbox_hints = {
  notes_pruned: hint`${mailbox_calls.read} reads the notes that are stored.`,
} satisfies HintsOf<typeof mailbox_errors>;
