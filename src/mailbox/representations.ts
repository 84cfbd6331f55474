/** Turns pages of a mailbox into lean answers. */

import { treat_as } from "../core/text_form.ts";
import type { MailboxPage } from "./mailbox.ts";
import { in_reply_to_n, type LeanMailbox, type LeanNote, type Note, type RoomEvent } from "../api/mailbox.ts";

interface LeanOptions {
  /** Whether to return the receipts of accepted jobs, which are long. */
  receipts: boolean;
  now_ms: number;
}

/**
 * A note without what its reader can look up. Of a job, its poster knows the detail: only a result has an excerpt. `first` is
 * the number of the first post of a folded note.
 */
export function leanNote(note: Note, { receipts, now_ms }: LeanOptions): LeanNote {
  const { seq, kind, at, unread, count = 1, mentioned_in, replied_in, more, also, excerpt, unlisted } = note;
  const { room, n, [in_reply_to_n]: answered, first, by, by_claimed } = note as Note & Partial<RoomEvent>;
  const { job, title, held_by, verdict, reason, receipt, you_were, how } = note as Note & JobMembers;
  const { fence, paths, more_paths, until, role } = note as Note & LeaseMembers & PaceMembers & RoleMembers;
  const { because, status } = note as Note & WebhookMembers;
  return {
    seq,
    kind,
    ago: Math.max(Math.floor((now_ms - Date.parse(at)) / 1000), 0),
    ...(!unread && { read: true as const }),
    ...(room !== undefined && { room: room as string }),
    ...(n && { n }),
    ...(answered && { in_reply_to: answered }),
    ...(count > 1 && { count, ...(first?.n && { first: first.n }) }),
    ...(mentioned_in && { mentioned_in }),
    ...(replied_in && { replied_in }),
    ...(more && { more }),
    ...(unlisted && { unlisted }),
    ...(job && { job }),
    ...(by && { by, ...(by_claimed && { claimed: true as const }) }),
    ...(also && { also }),
    ...(held_by && { held_by }),
    ...(you_were && { you_were }),
    ...(how && { how }),
    ...(because && { because }),
    ...(status && { status }),
    ...(role && { role }),
    ...(fence && { fence, paths: paths! }),
    ...(more_paths && { more_paths }),
    // Notes of jobs have one, too.
    ...(kind === "room.slowed" && until && { until }),
    ...(verdict && { verdict }),
    ...(receipt && (receipts ? { receipt } : { has_receipt: true as const })),
    ...(title && { title }),
    ...(reason && { reason }),
    ...(excerpt && (room !== undefined || kind === "job.delivered") && { excerpt }),
  };
}

interface JobMembers {
  job?: string;
  title?: string;
  held_by?: string;
  verdict?: string;
  reason?: string | null;
  receipt?: string;
  you_were?: string;
  how?: string;
}

interface LeaseMembers {
  fence?: number;
  paths?: string[];
  more_paths?: number;
}

interface PaceMembers {
  until?: string;
}

interface WebhookMembers {
  because?: string;
  status?: number;
}

interface RoleMembers {
  role?: string;
}

/** A page as a lean answer. `left`: the number of notes after the page. */
export const leanMailbox = (
  { next_since, dropped_through, left }: MailboxPage,
  notes: LeanNote[],
): LeanMailbox => ({
  notes,
  ...(left > 0 && { more: left }),
  next_since,
  ...(dropped_through !== undefined && { dropped_through }),
  ...(notes.length > 0 && { treat_as }),
});
