/** The notes of a claimed name, for the export of the name. */

import { mapChunks, pagedChunks } from "../core/chunks.ts";
import type { Note } from "../api/mailbox.ts";
import type { ExportOf } from "../discovery/feature.ts";
import { mailbox_internal_limits } from "./limits.ts";
import type { Mailboxes } from "./mailbox.ts";

export const createMailboxExport =
  (mailboxes: Mailboxes): ExportOf =>
  ({ canonical }) => {
    const limit = mailbox_internal_limits.exported_per_slice;
    const notes = pagedChunks(limit, (last: Note | undefined) =>
      mailboxes.notesOf(canonical, last?.seq ?? 0, limit),
    );
    return mapChunks(notes, (page) => page.map((note) => ({ kind: "note", note, of_others: ["note"] })));
  };
