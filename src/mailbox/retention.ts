/** Removes old notes that were read, by the rule of the instance. */

import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import type { Retention } from "../core/retention.ts";
import type { Sweep } from "../core/sweep.ts";
import type { MailboxCommands } from "./feature.ts";
import { mailboxesAfter, type OldNotes } from "./store.ts";
import { mailbox_internal_limits } from "./limits.ts";

export function createMailboxRetention({ storage, clock }: OperationDeps<MailboxCommands>): Sweep {
  /** The mailboxes with old notes, in slices, and the time before which a note is old. */
  async function* due({ keep_notes_seconds }: Retention): AsyncGenerator<OldNotes & { before: string }> {
    if (keep_notes_seconds === 0) return;
    const before = isoTime(Math.max(clock.now() - keep_notes_seconds * 1000, 0));
    for (let after = ""; ;) {
      const from = after;
      const slice = await storage.read((tx) =>
        mailboxesAfter(tx, from, before, mailbox_internal_limits.mailboxes_per_slice),
      );
      for (const one of slice) if (one.notes > 0) yield { ...one, before };
      if (slice.length < mailbox_internal_limits.mailboxes_per_slice) return;
      after = slice.at(-1)!.owner;
      await clock.turn();
    }
  }

  return {
    async count(rules) {
      let notes = 0;
      for await (const one of due(rules)) notes += one.notes;
      return { notes };
    },

    async remove(rules, steps) {
      let notes = 0;
      for await (const { owner, before } of due(rules)) {
        await steps.until(async () => {
          const { result } = await storage.write("mailbox.remove_old", { owner, before });
          notes += result.removed;
          return false;
        });
      }
      return { notes };
    },
  };
}
