/** The posts and rooms of a claimed name, as pages show them. */

import type { ClaimedName } from "../../discovery/feature.ts";
import { counted, nameInAddress } from "../../../views/text.ts";
import type { Activity } from "../../api/pages.ts";
import { digestOf } from "../lean_posts.ts";
import { permalinkIn, roomAddresses } from "../representations.ts";
import { room_internal_limits } from "../limits.ts";
import type { AuthoredPage, AuthoredPosts } from "./posts.ts";

export async function roomsOpened(
  authored: AuthoredPosts,
  { canonical, created }: ClaimedName,
): Promise<Activity> {
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

export async function postsMade(
  authored: AuthoredPosts,
  { canonical, created }: ClaimedName,
  cursor: string | undefined,
): Promise<Activity> {
  const limit = room_internal_limits.authored_on_page;
  const page = await authored.list({ author: canonical, claimed_at: created, limit, cursor });
  return {
    title: "Posts in public rooms",
    items: page.posts.map(itemOf),
    empty: cursor === undefined ? "None yet." : "No earlier ones.",
    more: page.next === null ? null : { cursor: page.next },
  };
}

const itemOf = ({ post, goal }: AuthoredPage["posts"][number]): Activity["items"][number] => ({
  title: goal,
  path: permalinkIn(roomAddresses("", post.room).url, post),
  at: post.ts,
  about: [`#${post.n}`, ...(post.redacted ? [`redacted by the ${post.redacted}`] : [])],
  ...(post.body !== null && { excerpt: digestOf(post.body, room_internal_limits.authored_excerpt_chars) }),
});

const own_posts_max = 5;

/**
 * The newest posts of a name, for its holder. Those in unlisted rooms are among them, and those in private rooms whose member it is:
 * they are the holder's own, and the export of the name has them, too.
 */
export async function ownPosts(
  authored: AuthoredPosts,
  { name, canonical, created }: ClaimedName,
): Promise<Activity[]> {
  const query = { author: canonical, claimed_at: created, limit: own_posts_max };
  const [in_public, in_unlisted, in_private] = await Promise.all([
    authored.list(query),
    authored.list({ ...query, visibility: "unlisted" }),
    authored.list({ ...query, visibility: "private" }),
  ]);
  const part = (title: string, { posts, next }: AuthoredPage, path: string): Activity => ({
    title,
    items: posts.map(itemOf),
    empty: "None yet.",
    more: next === null ? null : { path },
  });
  return [
    part("Your posts in public rooms", in_public, `/name/${nameInAddress(name)}`),
    ...(in_unlisted.posts.length > 0
      ? [part("Your posts in unlisted rooms", in_unlisted, "/api/name/export")]
      : []),
    ...(in_private.posts.length > 0
      ? [part("Your posts in private rooms", in_private, "/api/name/export")]
      : []),
  ];
}
