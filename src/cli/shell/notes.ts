/** The notes of a mailbox, in pages. */

import { orThrow, type Schemas } from "../../client/client.ts";
import { defined } from "./arguments.ts";
import type { ShellContext } from "./shell_command.ts";

/**
 * The notes after the one with the seq `since`, and where the next call begins. Without `since` all that the mailbox stores: notes that
 * were dropped are an error only for a caller who chose a position.
 */
export async function notesAfter({ client }: ShellContext, since?: number) {
  const notes: Schemas["Note"][] = [];
  let next_since = since;
  for (;;) {
    const query = { limit: 1000, ...defined({ since: next_since }) };
    const page = await orThrow(client.get("/api/mailbox", { query }));
    notes.push(...page.notes);
    next_since = page.next_since;
    if (page.next === null) return { notes, next_since };
  }
}
