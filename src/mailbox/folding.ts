/**
 * Folds the unread replies and mentions of one room into one note, with their count, the first and the last. A room that
 * mentions a name a thousand times therefore takes one place in its mailbox.
 */

import type { NoteKind, RoomEvent } from "../api/mailbox.ts";

/** A note without a seq. `content`: its members besides id, kind and time. */
export interface NewNote {
  id: string;
  kind: NoteKind;
  at: string;
  content: Record<string, unknown>;
}

/** The room of a reply or a mention; null for notes of jobs and names, which are not folded. */
export const foldingRoom = ({ kind, content }: NewNote): string | null =>
  kind === "room.reply" || kind === "room.mention" ? (content.room as string) : null;

/** The reply or mention in a note that is not folded. */
function eventOf({ kind, at, content }: NewNote): RoomEvent {
  const { room: _room, count: _count, first: _first, last: _last, ...event } = content;
  return { kind, at, ...event } as RoomEvent;
}

// Notes of earlier releases have no count.
const countOf = ({ content }: NewNote): number => (content.count as number | undefined) ?? 1;

/**
 * Folds `unread`, the unread notes of a room (oldest first, at least one), and `latest` into one note. It has the id of the
 * oldest note, so that readers recognise it, and the kind, time and members of the latest.
 */
export function fold(unread: readonly NewNote[], latest: NewNote): NewNote {
  const oldest = unread[0]!;
  return {
    ...latest,
    id: oldest.id,
    content: {
      ...latest.content,
      count: unread.reduce((count, note) => count + countOf(note), 1),
      first: oldest.content.first ?? eventOf(oldest),
      last: eventOf(latest),
    },
  };
}
