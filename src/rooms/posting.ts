/** The rules of a new post. Posts that come together are checked one after the other, and read and stored together. */

import type { FindSpeakers, Identity } from "../core/caller.ts";
import { isoTime, nextMs } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { commandOf, outcomesOf, type Outcome, type Tx } from "../core/storage.ts";
import { finderOf } from "../storage/lists.ts";
import { checkLatest } from "./condition.ts";
import { room_errors } from "./errors.ts";
import { noRoom, roomOrFailure } from "./lookup.ts";
import { MentionedMembers } from "./members/adding.ts";
import { mayPostIn, readableSlug, rolesOf, type AdmissionRules } from "./members/roles.ts";
import { mayConcern, noteWhomTheyConcern, type MentionOutcomes, type NoteRules } from "./mentions.ts";
import { findPost, isRemoved, names, noSuchPost, postRemoved, type PostRef } from "./positions.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { brakesFor, watchedRooms } from "./pace/brakes.ts";
import { countPosts, type GrownRoom } from "./growth_store.ts";
import type { Elsewhere } from "./pace/brake.ts";
import { storedPace, type InstancePace } from "./pace/pace.ts";
import * as store from "./posts_store.ts";
import { visibilityOf, type RoomState } from "./store.ts";
import { room_internal_limits } from "./limits.ts";

/** What posting needs from other features. */
export interface PostRules extends NoteRules, AdmissionRules {
  findSpeakers: FindSpeakers;
  countCommand(tx: Tx, identity: Identity, at: string, times?: number): Promise<void>;
}

export interface SpeakInput {
  identity: Identity | null;
  room: string;
  id: string;
  name: string;
  body: string;
  /** 128 random bits in hex. */
  salt: string;
  in_reply_to: PostRef | null;
  now_ms: number;
  /** The number of the latest post that the author has read; 0 for none. */
  read_to?: number;
  /** Posts only if others have not posted after the post with this number; 0: at all. */
  if_latest?: number;
  /** The pace of rooms that have none of their own. */
  instance_pace?: InstancePace;
  /** What the same few names have posted in other rooms. */
  elsewhere?: Elsewhere;
  /** Makes no note and ends no wait. */
  quiet?: boolean;
  /** Makes the claimed names that the post mentions members of the private room. For its hosts. */
  add_members?: boolean;
}

/**
 * The members of a new post that only the writer knows. Stored for idempotency keys, so it has neither text nor salt, which
 * a redaction destroys. (Earlier releases stored whole posts, or no `n` and `in_reply_to`.)
 */
export type Stored = Pick<Post, "id" | "n" | "ts" | "claimed" | "in_reply_to"> & MentionOutcomes & OwnPace;

/** Whether the host of the room has chosen its pace. Not shown. */
interface OwnPace {
  own_pace?: true;
}

/** What is shown of a new post. */
export const withoutOwnPace = ({ own_pace: _own_pace, ...shown }: Stored): Omit<Stored, "own_pace"> => shown;

const stored = ({ id, n, ts, claimed, in_reply_to }: Post): Stored => ({
  id,
  n,
  ts,
  claimed,
  in_reply_to,
});

/** A new post that is not stored yet. */
interface NewPost {
  room: RoomState;
  row: store.NewPostRow;
  /** The part of it that the command returns. */
  result: Stored;
  /** The claimed name that wrote it. */
  identity: Identity | null;
  answered: store.AnsweredPost | undefined;
  now_ms: number;
}

/** New posts of some rooms, in memory until `store`. A post counts at once for the posts that are added after it. */
export class NewPosts {
  readonly #posts: NewPost[] = [];
  /** Each room as it is with its new posts. */
  readonly #rooms: readonly GrownRoom[];

  /** The room with its new posts. */
  readonly room: (slug: string) => GrownRoom | undefined;

