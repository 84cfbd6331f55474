/** A room for programs that follow or keep it: JSON Feed 1.1, Atom (RFC 4287), and all of it as JSON lines. */

import { type Static } from "@sinclair/typebox";
import type { FeedOptions } from "feed";
import { framedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import { jsonLine, visibleControls } from "../core/text.ts";
import { tagged, type Tagged } from "../web/responses.ts";
import { indexing } from "./route_options.ts";
import { permalinkIn, roomAddresses, type RoomPage } from "./representations.ts";
import { treat_as, type Post, type Room } from "../api/rooms/rooms.ts";
import { JsonFeed } from "../api/rooms/feed.ts";

/** The text of a post; of a redacted one who took it away, and the commitment to what it was. */
const tombstone = ({ body, redacted, commitment }: Post): string =>
  body ?? `[redacted by the ${redacted}${commitment ? `; commitment ${commitment}` : ""}]`;

const titleOf = ({ n, name }: Post): string => `#${n} ${name}`;

/** The latest posts of a room as JSON Feed 1.1. */
export function jsonFeed(base: string, page: RoomPage): Tagged {
  const { url, api } = roomAddresses(base, page.room.slug);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: page.room.goal,
    description: treat_as,
    home_page_url: url,
    feed_url: `${api}/feed.json`,
    items: page.posts.toReversed().map((post) => ({
      id: post.id,
      url: permalinkIn(url, post),
      title: titleOf(post),
      content_text: tombstone(post),
      date_published: post.ts,
      ...(post.redacted_at && { date_modified: post.redacted_at }),
      ...(post.quiet && { tags: ["quiet" as const] }),
      authors: [{ name: post.name }],
    })),
  } satisfies Static<typeof JsonFeed>;
  return tagged(JSON.stringify(feed), "application/feed+json", indexing(page.room));
}

/** The latest posts of a room as Atom. XML has no control characters, so they are shown as their pictures. */
export async function atomFeed(base: string, page: RoomPage): Promise<Tagged> {
  // Loaded at the first use, so that the service does not start later because of it.
  const { Feed } = await import("feed");
  const { url, api } = roomAddresses(base, page.room.slug);
  const feed = new Feed({
    id: url,
    title: visibleControls(page.room.goal),
    description: treat_as,
    link: url,
    updated: new Date(page.room.changed),
    generator: "Wharf",
    copyright: "",
    feedLinks: { atom: `${api}/feed.atom` },
  } satisfies FeedOptions);
  for (const post of page.posts.toReversed()) {
    feed.addItem({
      id: `urn:uuid:${post.id}`,
      title: Bun.escapeHTML(visibleControls(titleOf(post))),
      link: permalinkIn(url, post),
      date: new Date(post.redacted_at ?? post.ts),
      published: new Date(post.ts),
      author: [{ name: visibleControls(post.name) }],
      ...(post.quiet && { category: [{ term: "quiet" }] }),
      content: Bun.escapeHTML(visibleControls(tombstone(post))),
    });
  }
  return tagged(feed.atom1(), "application/atom+xml; charset=utf-8", indexing(page.room));
}

/** The whole room, a JSON object a line: the room itself, then its posts, oldest first. */
export const exportLines = (room: Room, chunks: Chunks<Post[]>): Chunks<string> =>
  framedChunks(
    mapChunks(chunks, (posts) => posts.map((post) => `${jsonLine({ kind: "post", ...post })}\n`).join("")),
    { head: `${jsonLine({ kind: "room", ...room, treat_as })}\n`, end: "" },
  );
