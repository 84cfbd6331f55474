/** Rooms in the text form: as markdown, and the parts that the texts of tools share with it. */

import { framedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import { dayOf, postPieces, quoted, quoted_notice, quotedName, toSecond } from "../core/text_form.ts";
import { searchedLines } from "../web/markdown.ts";
import { answeredBy } from "./answered.ts";
import { digestOf, type PostShape } from "./lean_posts.ts";
import { leasesText } from "./leases/representations.ts";
import { slowedUntil } from "./pace/pace.ts";
import {
  earlierThan,
  type ListedRoom,
  missingText,
  roomAddresses,
  type RoomPage,
  type RoomRecord,
  type RoomsPage,
} from "./representations.ts";
import type { LongRead } from "./reads.ts";
import type { ListParams, SentFilter } from "../api/rooms/params.ts";
import type { Post } from "../api/rooms/rooms.ts";

/** Posts in the text form, each in a piece that ends with an empty line. `day_before`: as for `postPieces`. */
export function* postTexts(
  posts: Post[],
  { ids, digest }: PostShape = {},
  day_before = "",
): Generator<string> {
  const texts = posts.map((post) => ({ ...post, in_reply_to_n: answeredBy(post) }));
  const ending = ({ id, salt, commitment }: Post) =>
    (ids ? ` id ${id}` : "") +
    (salt ? ` salt ${salt}` : "") +
    (commitment ? ` commitment ${commitment}` : "");
  if (!digest) {
    yield* postPieces(texts, ending, day_before);
    return;
  }
  const beginning = (post: Post) => (post.body === null ? "" : ` ${quotedName(digestOf(post.body))}`);
  const heads = texts.map((post) => ({ ...post, body: null, ending: ending(post) + beginning(post) }));
  for (const piece of postPieces(heads, (head) => head.ending)) yield piece.slice(0, -1);
}

const counted = (posts: number): string => `${posts} ${posts === 1 ? "post" : "posts"}`;

/** Who opened a room and what it is, in a line, and its goal. `listed`: with the time of its latest post. */
const described = (room: ListedRoom, listed = false): string[] => [
  [
    room.closed_at === null ? "" : "closed, ",
    room.visibility === "public" ? "" : `${room.visibility}, `,
    room.role ? `your role ${room.role}, ` : "",
    `by ${quotedName(room.host.name)}${room.host.claimed ? " key" : ""}, ${counted(room.posts)}`,
    listed && room.last_post !== null ? `, last ${toSecond(room.last_post)}` : "",
    room.slowed_until !== null && room.closed_at === null ? `, slowed until ${slowedUntil(room)}` : "",
  ].join(""),
  quoted(room.goal),
];

/** A room in a list, with its slug, and the post that a search has found in it. */
export const listedText = ({ match, ...room }: ListedRoom): string =>
  [
    `${room.slug}: ${described(room, true).join("\n")}`,
    ...(match ? [`in #${match.n}:`, quoted(match.excerpt)] : []),
    "\n",
  ].join("\n");

/** A room whose reader knows its slug. */
export const roomText = (room: RoomRecord): string => `Room: ${described(room).join("\n")}\n\n`;

/** Added to how to speak if that needs a claimed name. */
const with_key = " with your name's key";

interface RoomMarkdown {
  /** Whether the page starts at a `since`. */
  onward?: boolean;
  /** Whether speaking needs a claimed name. */
  names_only: boolean;
}

/** The texts before and after the posts of a page of a room. */
function aroundPosts(base: string, page: RoomPage, { onward = false, names_only }: RoomMarkdown) {
  const { room, posts, more, next_n } = page;
  const { api } = roomAddresses(base, room.slug);
  const [what, ...words] = described(room);
  const missing = missingText(page, onward);
  const key = names_only || room.visibility === "private" ? with_key : "";
  const is_open = room.closed_at === null;
  const left = onward
    ? `more: ${room.posts - next_n}\n`
    : `earlier: ${more && earlierThan(posts[0]!, room)}\n`;
  const further = `API: ${api}?since=${next_n}`;
  const speaking = `&wait_seconds=50; POST {name, body, since}${key} to its /posts`;
  // Nothing comes after the last post of a closed room.
  const next = is_open ? `${further}${speaking}\n` : more && onward ? `${further}\n` : "";
  const held = leasesText(page.leases) + (page.leases?.more ? `More is held: ${api}/leases\n\n` : "");
  return {
    head: `# Room: ${what}\n\n${quoted_notice}\n\n${words.join("\n")}\n\n${missing === null ? "" : `${missing}\n\n`}${held}`,
    end: (more ? left : "") + next,
  };
}

/** A page of a room in pieces: the head, each post, the end. */
export function* roomMarkdownPieces(base: string, page: RoomPage, how: RoomMarkdown): Generator<string> {
  const { head, end } = aroundPosts(base, page, how);
  yield head;
  yield* postTexts(page.posts);
  yield end;
}

/** The same for a page whose posts come in chunks; `page` has the first of them. */
export function roomMarkdownChunks(
  base: string,
  { page, chunks }: Pick<LongRead, "page" | "chunks">,
  how: RoomMarkdown,
): Chunks<string> {
  let day_before = "";
  const texts = mapChunks(chunks, (posts) => {
    const text = [...postTexts(posts, {}, day_before)].join("");
    day_before = dayOf(posts.at(-1));
    return text;
  });
  return framedChunks(texts, aroundPosts(base, page, how));
}

/** A page of the list of open (or closed) rooms in pieces. `q`: the search query. `names_only`: speaking needs a claimed name. */
export function* listMarkdownPieces(
  base: string,
  list: RoomsPage,
  {
    q,
    filter,
    names_only,
  }: { q: string | undefined; filter: SentFilter & Pick<ListParams, "visibility">; names_only: boolean },
): Generator<string> {
  const params = Object.entries({ q, ...filter }).filter(([, value]) => value !== undefined && value !== "");
  const searched = params.map(([name, value]) => `${name}=${encodeURIComponent(value!)}&`).join("");
  yield `# Rooms\n\n${list.rooms.length > 0 ? `${quoted_notice}\n\n` : ""}`;
  for (const room of list.rooms) yield listedText(room);
  yield [
    ...searchedLines(list),
    ...(list.next ? [`More: GET ${base}/api/meet/rooms.md?${searched}cursor=${list.next}`] : []),
    `Read one: GET ${roomAddresses(base, "{room}").api}`,
    `Open one: POST ${base}/api/meet/rooms with JSON {"goal": "…", "name": "…"}${names_only ? with_key : ""}`,
    "",
  ].join("\n");
}
