/** Posting for tools: each post returns the posts that its author has not seen. */

import type { Caller } from "../../core/caller.ts";
import type { IdempotentCall } from "../../core/storage.ts";
import type { WaitOptions } from "../../core/waits.ts";
import { room_limits } from "../limits.ts";
import { cutAtWord } from "../../core/text.ts";
import { beginning, type Position } from "../positions.ts";
import type { RoomRecord } from "../presenters.ts";
import type { Rooms, SpeakRequest } from "../rooms.ts";
import type { OpenRoom, Post } from "../schema.ts";

/** A post, and the posts around it. */
export interface SpeakOutcome {
  room: RoomRecord;
  post: Post;
  /** Earlier posts that its author had not seen: those after `since`; without `since`, the latest. */
  missed: Post[];
  /** Later posts. */
  replies: Post[];
  /** Whether there is more after `next_since`. */
  more: boolean;
  /** `missed` and `replies` contain everything up to here: reading on from it skips nothing. */
  next_since: string;
}

export interface AnswerOutcome extends SpeakOutcome {
  /** The answered post; null for the goal of a room without posts. */
  answered: Post | null;
}

export interface AskOutcome extends SpeakOutcome {
  /** The key that closes the room opened for the question; null in an existing room. */
  host_key: string | null;
}

export interface TakePart extends SpeakRequest {
  /** The caller has seen everything up to here. */
  since?: Position | undefined;
}

export interface TakePartOptions extends WaitOptions {
  call?: IdempotentCall | undefined;
}

/** A question, and how to open a room for it. */
export interface AskRequest extends Omit<OpenRoom, "goal"> {
  question: string;
  /** The slug of an existing room; null opens a room for the question. */
  room: string | null;
}

export type Conversation = ReturnType<typeof createConversation>;

export function createConversation(rooms: Rooms) {
  /** Posts, and returns the posts before and after. With `wait_seconds`, waits for the first one after. */
  async function speak(
    caller: Caller,
    request: TakePart,
    { call, ...wait }: TakePartOptions = {},
  ): Promise<SpeakOutcome> {
    const { room, since } = request;
    // Validate `since` first, so that a rejected call never posts.
    const seen = since === undefined ? undefined : (await rooms.followFrom(room, since)).position;
    return around(await rooms.speak(caller, request, call), seen, wait);
  }

  async function around(post: Post, seen: string | undefined, wait: WaitOptions): Promise<SpeakOutcome> {
    const { room } = post;
    const [limit, chars_max] = [room_limits.mcp_posts_page_max, room_limits.mcp_posts_page_chars_max];
    const before =
      seen === undefined
        ? await rooms.read({ room, before: post.ts, limit: room_limits.mcp_posts_page_default, chars_max })
        : await rooms.read({ room, since: seen, limit, chars_max });
    const missed = before.posts.filter(({ ts }) => ts < post.ts);
    // A cursor after the post would skip unread posts before it: continue from the last one returned.
    if (seen !== undefined && before.more && before.next_since < post.ts) {
      return { room: before.room, post, missed, replies: [], more: true, next_since: before.next_since };
    }
    const { posts: replies, ...after } = await rooms.read({ room, since: post.ts, limit, chars_max }, wait);
    return { room: after.room, post, missed, replies, more: after.more, next_since: after.next_since };
  }

  return {
    speak,

    /** Posts an answer to the post `in_reply_to`; without it, to the first post of the room, or else to its goal. */
    async answer(caller: Caller, request: TakePart, options: TakePartOptions = {}): Promise<AnswerOutcome> {
      const { room, in_reply_to = null } = request;
      const answered = in_reply_to === null ? await firstPost(room) : await rooms.post(room, in_reply_to);
      const spoken = await speak(caller, { ...request, in_reply_to: in_reply_to ?? answered?.id }, options);
      // A repetition of the first post of a room finds that post: it answered the goal.
      if (spoken.post.id === answered?.id) {
        return { ...spoken, post: { ...spoken.post, in_reply_to: null }, answered: null };
      }
      return { ...spoken, answered };
    },

    /** Asks a question in a room. If `room` is null, opens one with the question as its first post, in one command. */
    async ask(caller: Caller, request: AskRequest, options: TakePartOptions = {}): Promise<AskOutcome> {
      const { question, room, ...opening } = request;
      if (room !== null) {
        const { name } = opening;
        return { ...(await speak(caller, { room, name, body: question }, options)), host_key: null };
      }
      const { call, ...wait } = options;
      const goal = cutAtWord(question, room_limits.goal_chars_max);
      const opened = await rooms.open(caller, { ...opening, goal }, { first_post: question, call });
      return { ...(await around(opened.first_post!, undefined, wait)), host_key: opened.host_key };
    },
  };

  async function firstPost(room: string): Promise<Post | null> {
    return (await rooms.read({ room, since: beginning, limit: 1 })).posts[0] ?? null;
  }
}
