/** The notes of a claimed name, for the export of the name. */

import { joinedChunks, mapChunks, pagedChunks, type Chunks } from "../core/chunks.ts";
import type { Note } from "../api/mailbox.ts";
import type { ExportedLine, ExportOf } from "../discovery/feature.ts";
import { mailbox_internal_limits } from "./limits.ts";
import type { Mailboxes } from "./mailbox.ts";

export const createMailboxExport =
  (mailboxes: Mailboxes): ExportOf =>
  ({ canonical }, _base, caller) => {
    const limit = mailbox_internal_limits.exported_per_slice;
    const notes = pagedChunks(limit, (last: Note | undefined) =>
      mailboxes.notesOf(canonical, last?.seq ?? 0, limit),
    );
    let is_first = true;
    const setting: Chunks<ExportedLine[]> = async () => {
      if (!is_first) return null;
      is_first = false;
      return (await mailboxes.hidesDelivery(caller)) ? [{ kind: "mailbox", delivery_shown: false }] : [];
    };
    const noteLines = mapChunks(notes, (page) =>
      page.map((note) => ({ kind: "note", note, of_others: ["note"] })),
    );
    return joinedChunks([() => setting, () => noteLines]);
  };