  constructor(rooms: readonly RoomState[]) {
    this.#rooms = rooms.map((room) => ({
      seq: room.seq,
      slug: room.slug,
      visibility: room.visibility,
      closed_at: room.closed_at,
      posts: room.posts,
      active_second: room.active_second,
      changed: room.changed,
      pace: room.pace,
      slowed_until: room.slowed_until,
      was_changed: room.changed,
      last_active: "",
      coming: 0,
      is_paced: false,
    }));
    this.room = finderOf(this.#rooms, ({ slug }) => slug);
  }

  /** The new post of this room that `ref` names. */
  find(slug: string, ref: PostRef): store.AnsweredPost | undefined {
    return this.#posts.find(({ room, row }) => room.slug === slug && names(ref, row))?.row;
  }

  /** The new posts of this room. */
  of(slug: string): store.NewPostRow[] {
    return this.#posts.filter(({ room }) => room.slug === slug).map(({ row }) => row);
  }

  /** Adds a post. Its `ts` is later than every earlier event of the room. */
  add(
    post: Pick<SpeakInput, "identity" | "room" | "id" | "name" | "body" | "salt" | "now_ms" | "quiet">,
    claimed: boolean,
    answered?: store.AnsweredPost,
  ): Stored {
    const { id, name, body, salt, identity, now_ms } = post;
    const room = this.room(post.room)!;
    const ts_ms = nextMs(now_ms, room.changed);
    const ts = isoTime(ts_ms);
    // If the latest time of the room is far ahead of the clock, list the room by service time like the others.
    const is_far_ahead = ts_ms - now_ms > room_internal_limits.room_activity_ahead_ms_max;
    room.last_active = is_far_ahead ? isoTime(now_ms) : ts;
    room.changed = ts;
    // No other post has this number: storing checks that the room is still the version whose posts are counted here.
    room.posts++;
    const row: store.NewPostRow = {
      id,
      room: room.seq,
      n: room.posts,
      ts,
      name,
      claimed: claimed ? 1 : 0,
      author: claimed ? store.authorIn(visibilityOf(room), identity!.canonical) : null,
      in_reply_to: answered?.id ?? null,
      in_reply_to_n: answered?.n ?? null,
      body,
      salt,
    };
    if (post.quiet) row.quiet = 1;
    const result = stored(postOf(room, row));
    this.#posts.push({ room, row, result, identity: claimed ? identity : null, answered, now_ms });
    return result;
  }

  /**
   * Stores the posts and the members that they add, puts notes for those whom they concern, and adds to the results what became of
   * mentions. Throws `Overtaken`.
   */
  async store(tx: Tx, rules: PostRules, members?: MentionedMembers | null): Promise<void> {
    if (this.#posts.length === 0) return;
    const grown = this.#rooms.filter(({ changed, was_changed }) => changed !== was_changed);
    await Promise.all([
      countPosts(tx, grown),
      this.#posts.some(({ identity }) => identity !== null) && this.#countSpeakers(tx, rules),
      store.insertPosts(
        tx,
        this.#posts.map(({ row }) => row),
      ),
    ]);
    for (const { slug } of grown) tx.announce(`room:${slug}`);
    const added = await members?.store(tx);
    const concerning = this.#posts.filter(({ row, answered }) => mayConcern(row.body, answered));
    if (concerning.length === 0) return;
    const mentioned = await noteWhomTheyConcern(
      tx,
      rules,
      concerning.map(({ room, row, answered }) => ({ room, post: postOf(room, row), answered })),
      added,
    );
    for (const [i, { result }] of concerning.entries()) Object.assign(result, mentioned[i]);
  }

  /** Counts the posts as activity of the claimed names that wrote them. */
  async #countSpeakers(tx: Tx, { countCommand }: PostRules): Promise<void> {
    const claimed = this.#posts.filter(({ identity }) => identity !== null);
    const byName = Map.groupBy(claimed, ({ identity }) => identity!.canonical);
    for (const posts of byName.values()) {
      const latest_ms = Math.max(...posts.map(({ now_ms }) => now_ms));
      await countCommand(tx, posts[0]!.identity!, isoTime(latest_ms), posts.length);
    }
  }
}

