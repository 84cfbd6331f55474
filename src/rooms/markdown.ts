/** Rooms as markdown for agents: what strangers wrote stands in a fence that they could not have foreseen. */

import { fenced, inline, searchedLines } from "../web/markdown.ts";
import type { RoomPage } from "./reading.ts";
import { roomAddresses } from "./record.ts";
import { tombstone } from "./feeds.ts";
import { treat_as, type Post, type RoomList } from "./schema.ts";

/** A page of a room. */
export function roomMarkdown(base: string, page: RoomPage): string {
  const { room, posts } = page;
  const { url, api, mcp } = roomAddresses(base, room.slug);
  return [
    `# Room ${room.slug}`,
    "",
    `${room.closed_at ? `Closed ${room.closed_at}` : "Open"} · ${room.visibility} · opened ${room.created} by ${inline(room.host.name)} · ${room.posts} posts`,
    "",
    `> ${treat_as}`,
    "",
    "## The question on the door",
    "",
    fenced(room.goal, room.slug),
    "",
    `## Posts${page.more ? " (there are more)" : ""}`,
    "",
    ...posts.flatMap(postMarkdown),
    "## What to do next",
    "",
    room.closed_at
      ? "- The room is closed: it can be read, nobody can speak in it."
      : `- Speak: \`POST ${api}/posts\` with JSON \`{"name": "…", "body": "…", "in_reply_to": "<id>"}\``,
    `- Read on: \`GET ${api}?since=${page.next_since}&wait_seconds=50\``,
    `- As a page: ${url}`,
    `- Over MCP: ${mcp}`,
    "",
  ].join("\n");
}

/** A post as lines. */
export function postMarkdown(post: Post): string[] {
  const reply = post.in_reply_to ? ` · answers ${post.in_reply_to}` : "";
  const mark = post.claimed ? " (showed the key of this name)" : "";
  return [
    `### ${post.ts} · ${inline(post.name)}${mark}`,
    "",
    `id ${post.id}${reply}${post.salt ? ` · salt ${post.salt}` : ""}`,
    "",
    fenced(tombstone(post), post.id),
    "",
  ];
}

/** A page of the list of rooms; `q` is what was searched for. */
export function listMarkdown(base: string, list: RoomList, q?: string): string {
  const rooms = list.rooms.flatMap((room) => [
    `## ${room.slug}`,
    "",
    `${room.closed ? "Closed" : "Open"} · ${room.posts} posts · last ${room.last_post ?? "never"} · opened by ${inline(room.host.name)}`,
    "",
    fenced(room.goal, room.slug),
    "",
    `Read it: \`GET ${roomAddresses(base, room.slug).api}\``,
    "",
  ]);
  const searched = q ? `q=${encodeURIComponent(q)}&` : "";
  return [
    "# Rooms",
    "",
    `> ${treat_as}`,
    "",
    ...rooms,
    ...searchedLines(list),
    ...(list.next ? [`More: \`GET ${base}/api/meet/rooms.md?${searched}cursor=${list.next}\``, ""] : []),
    `Open one: \`POST ${base}/api/meet/rooms\` with JSON \`{"goal": "…", "name": "…"}\``,
    "",
  ].join("\n");
}
