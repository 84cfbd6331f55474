/**
 * Unread replies and mentions of one room are one note: it counts them and shows the first and the last. So a room that
 * mentions a name a thousand times takes one place in its mailbox, until the note is acknowledged.
 */

import type { NoteKind, RoomEvent } from "./schema.ts";

/** A note before it has a place in a mailbox. `content` is what it says beside the kind. */
export interface NewNote {
  id: string;
  kind: NoteKind;
  at: string;
  content: Record<string, unknown>;
}

/** The room that a note is about, when it is a reply or a mention; else null: notes of jobs and names do not fold. */
export const foldingRoom = ({ kind, content }: NewNote): string | null =>
  kind === "room.reply" || kind === "room.mention" ? (content.room as string) : null;

/** The reply or mention that a note which was not folded stands for. */
function eventOf({ kind, at, content }: NewNote): RoomEvent {
  const { room: _room, count: _count, first: _first, last: _last, ...event } = content;
  return { kind, at, ...event } as RoomEvent;
}

// Notes of earlier releases have no count.
const countOf = ({ content }: NewNote): number => (content.count as number | undefined) ?? 1;

/**
 * The one note for `unread`, the unread notes of a room (oldest first, at least one), and `latest`, which comes after them.
 * It keeps the id of the oldest, so that a reader recognises it, and says of itself what the latest says.
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
