/**
 * The brake of one room: whether the few names that speak there are slowed down, as its latest posts and its pace decide.
 *
 * The latest `posts` posts of a room, made within `window_seconds` by at most `names` names, slow these names down: from then on each
 * post of one of them is at least `spacing_seconds` later than the latest post by one of them. That ends with a post by a name that
 * makes more than `names`, or when the host sets the pace. Only later posts count after that.
 */

import { isoTime } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Pace } from "../../api/rooms/pace.ts";
import type { GrownRoom } from "../growth_store.ts";
import { room_errors } from "../errors.ts";
import { room_internal_limits } from "../limits.ts";
import { paceText, type StoredPace } from "./pace.ts";

/** What the few names that speak in a room have posted in other rooms within the window. */
export interface Elsewhere {
  posts: number;
  /** When they made the latest of these posts; 0 if they are not slowed down for them yet. */
  last_ms: number;
  /** Nobody has posted in this room lately: the post has to wait, and does not slow the room down. */
  is_new_here?: true;
}

/** A post of the room, with the canonical name of its author. */
export interface PacedPost {
  n: number;
  ts_ms: number;
  name: string;
}

/** The latest posts by few names within the window. */
interface Run {
  posts: number;
  last_ms: number;
  /** The number of the latest post of each name. */
  names: Map<string, number>;
}

/** When names were slowed down in a room, and until when at first. */
export interface Onset {
  at: string;
  until: string;
  pace: Pace;
}

/** The wait for names that are slowed down. */
function slowDown(pace: Pace, until_ms: number, now_ms: number, where = "here"): ServiceError {
  const seconds = Math.ceil((until_ms - now_ms) / 1000);
  const { posts, window_seconds, spacing_seconds, names } = pace;
  const by = names === 1 ? "One name" : `At most ${names} names`;
  return new ServiceError(
    room_errors.slow_down,
    `${by} alone made ${posts} posts within ${window_seconds} s ${where}, so each waits ${spacing_seconds} s after the latest ` +
      `of their posts. Post again in ${seconds} s.`,
    {
      retry_after_seconds: seconds,
      members: { pace, slowed_until: isoTime(until_ms) },
    },
  );
}

export class Brake {
  readonly #room: GrownRoom;
  readonly #pace: Pace | null;
  #stored: Readonly<StoredPace>;
  /** The names that are slowed down, with the number of the latest post of each. */
  readonly #slowed: Map<string, number>;
  /** The latest posts that count, at most as many as the pace counts; the latest is the last. */
  #posts: PacedPost[] = [];
  /** The posts that slowed names down in the room, where nobody was slowed down before. */
  readonly onsets: Onset[] = [];

  constructor(
    room: GrownRoom,
    pace: Pace | null,
    stored: Readonly<StoredPace>,
    slowed: ReadonlyMap<string, number>,
  ) {
    this.#room = room;
    this.#pace = pace;
    this.#stored = stored;
    this.#slowed = new Map(slowed);
  }

  /** Whether every post by `name` is refused now, whatever the latest posts are. */
  refuses(name: string, now_ms: number): boolean {
    return this.#slowed.has(name) && this.#pace !== null && isEarly(this.#untilMs(), now_ms, this.#pace);
  }

  /** Takes the latest posts, in the order of their numbers. */
  take(posts: PacedPost[]): void {
    this.#posts = posts;
  }

