/** Posting: each post returns the posts that its author has not seen, and a cursor that skips none. */

import type { Caller } from "../core/caller.ts";
import type { IdempotentCall } from "../core/storage.ts";
import type { WaitOptions } from "../core/waits.ts";
import { cutAtWord } from "../core/text.ts";
import { numberIn, timeIn, type Position } from "./positions.ts";
import type { RoomRecord, Spoken } from "./representations.ts";
import type { CloseRequest } from "./hosting.ts";
import type { SpeakRequest } from "./speak_request.ts";
import type { Rooms } from "./rooms.ts";
import type { ReadableSlug } from "./slug.ts";
import type { ClosedRoom, OpenRoom, Post } from "../api/rooms/rooms.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

export interface AskOutcome extends Spoken {
  /** The room opened for the question, and the key that closes it; null in an existing room. */
  opened: { room: RoomRecord; host_key: string | null } | null;
}

interface TakePart extends SpeakRequest {
  /** The caller has seen everything up to here. */
  since?: Position | undefined;
}

/** A question, and how to open a room for it. */
interface AskRequest extends Omit<OpenRoom, "goal"> {
  question: string;
  /** The slug of an existing room; null opens a room for the question. */
  room: string | null;
}

interface SpeakOptions extends WaitOptions {
  call?: IdempotentCall | undefined;
}

export type Conversation = ReturnType<typeof createConversation>;

const page = {
  limit: room_limits.mcp_posts_page_max,
  chars_max: room_internal_limits.mcp_posts_page_chars_max,
};

export function createConversation(rooms: Rooms) {
  /** Posts, and returns the posts around. With `wait_seconds`, waits for the first one after it. */
  async function speak(caller: Caller, request: TakePart, options: SpeakOptions = {}): Promise<Spoken> {
    const { since } = request;
    const room = await rooms.admit(caller, request.room);
    // Validate `since` first, so that a rejected call never posts. The command checks a number; a time needs no look-up.
    const seen =
      since === undefined ? null : (numberIn(since) ?? timeIn(since) ?? (await rooms.timeOf(room, since)));
    const words = typeof seen === "number" ? { ...request, read_to: seen } : request;
    return around(caller, room, await rooms.speak(caller, words, options.call), seen, options);
  }

  /** `seen`: the number or the time up to which the caller has read; null if unknown. */
  async function around(
    caller: Caller,
    room: ReadableSlug,
    post: Post,
    seen: number | string | null,
    wait: WaitOptions,
  ): Promise<Spoken> {
    const { ts, n } = post;
    const missed = seen === null ? null : [];
    const spoken: Spoken = {
      post,
      missed,
      replies: [],
      more: false,
      closed: false,
      next_since: ts,
      next_n: n,
    };
    const isOwn = rooms.ownPosts(caller.identity);
    // The posts of a room have consecutive numbers.
    if (seen !== null && (typeof seen === "number" ? seen < n - 1 : seen < ts)) {
      // Those before its own post are from before a removal.
      const { posts, more, next_since, next_n } = await rooms.read({ room, since: seen, ...page });
      spoken.missed = posts.filter((other) => other.n < n && !isOwn?.(other));
      // A cursor after the post would skip posts before it that were not returned: continue from the last one read.
      if (more && next_since < ts) return { ...spoken, more, next_since, next_n };
    }
    if (!wait.wait_seconds) return spoken;
    const after = await rooms.read({ room, since: n, ...page }, { ...wait, isOwn, reader: caller });
    const { posts: replies, more, next_since, next_n } = after;
    return { ...spoken, replies, more, next_since, next_n, closed: after.room.closed_at !== null };
  }

  return {
    speak,

    /** Posts an answer to the post `in_reply_to`; without it, to the first post of the room, or else to its goal. */
    async answer(caller: Caller, request: TakePart, options: SpeakOptions = {}): Promise<Spoken> {
      const in_reply_to =
        request.in_reply_to ?? (await rooms.post(await rooms.admit(caller, request.room), 1))?.n;
      return speak(caller, { ...request, in_reply_to }, options);
    },

    /** Closes a room. With `since`, returns the posts of others after it: no more will come. `next_n`: the number to read on from. */
    async close(
      caller: Caller,
      { since, ...request }: CloseRequest & Pick<TakePart, "since">,
      call?: IdempotentCall,
    ): Promise<{ closed: ClosedRoom; next_n: number }> {
      // With `since` it reads the room, too: a host key admits nobody.
      const room = await (since === undefined
        ? rooms.admitHost(caller, request.room, request.host_key)
        : rooms.admit(caller, request.room));
      // Validate `since` first, so that a rejected call closes nothing.
      const seen = since === undefined ? null : await rooms.timeOf(room, since);
      const closed = await rooms.close(caller, request, call);
      if (seen === null) return { closed, next_n: 0 };
      const isOwn = rooms.ownPosts(caller.identity);
      const { posts, more, next_since, next_n } = await rooms.read({ room, since: seen, ...page });
      await rooms.refuseFormer(caller, room);
      const missed = posts.filter((post) => post.id !== closed.last_word?.id && !isOwn?.(post));
      return { closed: { ...closed, missed, more, next_since }, next_n };
    },

    /** Asks a question in a room. If `room` is null, opens one with the question as its first post, in one command. */
    async ask(
      caller: Caller,
      request: AskRequest,
      { call, ...wait }: SpeakOptions = {},
    ): Promise<AskOutcome> {
      const { question, room, ...opening } = request;
      if (room !== null) {
        const { name } = opening;
        const spoken = await speak(caller, { room, name, body: question }, { call, ...wait });
        return { ...spoken, opened: null };
      }
      const goal = cutAtWord(question, room_limits.goal_chars_max);
      const opened = await rooms.open(caller, { ...opening, goal }, { call, first_post: question });
      const admitted = await rooms.admit(caller, opened.room.slug);
      return { ...(await around(caller, admitted, opened.first_post!, null, wait)), opened };
    },
  };
}
