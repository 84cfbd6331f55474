/** The write commands of rooms. They run in the writer thread on plain data; times and random values are in their inputs. */

import { room_errors } from "./errors.ts";
import { service_errors } from "../core/service_errors.ts";
import { isoTime, nextTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { room_limits } from "./limits.ts";
import type { NameRules, Identity, SpeakAs } from "../core/caller.ts";
import { sameDigest, sha256Hex } from "../core/secrets.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { noteWhomItConcerns, type NoteRules } from "./mentions.ts";
import { findPost, noSuchPost, type PostRef } from "./positions.ts";
import { roomFromRow, type RoomRecord } from "./presenters.ts";
import type { ClosedRoom, OpenRoom, Post } from "./schema.ts";
import { forgetPost } from "./search.ts";
import * as store from "./store.ts";

/** What the commands of rooms need from other features. */
export interface RoomRules extends NoteRules, NameRules {}

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

export interface RedactInput {
  room: string;
  post: PostRef;
  /** Who redacts: the room's host, or the claimed name that wrote the post. */
  by: { host_key_sha256: string } | { author: Identity };
  /** For a post from an earlier release without salts. */
  salt: string;
  now_ms: number;
}

/** The topic that is published when a public room is opened. */
export const rooms_opened = "rooms.opened";

/** Opens a room. Fails only if every candidate slug is taken. */
export async function openRoom(
  tx: Tx,
  rules: SpeakRules,
  input: OpenInput,
): Promise<{ room: RoomRecord; first_post: Stored | null }> {
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
  if (!input.first_post) return { room: roomFromRow(row), first_post: null };
  const first_post = await addPost(tx, row, {
    ...input.first_post,
    claimed,
    name: input.name,
    answered: undefined,
    now_ms: input.now_ms,
  });
  await noteWhomItConcerns(tx, rules, row, first_post, undefined);
  return { room: roomFromRow((await store.findRoom(tx, row.slug))!), first_post: stored(first_post) };
}

/**
 * The members of a new post that only the writer knows. Stored for idempotency keys, so it has neither text nor salt, which
 * a redaction destroys. (Earlier releases stored whole posts, or no `n` and `in_reply_to`.)
 */
export type Stored = Pick<Post, "id" | "n" | "ts" | "claimed" | "in_reply_to">;

const stored = ({ id, n, ts, claimed, in_reply_to }: Post): Stored => ({ id, n, ts, claimed, in_reply_to });

/** Stores a post. Its `ts` is later than every earlier event of the room. */
export async function speak(tx: Tx, rules: SpeakRules, input: SpeakInput): Promise<Stored> {
  const room = found(await store.findRoomState(tx, input.room));
  if (room.closed_at) {
    throw new ServiceError(room_errors.room_closed, "This room is closed: nobody can speak in it any more.");
  }
  const { in_reply_to } = input;
  const answered = in_reply_to === null ? undefined : await findPost(tx, room.seq, in_reply_to);
  if (in_reply_to !== null && !answered) {
    throw invalidFields([{ path: "/in_reply_to", message: noSuchPost(room, in_reply_to) }]);
  }
  const { claimed } = await rules.speakAs(tx, input.identity, input.name, input.now_ms);
  const post = await addPost(tx, room, { ...input, claimed, answered });
  await noteWhomItConcerns(tx, rules, room, post, answered);
  return stored(post);
}

type NewPost = Omit<SpeakInput, "room" | "identity" | "in_reply_to"> & {
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
export async function closeRoom(tx: Tx, input: CloseInput): Promise<Closed> {
  const room = await hostedRoom(tx, input);
  if (room.closed_at) return { slug: room.slug, closed: true, closed_at: room.closed_at };
  const closed_at = nextTime(input.now_ms, room.changed);
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

/**
 * Deletes the text of a post, its salt and its words in the index. Leaves a tombstone with a commitment to the text.
 * Redacting it again gives the same answer.
 */
export async function redactPost(tx: Tx, rules: RoomRules, input: RedactInput): Promise<Post> {
  const { by } = input;
  const room =
    "author" in by ? await roomOrFailure(tx, input.room) : await hostedRoom(tx, { ...input, ...by });
  const post = await findPost(tx, room.seq, input.post, true);
  if (!post)
    throw new ServiceError(room_errors.post_not_found, "This room has no post with that number or id.");
  const at = nextTime(input.now_ms, room.changed);
  if ("author" in by) await checkAuthor(tx, rules, post, by.author);
  if (post.redacted) return store.postFromRow(post, room.slug);
  if (!(await store.markChanged(tx, room, at))) throw new Overtaken();
  const who = "author" in by ? "author" : "host";
  const commitment = commitmentTo(post.body!, post.salt ?? input.salt);
  const redacted = await store.redactPost(tx, post, who, at, commitment);
  if (!redacted) throw new Overtaken();
  await forgetPost(tx, post.seq, post.body!, room.seq);
  tx.erases();
  if ("author" in by) await rules.countCommand(tx, by.author, at);
  tx.announce(`room:${room.slug}`);
  return store.postFromRow(redacted, room.slug);
}

/** The commitment in a tombstone. It reveals nothing of the text; with text and salt, anybody can verify it. */
const commitmentTo = (body: string, salt: string): string => sha256Hex(`${salt}:${body}`);

async function checkAuthor(tx: Tx, rules: RoomRules, post: store.PostRow, author: Identity): Promise<void> {
  await rules.checkKey(tx, author);
  if (post.claimed === 1 && rules.canonicalName(post.name) === author.canonical) return;
  throw new ServiceError(room_errors.not_your_post, "That post was not written under your claimed name.");
}

/** The room with this slug. Throws `room_not_found`. */
export const roomOrFailure = async (tx: Tx, slug: string): Promise<store.RoomRow> =>
  found(await store.findRoom(tx, slug));

function found<Row>(room: Row | undefined): Row {
  if (room) return room;
  throw new ServiceError(room_errors.room_not_found, "There is no room with that address.");
}

async function hostedRoom(tx: Tx, input: Omit<CloseInput, "now_ms">): Promise<store.RoomRow> {
  const room = await roomOrFailure(tx, input.room);
  if (!sameDigest(room.host_key_sha256, input.host_key_sha256)) {
    throw new ServiceError(room_errors.wrong_host_key, "The room has another host key.");
  }
  return room;
}
