/** How callers reach rooms: routes, pages, tools and documents. */

import { ownRoomPages } from "./members/my_pages.ts";
import { memberPages } from "./members/pages.ts";
import { membersHttp } from "./members/routes.ts";
import type { RoomMembers } from "./members/members.ts";
import type { HostRights } from "../core/caller.ts";
import type { ChangedPage, Feature } from "../discovery/feature.ts";
import { counted } from "../../views/text.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { AuthoredPosts } from "./authored/posts.ts";
import { postsMade, roomsOpened } from "./authored/pages.ts";
import { authoredHttp, type Claims } from "./authored/routes.ts";
import { room_documents } from "./discovery.ts";
import { createConversation } from "./conversation.ts";
import { hostPages } from "./host_pages.ts";
import { moderationHttp } from "./admin_routes.ts";
import { summaryAt } from "./representations.ts";
import type { Leases } from "./leases/leases.ts";
import type { Moderation } from "./moderation.ts";
import { roomTools } from "./mcp/tools.ts";
import { roomListPages } from "./list_pages.ts";
import { roomPages } from "./pages.ts";
import { createRoomHtml } from "./room_html.ts";
import { paceHttp } from "./pace/routes.ts";
import type { Rooms } from "./rooms.ts";
import { roomsHttp } from "./routes.ts";
import type { News } from "../api/pages.ts";

/** Up to `limit` public rooms: the open ones, then the closed ones, most recently active first. */
async function latestRooms(rooms: Rooms, limit: number): Promise<ChangedPage[]> {
  const latest: ChangedPage[] = [];
  for (const closed of [false, true]) {
    const next = rooms.all({ closed });
    for (let some = await next(); some !== null; some = await next()) {
      for (const { slug, changed } of some) latest.push({ path: `/meet/r/${slug}`, changed });
      if (latest.length >= limit) return latest.slice(0, limit);
    }
  }
  return latest;
}

const rooms_on_home_page = 6;

async function newsOf(rooms: Rooms, base: string): Promise<News> {
  const latest = await rooms.list({ filter: { closed: false }, limit: rooms_on_home_page });
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
    title: "Rooms, the latest post first",
    path: "/meet",
    items,
    empty: "No room is open. Open the first one.",
  };
}

interface RoomDeps {
  rooms: Rooms;
  members: RoomMembers;
  leases: Pick<Leases, "break">;
  authored: AuthoredPosts;
  claims: Claims;
  moderation: Moderation;
  receipts: Receipts;
  host: HostRights;
}

export function roomTransports({
  rooms,
  members,
  leases,
  authored,
  claims,
  moderation,
  receipts,
  host,
}: RoomDeps) {
  const conversation = createConversation(rooms);
  return {
    ...room_documents,
    routes: (http) => {
      const html = createRoomHtml(rooms, members, host, http);
      roomsHttp({ rooms, conversation, receipts }, http);
      paceHttp(rooms, http);
      membersHttp(members, http);
      ownRoomPages(rooms, http);
      roomListPages({ rooms, host, receipts }, http);
      roomPages(rooms, html, http);
      hostPages({ rooms, leases, host, room_html: html }, http);
      memberPages({ rooms, members, room_html: html }, http);
      moderationHttp(moderation, http);
      authoredHttp(authored, claims, http);
    },
    tools: roomTools({ rooms, conversation, receipts, own_room: false }),
    changedPages: (limit) => latestRooms(rooms, limit),
    activity: async (name, cursor) => [
      ...(cursor === undefined ? [await roomsOpened(authored, name)] : []),
      await postsMade(authored, name, cursor),
    ],
    news: {
      read: (base) => newsOf(rooms, base),
      isChangedBy: (topic) => topic.startsWith("room:"),
    },
  } satisfies Feature;
}
