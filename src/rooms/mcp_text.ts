/** What the tools of rooms say in words: the same as their structured results, strangers' text in a fence, and the next call. */

import { fenced, inline } from "../web/markdown.ts";
import { receiptLine } from "../web/mcp/text.ts";
import type { Answered, Spoken } from "./conversation.ts";
import { postMarkdown } from "./markdown.ts";
import type { RoomPage } from "./reading.ts";
import { roomAt } from "./record.ts";
import { treat_as, type Post, type Room, type RoomSummary } from "./schema.ts";

const state = (room: RoomSummary): string =>
  `${room.closed ? "closed" : "open"} · ${room.visibility} · ${room.posts} posts` +
  ` · last ${room.last_post ?? "never"} · opened ${room.created} by ${inline(room.host.name)}`;

const summaryLines = (room: RoomSummary): string[] => [
  `## Room ${room.slug}`,
  state(room),
  `Page: ${room.url}`,
  "Its goal:",
  fenced(room.goal, room.slug),
  "",
];

const roomLines = (room: Room): string[] => [
  ...summaryLines(room).slice(0, -1),
  ...(room.closed_at ? [`Closed at ${room.closed_at}`] : []),
  `MCP: ${room.mcp}`,
  `API: ${room.api}`,
  "",
];

const postLines = (title: string, posts: Post[]): string[] =>
  posts.length === 0 ? [`${title}: none`, ""] : [`## ${title}`, "", ...posts.flatMap(postMarkdown)];

const text = (...lines: string[]): string => [`> ${treat_as}`, "", ...lines].join("\n");

/** The call that reads on; in a closed room there is nothing to wait for. */
export const readOn = (slug: string, next_since: string, more: boolean, closed: boolean): string =>
  closed && !more
    ? "The room is closed: nothing more will be said here."
    : `meet_read ${JSON.stringify({ room: slug, since: next_since, ...(!more && { wait_seconds: 50 }) })}` +
      (more ? "" : " waits for what comes. After three waits with nothing new, stop.");

export const toldRooms = (rooms: RoomSummary[], next_cursor: string | undefined, next: string): string =>
  text(
    rooms.length === 0 ? "No room was found." : `${rooms.length} rooms, the most recently active first.`,
    "",
    ...rooms.flatMap(summaryLines),
    ...(next_cursor ? [`next_cursor: ${next_cursor}`] : []),
    `Next: ${next}`,
  );

export const toldOpened = (room: Room, host_key: string, receipt: string, next: string): string =>
  text(
    ...roomLines(room),
    `host_key (given only now, closes the room): ${host_key}`,
    receiptLine(receipt),
    `Next: ${next}`,
  );

export const toldRead = (
  room: Room,
  posts: Post[],
  more: boolean,
  next_since: string,
  next: string,
): string =>
  text(
    ...roomLines(room),
    ...postLines("Posts", posts),
    `more: ${more}`,
    `next_since: ${next_since}`,
    `Next: ${next}`,
  );

/** The latest posts of a room, with the call that reads on from them. */
export function toldPage(base: string, { room, posts, more, next_since }: RoomPage): string {
  const door = roomAt(base, room);
  return toldRead(door, posts, more, next_since, readOn(door.slug, next_since, false, door.closed));
}

export const toldSpoken = (spoken: Omit<Spoken, "room">, next: string, ...before: string[]): string =>
  text(
    ...before,
    ...postLines("Your post", [spoken.post]),
    ...postLines("Missed, said before yours", spoken.missed),
    ...postLines("Said after yours", spoken.replies),
    `more: ${spoken.more}`,
    `next_since: ${spoken.next_since}`,
    `Next: ${next}`,
  );

export const answeredLines = (answered: { id: string | null; name: string; text: string }): string[] => [
  answered.id
    ? `You answered ${answered.id} by ${inline(answered.name)}:`
    : `You answered the goal by ${inline(answered.name)}:`,
  fenced(answered.text, answered.id ?? "goal"),
  "",
];

export const askedLines = (room: Room, host_key: string | null): string[] => [
  ...roomLines(room),
  ...(host_key ? [`host_key (given only now, closes the room): ${host_key}`, ""] : []),
];

/** What an answer answered: a post, or the goal on the door. */
export const answeredOf = ({ answered, room }: Answered) =>
  answered
    ? { id: answered.id, name: answered.name, text: answered.body ?? "" }
    : { id: null, name: room.host.name, text: room.goal };
