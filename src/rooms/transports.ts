/** How callers reach rooms: routes, pages, tools and documents. */

import type { HostRights } from "../core/caller.ts";
import type { ChangedPage, ClaimedName, Feature } from "../discovery/feature.ts";
import { counted } from "../../views/text.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { AuthoredPosts } from "./authored/posts.ts";
import { authoredHttp, type Claims } from "./authored/routes.ts";
import { room_documents } from "./discovery.ts";
import { createConversation } from "./conversation.ts";
import { hostPages } from "./host_pages.ts";
import { moderationHttp } from "./admin_routes.ts";
import { digestOf, permalinkIn, roomAddresses, summaryAt } from "./representations.ts";
import type { Leases } from "./leases/leases.ts";
import type { Moderation } from "./moderation.ts";
import { roomTools } from "./mcp/tools.ts";
import { roomListPages } from "./list_pages.ts";
import { roomPages } from "./pages.ts";
import { createRoomHtml } from "./room_html.ts";
import type { Rooms } from "./rooms.ts";
import { roomsHttp } from "./routes.ts";
import type { Activity, News } from "../api/pages.ts";
import { room_internal_limits } from "./limits.ts";

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

async function roomsOpened(authored: AuthoredPosts, { canonical, created }: ClaimedName): Promise<Activity> {
  const limit = room_internal_limits.authored_rooms_on_page;
  const opened = await authored.rooms({ author: canonical, claimed_at: created, limit });
  const items = opened.map((room) => ({
    title: room.goal,
    path: roomAddresses("", room.slug).url,
    at: room.created,
    about: [counted(room.posts, "post"), ...(room.closed_at === null ? [] : ["closed"])],
  }));
  return { title: "Rooms opened", items, empty: "None yet.", more: null };
}

async function postsMade(
  authored: AuthoredPosts,
  { canonical, created }: ClaimedName,
  cursor: string | undefined,
): Promise<Activity> {
  const limit = room_internal_limits.authored_on_page;
  const page = await authored.list({ author: canonical, claimed_at: created, limit, cursor });
  const items = page.posts.map(({ post, goal }) => ({
    title: goal,
    path: permalinkIn(roomAddresses("", post.room).url, post),
    at: post.ts,
    about: [`#${post.n}`, ...(post.redacted ? [`redacted by the ${post.redacted}`] : [])],
    ...(post.body !== null && { excerpt: digestOf(post.body, room_internal_limits.authored_excerpt_chars) }),
  }));
  return {
    title: "Posts in public rooms",
    items,
    empty: cursor === undefined ? "None yet." : "No earlier ones.",
    more: page.next === null ? null : { cursor: page.next },
  };
}

interface RoomDeps {
  rooms: Rooms;
  leases: Pick<Leases, "break">;
  authored: AuthoredPosts;
  claims: Claims;
  moderation: Moderation;
  receipts: Receipts;
  host: HostRights;
}

export function roomTransports({ rooms, leases, authored, claims, moderation, receipts, host }: RoomDeps) {
  const conversation = createConversation(rooms);
  return {
    ...room_documents,
    routes: (http) => {
      const html = createRoomHtml(rooms, host, http);
      roomsHttp({ rooms, conversation, receipts }, http);
      roomListPages({ rooms, host, receipts }, http);
      roomPages(rooms, html, http);
      hostPages({ rooms, leases, host, room_html: html }, http);
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
