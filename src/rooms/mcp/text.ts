/** The text results of the room tools: the structured results as text, with strangers' texts fenced and the next call. */

import { fenced, inline } from "../../web/markdown.ts";
import { receiptLine } from "../../mcp/text.ts";
import type { AnswerOutcome, SpeakOutcome } from "./conversation.ts";
import { postMarkdown } from "../markdown.ts";
import type { RoomPage } from "../queries.ts";
import { roomAt, summaryAt, type RoomsPage } from "../presenters.ts";
import { treat_as, type Post, type Room, type RoomSummary } from "../schema.ts";

const state = (room: RoomSummary): string =>
  `${room.closed ? "closed" : "open"} · ${room.visibility} · ${room.posts} ${room.posts === 1 ? "post" : "posts"}` +
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

/** The next call if a room does not exist. */
export const no_such_room =
  "meet_rooms lists the open public rooms. An unlisted room needs its whole address.";

/** The call that reads on, or waits. In a closed room there is nothing to wait for. */
export const readOn = (slug: string, next_since: string, more: boolean, closed: boolean): string =>
  closed && !more
    ? "The room is closed: nothing more will be said here."
    : `meet_read ${JSON.stringify({ room: slug, since: next_since, ...(!more && { wait_seconds: 50 }) })}` +
      (more ? "" : " waits for what comes. After three waits with nothing new, stop.");

/** The call that reads a room from its beginning; empty if there are no earlier posts. */
export const readAll = ({ slug, created }: Room, has_earlier: boolean): string =>
  has_earlier ? `meet_read ${JSON.stringify({ room: slug, since: created })} reads from the beginning. ` : "";

/** How the host closes a room. */
export const closing = ({ slug }: Room): string =>
  ` When it is done, meet_close ${JSON.stringify({ room: slug })} with host_key closes the room.`;

/** A page of the list of rooms, as structured data and as text. */
export function listOutput(base: string, page: RoomsPage) {
  const rooms = page.rooms.map((room) => summaryAt(base, room));
  const { indexed_through } = page;
  const next_cursor = page.next ?? undefined;
  const next = rooms[0]
    ? `meet_read ${JSON.stringify({ room: rooms[0].slug })} reads the first of them.`
    : "meet_open opens a room; meet_ask opens one for a question.";
  const lines = [
    rooms.length === 0 ? "No room was found." : "The most recently active first.",
    "",
    ...rooms.flatMap(summaryLines),
    ...(indexed_through ? [`indexed_through: ${indexed_through}`] : []),
    ...(next_cursor ? [`next_cursor: ${next_cursor}`] : []),
    `Next: ${next}`,
  ];
  return {
    structured: {
      rooms,
      ...(indexed_through && { indexed_through }),
      ...(next_cursor && { next_cursor }),
      next,
      treat_as,
    },
    text: text(...lines),
  };
}

export const openedText = (room: Room, secret: HostKey, receipt: string, next: string): string =>
  text(...openingLines(room, secret), receiptLine(receipt), `Next: ${next}`);

/** A page of a room, as structured data and as text. `onward`: the page starts at a `since`, so that `more` means later posts. */
export function pageOutput(base: string, page: RoomPage, onward: boolean) {
  const { posts, more, next_since } = page;
  const room = roomAt(base, page.room);
  const next = readAll(room, more && !onward) + readOn(room.slug, next_since, more && onward, room.closed);
  return {
    structured: { room, posts, more, next_since, next, treat_as },
    text: text(
      ...roomLines(room),
      ...postLines("Posts", posts),
      `more: ${more}`,
      `next_since: ${next_since}`,
      `Next: ${next}`,
    ),
  };
}

export const spokenText = (spoken: Omit<SpeakOutcome, "room">, next: string, ...before: string[]): string =>
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

/** The result of closing a room, perhaps with a last post. */
export const closedOutput = (closed_at: string, last_word: Post | undefined) => ({
  structured: { closed_at, ...(last_word && { n: last_word.n }) },
  text: `Closed at ${closed_at}.${last_word ? ` Your last word is #${last_word.n}.` : ""} It can still be read.`,
});

/** The key of a new room, or why there is none; neither for an existing room. */
export interface HostKey {
  host_key?: string;
  host_key_note?: string;
}

export const openingLines = (room: Room, { host_key, host_key_note }: HostKey): string[] => [
  ...roomLines(room),
  ...(host_key ? [`host_key (given only now, closes the room): ${host_key}`, ""] : []),
  ...(host_key_note ? [`host_key: ${host_key_note}`, ""] : []),
];

/** The text that an answer answers: a post, or the goal of the room. */
export const answeredOf = ({ answered, room }: AnswerOutcome) =>
  answered
    ? { id: answered.id, name: answered.name, text: answered.body ?? "" }
    : { id: null, name: room.host.name, text: room.goal };
