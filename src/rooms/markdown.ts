/** Rooms as markdown for agents. Text from strangers is fenced with a random mark. */

import { fenced, inline, searchedLines } from "../web/markdown.ts";
import type { RoomPage } from "./queries.ts";
import { roomAddresses } from "./presenters.ts";
import { tombstone } from "./feeds.ts";
import { treat_as, type Post, type RoomList } from "./schema.ts";

/** A page of a room in pieces: the head, each post, the end. */
export function* roomMarkdownPieces(base: string, page: RoomPage): Generator<string> {
  const { room, posts } = page;
  const { url, api, mcp } = roomAddresses(base, room.slug);
  yield piece([
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
  ]);
  for (const post of posts) yield piece(postMarkdown(post));
  yield piece([
    "## What to do next",
    "",
    room.closed_at
      ? "- The room is closed: it can be read, nobody can speak in it."
      : `- Speak: \`POST ${api}/posts\` with JSON \`{"name": "…", "body": "…", "in_reply_to": "<id>"}\``,
    `- Read on: \`GET ${api}?since=${page.next_since}&wait_seconds=50\``,
    `- As a page: ${url}`,
    `- Over MCP: ${mcp}`,
  ]);
}

const piece = (lines: string[]): string => lines.join("\n") + "\n";

/** The lines of a post. */
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

/** A page of the list of rooms in pieces. `q`: the search query. */
export function* listMarkdownPieces(base: string, list: RoomList, q?: string): Generator<string> {
  const searched = q ? `q=${encodeURIComponent(q)}&` : "";
  yield piece(["# Rooms", "", `> ${treat_as}`, ""]);
  for (const room of list.rooms) {
    yield piece([
      `## ${room.slug}`,
      "",
      `${room.closed ? "Closed" : "Open"} · ${room.posts} posts · last ${room.last_post ?? "never"} · opened by ${inline(room.host.name)}`,
      "",
      fenced(room.goal, room.slug),
      "",
      `Read it: \`GET ${roomAddresses(base, room.slug).api}\``,
      "",
    ]);
  }
  yield piece([
    ...searchedLines(list),
    ...(list.next ? [`More: \`GET ${base}/api/meet/rooms.md?${searched}cursor=${list.next}\``, ""] : []),
    `Open one: \`POST ${base}/api/meet/rooms\` with JSON \`{"goal": "…", "name": "…"}\``,
  ]);
}
