/** The notes of a mailbox, in pages. */

import { orThrow, type Schemas } from "../../client/client.ts";
import type { ShellContext } from "./shell_command.ts";

/** All notes after the one with the seq `since` that the mailbox stores, and where the next call begins. */
export async function notesAfter({ client }: ShellContext, since: number) {
  const notes: Schemas["Note"][] = [];
  let next_since = since;
  for (;;) {
    const query = { since: next_since, limit: 1000 };
    const page = await orThrow(client.get("/api/mailbox", { query }));
    notes.push(...page.notes);
    next_since = page.next_since;
    if (page.next === null) return { notes, next_since };
  }
}
