/** Answers with a page of a room that is too long to be held in memory: made as their reader takes them. */

import { mapChunks } from "../core/chunks.ts";
import { media, sendTaggedChunks, type ExtraHeaders } from "../web/responses.ts";
import { jsonChunks } from "../web/slices.ts";
import type { LongRead } from "./reads.ts";
import { roomMarkdownChunks, roomMarkdownPieces } from "./markdown.ts";
import type { RoomPage } from "./representations.ts";

/** A text that changes whenever the answer does: the answer with its first post alone, its last post, and the version of the room. */
const versionOf = ({ page, last }: LongRead, answer: string): string =>
  `${answer} ${last} ${page.room.changed}`;

/** A page as JSON. `answerOf` makes the answer with a page, of which the posts are `posts`. */
export function sendLongJson(
  request: Request,
  long: LongRead,
  answerOf: (page: RoomPage) => { posts: object[] },
  extra: ExtraHeaders,
): Response {
  const answer = answerOf(long.page);
  const version = versionOf(long, JSON.stringify(answer));
  const posts = mapChunks(long.chunks, (chunk) => answerOf({ ...long.page, posts: chunk }).posts);
  return sendTaggedChunks(request, version, jsonChunks(answer, "posts", posts), media.json, extra);
}

/** A page as Markdown. */
export function sendLongMarkdown(
  request: Request,
  base: string,
  long: LongRead,
  how: Parameters<typeof roomMarkdownChunks>[2],
  extra: ExtraHeaders,
): Response {
  const version = versionOf(long, [...roomMarkdownPieces(base, long.page, how)].join(""));
  const chunks = roomMarkdownChunks(base, long, how);
  return sendTaggedChunks(request, version, chunks, `${media.markdown}; charset=utf-8`, extra);
}
