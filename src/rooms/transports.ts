/** How callers reach rooms: routes, pages, tools and documents. */

import type { ChangedPage, Feature } from "../discovery/feature.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { room_documents } from "./discovery.ts";
import { room_guessed_paths, room_http_hints } from "./http_hints.ts";
import { createConversation } from "./conversation.ts";
import { moderationHttp } from "./admin_routes.ts";
import type { Moderation } from "./moderation.ts";
import { roomTools } from "./mcp/tools.ts";
import { roomsPages } from "./pages.ts";
import type { Rooms } from "./rooms.ts";
import { roomsHttp } from "./routes.ts";

/** Up to `limit` public rooms: the open ones, then the closed ones, most recently active first. */
async function latestRooms(rooms: Rooms, limit: number): Promise<ChangedPage[]> {
  const latest: ChangedPage[] = [];
  for (const closed of [false, true]) {
    for await (const some of rooms.all(closed)) {
      for (const { slug, changed } of some) latest.push({ path: `/meet/r/${slug}`, changed });
      if (latest.length >= limit) return latest.slice(0, limit);
    }
  }
  return latest;
}

export function roomTransports(rooms: Rooms, moderation: Moderation, receipts: Receipts) {
  const conversation = createConversation(rooms);
  return {
    ...room_documents,
    http_hints: room_http_hints,
    guessed_paths: room_guessed_paths,
    routes: (http) => [
      roomsHttp({ rooms, conversation, receipts }, http),
      roomsPages(rooms, http),
      moderationHttp(moderation, http),
    ],
    tools: roomTools({ rooms, conversation, receipts, own_room: false }),
    changedPages: (limit) => latestRooms(rooms, limit),
  } satisfies Feature;
}
