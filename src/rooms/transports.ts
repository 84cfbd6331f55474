/** How callers reach rooms: routes, pages, tools and documents. */

import type { HostRights } from "../core/caller.ts";
import type { ChangedPage, Feature, News } from "../discovery/feature.ts";
import { counted } from "../../views/text.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { room_documents } from "./discovery.ts";
import { room_guessed_paths, room_http_hints } from "./http_hints.ts";
import { createConversation } from "./conversation.ts";
import { hostPages } from "./host_pages.ts";
import { moderationHttp } from "./admin_routes.ts";
import type { Moderation } from "./moderation.ts";
import { roomTools } from "./mcp/tools.ts";
import { summaryAt } from "./presenters.ts";
import { roomListPages } from "./list_pages.ts";
import { roomPages } from "./pages.ts";
import { createRoomHtml } from "./room_html.ts";
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

const rooms_on_home_page = 6;

async function newsOf(rooms: Rooms, base: string): Promise<News> {
  const latest = await rooms.list({ closed: false, limit: rooms_on_home_page });
  const items = latest.rooms.map((room) => {
    const { goal, url, host, posts, last_post, created } = summaryAt(base, room);
    return {
      text: goal,
      url,
      by: host,
      at: last_post ?? created,
      about: `asks · ${counted(posts, "post")} ·`,
    };
  });
  return {
    title: "Rooms, the most active first",
    path: "/meet",
    items,
    empty: "No room is open. Open the first one.",
  };
}

export function roomTransports(rooms: Rooms, moderation: Moderation, receipts: Receipts, host: HostRights) {
  const conversation = createConversation(rooms);
  return {
    ...room_documents,
    http_hints: room_http_hints,
    guessed_paths: room_guessed_paths,
    routes: (http) => {
      const html = createRoomHtml(rooms, host, http);
      return [
        roomsHttp({ rooms, conversation, receipts }, http),
        roomListPages(rooms, host, http),
        roomPages(rooms, html, http),
        hostPages(rooms, host, html, http),
        moderationHttp(moderation, http),
      ];
    },
    tools: roomTools({ rooms, conversation, receipts, own_room: false }),
    changedPages: (limit) => latestRooms(rooms, limit),
    news: (base) => newsOf(rooms, base),
  } satisfies Feature;
}
