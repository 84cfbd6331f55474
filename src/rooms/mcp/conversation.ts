/** Taking part in a room: speaking without missing what others said meanwhile, answering, asking. */

import type { Caller } from "../../core/caller.ts";
import type { WaitOptions } from "../../core/waits.ts";
import { room_limits } from "../limits.ts";
import { codePoints, firstCodePoints } from "../../core/text.ts";
import type { RoomRecord } from "../presenters.ts";
import type { Rooms, SpeakRequest } from "../rooms.ts";
import type { OpenRoom, Post } from "../schema.ts";

/** What happened around a post. */
export interface Spoken {
  room: RoomRecord;
  post: Post;
  /** What was said before it that its speaker had not seen: after `since`, or the latest where none was given. */
  missed: Post[];
  /** What was said after it. */
  replies: Post[];
  /** Whether there is more after `next_since`. */
  more: boolean;
  /** Everything up to here is in `missed` and `replies`: reading on from it skips nothing. */
  next_since: string;
}

export interface Answered extends Spoken {
  /** The post that was answered; null when it was the goal of a room without posts. */
  answered: Post | null;
}

export interface Asked extends Spoken {
  /** Closes the room that was opened for the question; null when it was asked in a room that was there. */
  host_key: string | null;
}

export interface TakePart extends SpeakRequest {
  /** A time, or a post's id: what the speaker has seen of the room. */
  since?: string | undefined;
}

/** A question, and how to open a room for it. */
export interface AskRequest extends Omit<OpenRoom, "goal"> {
  question: string;
  /** The room to ask it in; null opens one for it. */
  room: string | null;
}

const beginning = "1970-01-01T00:00:00.000Z";

export type Conversation = ReturnType<typeof createConversation>;

export function createConversation(rooms: Rooms) {
  /** Posts, and tells what was said before and after; with `wait_seconds` it waits for the first that comes after. */
  async function speak(caller: Caller, request: TakePart, wait: WaitOptions = {}): Promise<Spoken> {
    const { room, since } = request;
    // Found wanting before anything is posted: a refused call must not have spoken.
    const seen = since === undefined ? undefined : (await rooms.followFrom(room, since)).position;
    return around(await rooms.speak(caller, request), seen, wait);
  }

  async function around(post: Post, seen: string | undefined, wait: WaitOptions): Promise<Spoken> {
    const { room } = post;
    const [limit, chars_max] = [room_limits.mcp_posts_page_max, room_limits.mcp_posts_page_chars_max];
    const before =
      seen === undefined
        ? await rooms.read({ room, before: post.ts, limit: room_limits.mcp_posts_page_default, chars_max })
        : await rooms.read({ room, since: seen, limit, chars_max });
    const missed = before.posts.filter(({ ts }) => ts < post.ts);
    // A cursor behind the post would skip what stands between, so there is none until all of that has been told.
    if (seen !== undefined && before.more && before.next_since < post.ts) {
      return { room: before.room, post, missed, replies: [], more: true, next_since: before.next_since };
    }
    const after = await rooms.read({ room, since: post.ts, limit, chars_max }, wait);
    return {
      room: after.room,
      post,
      missed,
      replies: after.posts,
      more: after.more,
      next_since: after.next_since,
    };
  }

  return {
    speak,

    /** Posts an answer: to the post that `in_reply_to` names, else to the room's first, else to the goal on its door. */
    async answer(caller: Caller, request: TakePart, wait: WaitOptions = {}): Promise<Answered> {
      const { room, in_reply_to = null } = request;
      const answered = in_reply_to === null ? await firstPost(room) : await rooms.post(room, in_reply_to);
      const spoken = await speak(caller, { ...request, in_reply_to: in_reply_to ?? answered?.id }, wait);
      return { ...spoken, answered };
    },

    /** Asks a question: in a room, or in one that is opened for it, which is one act with the question's post. */
    async ask(caller: Caller, request: AskRequest, wait: WaitOptions = {}): Promise<Asked> {
      const { question, room, ...opening } = request;
      if (room !== null) {
        const { name } = opening;
        return { ...(await speak(caller, { room, name, body: question }, wait)), host_key: null };
      }
      const goal = cutAtWord(question, room_limits.goal_chars_max);
      const opened = await rooms.open(caller, { ...opening, goal }, { first_post: question });
      return { ...(await around(opened.first_post!, undefined, wait)), host_key: opened.host_key };
    },
  };

  async function firstPost(room: string): Promise<Post | null> {
    return (await rooms.read({ room, since: beginning, limit: 1 })).posts[0] ?? null;
  }
}

/** `text`, or its beginning of at most `chars_max` code points, cut between two words where there are any, and marked. */
export function cutAtWord(text: string, chars_max: number): string {
  if (codePoints(text) <= chars_max) return text;
  const begin = firstCodePoints(text, chars_max - 1);
  const cut = /^[^]*\S(?=\s+\S*$)/u.exec(begin)?.[0];
  return `${cut ?? begin}…`;
}