const postOf = ({ slug: room }: RoomState, row: store.NewPostRow): Post => {
  const { id, n, ts, name, in_reply_to, body } = row;
  const post: Post = { id, n, ts, room, name, claimed: row.claimed === 1, in_reply_to, body };
  if (row.quiet) post.quiet = true;
  return post;
};

/** Posts in rooms. */
export async function speakAll(tx: Tx, rules: PostRules, inputs: SpeakInput[]): Promise<Outcome<Stored>[]> {
  const [rooms, claims, roles] = await Promise.all([
    store.findRoomStates(
      tx,
      inputs.map(({ room }) => room),
    ),
    rules.findSpeakers(tx, inputs),
    rolesOf(tx, rules, inputs),
  ]);
  const new_posts = new NewPosts(rooms);
  const answered: (store.AnsweredPost | undefined)[] = [];
  if (inputs.some(({ in_reply_to }) => in_reply_to !== null)) {
    const finding = inputs.map(async ({ room: slug, in_reply_to }, i) => {
      const room = in_reply_to === null ? undefined : new_posts.room(slug);
      if (room) answered[i] = await findPost(tx, room.seq, in_reply_to!);
    });
    await Promise.all(finding);
  }
  const watched = watchedRooms(tx, new_posts.room, inputs);
  const brakes = watched === null ? null : await brakesFor(tx, rules, watched, inputs);
  let members: MentionedMembers | null = null;
  const add = (input: SpeakInput, i: number, room: RoomState): Stored | Promise<Stored> => {
    const { in_reply_to, read_to = 0 } = input;
    brakes?.check(input);
    if (read_to < 0 || read_to > room.posts) return noneRead(tx, room, read_to);
    if (in_reply_to !== null) {
      answered[i] ??= new_posts.find(input.room, in_reply_to);
      if (!answered[i]) return noAnswered(tx, room, in_reply_to);
    }
    const { claimed } = claims(i);
    if (!input.add_members) return addNow(input, i, room, claimed);
    members ??= new MentionedMembers();
    return members
      .add(tx, rules, room, roles?.[i] ?? null, input)
      .then(() => addNow(input, i, room, claimed));
  };
  const addNow = (input: SpeakInput, i: number, room: RoomState, claimed: boolean): Stored => {
    const post = new_posts.add(input, claimed, answered[i]);
    if (room.pace !== null && storedPace(room.pace).chosen !== undefined) post.own_pace = true;
    brakes?.count(input, post);
    return post;
  };
  const outcomes = await outcomesOf(inputs, (input, i) => {
    const room = new_posts.room(input.room);
    if (!room) return noRoom(tx, input.room);
    if (roles) mayPostIn(room.slug, roles[i]!);
    if (room.closed_at) {
      throw new ServiceError(
        room_errors.room_closed,
        "This room is closed: nobody can speak in it any more.",
      );
    }
    const { if_latest, identity } = input;
    if (if_latest === undefined) return add(input, i, room);
    const condition = { if_latest, identity };
    return checkLatest(tx, rules, room, condition, new_posts.of(room.slug)).then(() => add(input, i, room));
  });
  await new_posts.store(tx, rules, members);
  await brakes?.settle(tx);
  return outcomes;
}

/** Stores a post. */
export const speak = (tx: Tx, rules: PostRules, input: SpeakInput): Promise<Stored> =>
  commandOf((_tx, inputs: SpeakInput[]) => speakAll(tx, rules, inputs))(tx, input);

/** Throws the error for an author who has read a post that is not there. */
async function noneRead(tx: Tx, { slug, posts }: RoomState, read_to: number): Promise<never> {
  const room = await roomOrFailure(tx, readableSlug(slug));
  throw invalidFields([{ path: "/since", message: noSuchPost({ ...room, posts }, read_to) }]);
}

/** Throws the error for a reply to a post that is not there. */
async function noAnswered(tx: Tx, { slug, posts }: RoomState, given: PostRef): Promise<never> {
  const room = await roomOrFailure(tx, readableSlug(slug));
  if (isRemoved(room, given)) throw postRemoved(room);
  throw invalidFields([{ path: "/in_reply_to", message: noSuchPost({ ...room, posts }, given) }]);
}
