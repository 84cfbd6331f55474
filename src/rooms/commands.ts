/** The write commands of rooms. They run in the writer thread on plain data; times and random values are in their inputs. */

import { room_errors } from "./errors.ts";
import { service_errors } from "../core/service_errors.ts";
import { isoTime, nextTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { room_limits } from "./limits.ts";
import type { Audit } from "../core/admin.ts";
import type { NameRules, Identity, SpeakAs } from "../core/caller.ts";
import { sameDigest } from "../core/secrets.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { noteWhomItConcerns, type NoteRules } from "./mentions.ts";
import { findPost, isRemoved, noSuchPost, postRemoved, type PostRef } from "./positions.ts";
import { roomFromRow, type RoomRecord } from "./presenters.ts";
import type { ClosedRoom, OpenRoom, Post } from "./schema.ts";
import { findDeleted } from "./admin_store.ts";
import * as store from "./store.ts";

/** What the commands of rooms need from other features. */
export interface RoomRules extends NoteRules, NameRules {
  audit: Audit;
  /** Settles the report of a post whose text is gone. `post`: its seq. */
  settleReport(tx: Tx, post: number, at: string): Promise<unknown>;
}

/** What commands need that post or open a room. */
export interface SpeakRules extends RoomRules {
  speakAs: SpeakAs;
}

export interface OpenInput extends Required<OpenRoom> {
  identity: Identity | null;
  /** Candidate slugs, in order. */
  slugs: string[];
  host_key_sha256: string;
  now_ms: number;
  /** A first post by the same name, in the same transaction. */
  first_post?: { id: string; body: string; salt: string };
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
}

export interface CloseInput {
  room: string;
  host_key_sha256: string;
  now_ms: number;
}

export interface ConcludeInput extends CloseInput {
  last_word: Omit<SpeakInput, keyof CloseInput | "in_reply_to">;
}

/** The topic that is published when a public room is opened. */
export const rooms_opened = "rooms.opened";

/** Opens a room. Fails only if every candidate slug is taken. */
export async function openRoom(
  tx: Tx,
  rules: SpeakRules,
  input: OpenInput,
): Promise<{ room: StoredRoom; first_post: Stored | null }> {
  const created = nextTime(input.now_ms, "1970-01-01T00:00:00.000Z");
  const { claimed } = await rules.speakAs(tx, input.identity, input.name, input.now_ms);
  let row: store.RoomRow | undefined;
  for (const slug of input.slugs) {
    row = await store.insertRoom(tx, {
      slug,
      goal: input.goal,
      host: input.name,
      host_claimed: claimed ? 1 : 0,
      visibility: input.visibility,
      host_key_sha256: input.host_key_sha256,
      created,
      author: claimed && input.visibility === "public" ? input.identity!.canonical : null,
    });
    if (row) break;
  }
  if (!row)
    throw new ServiceError(service_errors.storage_busy, "No free address was found for the room; ask again.");
  if (row.visibility === "public") {
    await store.counters.add(tx, "rooms_open_public", 1);
    tx.announce(rooms_opened);
  }
  tx.announce(`room:${row.slug}`);
  if (!input.first_post) return { room: storedRoom(row), first_post: null };
  const first_post = await addPost(tx, row, {
    ...input.first_post,
    identity: input.identity,
    claimed,
    name: input.name,
    answered: undefined,
    now_ms: input.now_ms,
  });
  await noteWhomItConcerns(tx, rules, row, first_post, undefined);
  return { room: storedRoom((await store.findRoom(tx, row.slug))!), first_post: stored(first_post) };
}

/**
 * A new room. Stored for idempotency keys, so it has neither goal nor name, which a deletion erases. (Earlier releases stored
 * whole records.)
 */
type StoredRoom = Omit<RoomRecord, "goal" | "host"> & { host: Pick<RoomRecord["host"], "claimed"> };

function storedRoom(row: store.RoomRow): StoredRoom {
  const { goal: _goal, host, ...room } = roomFromRow(row);
  return { ...room, host: { claimed: host.claimed } };
}

/**
 * The members of a new post that only the writer knows. Stored for idempotency keys, so it has neither text nor salt, which
 * a redaction destroys. (Earlier releases stored whole posts, or no `n` and `in_reply_to`.)
 */
export type Stored = Pick<Post, "id" | "n" | "ts" | "claimed" | "in_reply_to">;

const stored = ({ id, n, ts, claimed, in_reply_to }: Post): Stored => ({ id, n, ts, claimed, in_reply_to });

/** Stores a post. Its `ts` is later than every earlier event of the room. */
export async function speak(tx: Tx, rules: SpeakRules, input: SpeakInput): Promise<Stored> {
  const room = (await store.findRoomState(tx, input.room)) ?? (await noRoom(tx, input.room));
  if (room.closed_at) {
    throw new ServiceError(room_errors.room_closed, "This room is closed: nobody can speak in it any more.");
  }
  const { in_reply_to } = input;
  const answered = in_reply_to === null ? undefined : await findPost(tx, room.seq, in_reply_to);
  if (in_reply_to !== null && !answered) {
    const whole = await roomOrFailure(tx, room.slug);
    if (await isRemoved(tx, whole, in_reply_to)) throw postRemoved(whole);
    throw invalidFields([{ path: "/in_reply_to", message: noSuchPost(whole, in_reply_to) }]);
  }
  const { claimed } = await rules.speakAs(tx, input.identity, input.name, input.now_ms);
  const post = await addPost(tx, room, { ...input, claimed, answered });
  await noteWhomItConcerns(tx, rules, room, post, answered);
  return stored(post);
}

type NewPost = Omit<SpeakInput, "room" | "in_reply_to"> & {
  claimed: boolean;
  /** The post that it replies to. */
  answered: store.PostRow | undefined;
};

async function addPost(tx: Tx, room: store.RoomState, post: NewPost): Promise<Post> {
  const ts = nextTime(post.now_ms, room.changed);
  // If the latest time of the room is far ahead of the clock, list the room by service time like the others.
  const is_far_ahead = Date.parse(ts) - post.now_ms > room_limits.room_activity_ahead_ms_max;
  if (!(await store.countPost(tx, room, ts, is_far_ahead ? isoTime(post.now_ms) : ts))) throw new Overtaken();
  // No other post has this number: the count is that of the room's version which `countPost` has just checked.
  const n = room.posts + 1;
  await store.insertPost(tx, {
    id: post.id,
    room: room.seq,
    n,
    ts,
    name: post.name,
    claimed: post.claimed ? 1 : 0,
    author: post.claimed && room.visibility === "public" ? post.identity!.canonical : null,
    in_reply_to: post.answered?.id ?? null,
    in_reply_to_n: post.answered?.n ?? null,
    body: post.body,
    salt: post.salt,
  });
  tx.announce(`room:${room.slug}`);
  return {
    id: post.id,
    n,
    ts,
    room: room.slug,
    name: post.name,
    claimed: post.claimed,
    in_reply_to: post.answered?.id ?? null,
    body: post.body,
  };
}

/**
 * Sets the activity of rooms to `now` if it is later, after the clock was set back. Otherwise these rooms would be listed
 * first until the clock catches up. Returns whether there may be more.
 */
export async function limitActivity(tx: Tx, now: string): Promise<boolean> {
  const rooms = await store.limitActivity(tx, now, room_limits.rooms_clamped_per_command);
  for (const { slug } of rooms) tx.announce(`room:${slug}`);
  return rooms.length === room_limits.rooms_clamped_per_command;
}

type Closed = Omit<ClosedRoom, "last_word">;

/** Closes a room. Closing it again gives the same answer. */
export const closeRoom = async (tx: Tx, input: CloseInput): Promise<Closed> =>
  close(tx, await hostedRoom(tx, input), input.now_ms);

/** Closes an open room. */
export async function close(tx: Tx, room: store.RoomRow, now_ms: number): Promise<Closed> {
  if (room.closed_at) return { slug: room.slug, closed: true, closed_at: room.closed_at };
  const closed_at = nextTime(now_ms, room.changed);
  if (!(await store.markClosed(tx, room, closed_at))) throw new Overtaken();
  if (room.visibility === "public") {
    await store.counters.add(tx, "rooms_open_public", -1);
    await store.counters.add(tx, "rooms_closed_public", 1);
  }
  tx.announce(`room:${room.slug}`);
  return { slug: room.slug, closed: true, closed_at };
}

/** Posts a last word and closes the room. Refused in a closed room. */
export async function concludeRoom(
  tx: Tx,
  rules: SpeakRules,
  { last_word, ...input }: ConcludeInput,
): Promise<Closed & { last_word: Stored }> {
  await hostedRoom(tx, input);
  const { room, now_ms } = input;
  const stored = await speak(tx, rules, { ...last_word, room, in_reply_to: null, now_ms });
  return { ...(await closeRoom(tx, input)), last_word: stored };
}

/** The room with this slug. Throws `room_not_found` or `room_deleted`. */
export const roomOrFailure = async (tx: Tx, slug: string): Promise<store.RoomRow> =>
  (await store.findRoom(tx, slug)) ?? noRoom(tx, slug);

async function noRoom(tx: Tx, slug: string): Promise<never> {
  const deleted = await findDeleted(tx, slug);
  if (deleted) {
    const { because } = deleted;
    const detail =
      because === null ? "The operator deleted this room." : `This room was deleted: ${because}.`;
    throw new ServiceError(room_errors.room_deleted, detail);
  }
  throw new ServiceError(room_errors.room_not_found, "There is no room with that address.");
}

/** The room whose host key has this hash. Throws `wrong_host_key`. */
export async function hostedRoom(tx: Tx, input: Omit<CloseInput, "now_ms">): Promise<store.RoomRow> {
  const room = await roomOrFailure(tx, input.room);
  if (!sameDigest(room.host_key_sha256, input.host_key_sha256)) {
    throw new ServiceError(room_errors.wrong_host_key, "The room has another host key.");
  }
  return room;
}