  #untilMs(): number {
    return this.#room.slowed_until === null ? 0 : Date.parse(this.#room.slowed_until);
  }

  /** The latest posts by at most `names` names, among them `name`, none earlier than the window before `at_ms`. */
  #run({ names, window_seconds }: Pace, at_ms: number, name?: string): Run {
    const run: Run = { posts: 0, last_ms: this.#posts.at(-1)?.ts_ms ?? 0, names: new Map() };
    const seen = new Set(name === undefined ? [] : [name]);
    for (let i = this.#posts.length - 1; i >= 0; i--) {
      const post = this.#posts[i]!;
      if (at_ms - post.ts_ms > window_seconds * 1000) break;
      seen.add(post.name);
      if (seen.size > names) break;
      if (!run.names.has(post.name)) run.names.set(post.name, post.n);
      run.posts++;
    }
    return run;
  }

  /** Throws `slow_down` if a post by `name` comes too early. */
  check(name: string, now_ms: number, in_others: Elsewhere | undefined): void {
    const pace = this.#pace;
    if (pace === null) return;
    const elsewhere = this.#counted(in_others);
    const spacing_ms = pace.spacing_seconds * 1000;
    let until_ms = 0;
    if (this.#slowed.has(name)) {
      until_ms = Math.max(this.#untilMs(), elsewhere ? elsewhere.last_ms + spacing_ms : 0);
    } else if (elsewhere) {
      const { posts, last_ms } = this.#run(pace, now_ms, name);
      if (posts + elsewhere.posts >= pace.posts)
        until_ms = Math.max(posts > 0 ? last_ms : 0, elsewhere.last_ms) + spacing_ms;
    }
    if (isEarly(until_ms, now_ms, pace))
      throw slowDown(pace, until_ms, now_ms, elsewhere && in_several_rooms);
  }

  /** A room with a pace of its own counts its own posts only. */
  #counted(elsewhere: Elsewhere | undefined): Elsewhere | undefined {
    return this.#stored.chosen === undefined ? elsewhere : undefined;
  }

  /** Counts a new post, which is among those of the room. */
  count(post: PacedPost, in_others: Elsewhere | undefined): void {
    const pace = this.#pace;
    const elsewhere = in_others?.is_new_here ? undefined : this.#counted(in_others);
    if (pace === null) return this.#lift(post.n);
    this.#posts.push(post);
    if (this.#posts.length > pace.posts) this.#posts.shift();
    const is_slowed = this.#room.slowed_until !== null;
    const is_held = this.#slowed.has(post.name);
    if (is_slowed) {
      const names = new Set(this.#slowed.keys());
      for (const { name } of this.#posts) names.add(name);
      if (names.size > pace.names) return this.#lift(post.n);
      if (is_held) this.#slowed.set(post.name, post.n);
    }
    const run = this.#run(pace, post.ts_ms);
    const is_reached = run.posts + (elsewhere?.posts ?? 0) >= pace.posts;
    if (is_reached) for (const [name, n] of run.names) this.#slowed.set(name, n);
    if (!is_reached && !is_held) return;
    const until = isoTime(post.ts_ms + pace.spacing_seconds * 1000);
    if (!is_slowed) this.onsets.push({ at: isoTime(post.ts_ms), until, pace });
    // Otherwise a name that posts beside those who are slowed down would be at once, for their posts.
    if (is_reached) this.#posts = [];
    const after = is_reached ? post.n : this.#stored.after;
    this.#set({ ...this.#stored, after, slowed: [...this.#slowed.values()] }, until);
  }

  /** Slows nobody down any more. Only posts after number `n` count. */
  #lift(n: number): void {
    this.#slowed.clear();
    this.#posts = [];
    const { chosen } = this.#stored;
    this.#set({ chosen, after: n }, null);
  }

  #set(stored: StoredPace, until: string | null): void {
    this.#stored = stored;
    this.#room.pace = paceText(stored);
    this.#room.slowed_until = until;
    this.#room.is_paced = true;
  }

  /** The first number of a post that can slow the room down; undefined if the room has changed its pace. */
  nextNumber(): number | undefined {
    const last = this.#posts.at(-1);
    if (this.#pace === null || !last || this.#room.is_paced) return undefined;
    return last.n + this.#pace.posts - this.#run(this.#pace, last.ts_ms).posts;
  }
}

const in_several_rooms = "in several rooms";

/** Throws `slow_down` if a room is opened too early, because of the posts of its opener in others. */
export function checkOpening(pace: Pace, { last_ms }: Elsewhere, now_ms: number): void {
  const until_ms = last_ms + pace.spacing_seconds * 1000;
  if (isEarly(until_ms, now_ms, pace)) throw slowDown(pace, until_ms, now_ms, in_several_rooms);
}

/** Whether a post comes before `until_ms`. */
const isEarly = (until_ms: number, now_ms: number, { spacing_seconds }: Pace): boolean =>
  until_ms > now_ms &&
  until_ms - now_ms <= spacing_seconds * 1000 + room_internal_limits.paced_post_ahead_ms_max;
