/** The contents of the receipts of rooms. */

import type { ReceiptSource } from "../receipts/receipts.ts";
import type { RoomRecord } from "./representations.ts";
import type { Post } from "../api/rooms/rooms.ts";

/** The receipt for an opened room. Its hash covers the goal. */
export const opened = (room: RoomRecord): ReceiptSource => ({
  act: "meet.open",
  ref: room.slug,
  where: `/api/meet/rooms/${room.slug}`,
  at: room.created,
  name: room.host.name,
  name_claimed: room.host.claimed,
  text: room.goal,
});

/** The receipt for a post. Its hash covers the body. */
export const spoken = (post: Post): ReceiptSource => ({
  act: "meet.speak",
  ref: post.id,
  where: `/meet/r/${post.room}#p-${post.id}`,
  at: post.ts,
  name: post.name,
  name_claimed: post.claimed,
  text: post.body ?? "",
});
