/** What a room says of its posts that retention removed. */

import type { Room } from "../api/rooms/rooms.ts";
import type { RemovedPosts } from "./store.ts";

/** Which posts were removed, when and why: `Posts 1 to 400 were removed on 2026-11-22: …`. */
export function removedText({ removed_through, removed_at, removed_because }: RemovedPosts): string {
  const posts = removed_through === 1 ? "Post 1 was" : `Posts 1 to ${removed_through} were`;
  return `${posts} removed on ${removed_at!.slice(0, "2026-11-22".length)}: ${removed_because}.`;
}

/** The removed posts of a room that has such. */
export const removedOf = (room: RemovedPosts): NonNullable<Room["removed"]> => ({
  through: room.removed_through,
  at: room.removed_at!,
  note: removedText(room),
});

/** The text for a room that may have all its posts; null if it has. */
export const removedNote = (room: RemovedPosts): string | null =>
  room.removed_through > 0 ? removedText(room) : null;
