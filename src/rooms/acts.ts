/** The acts of rooms: what changes one. Each runs in the writer, by name, on plain data; time and chance come with it. */

import { nextTime } from "../clock.ts";
import { invalidFields, ServiceError } from "../errors.ts";
import { sameDigest, sha256Hex } from "../secret.ts";
import { Overtaken, type Tx } from "../storage/port.ts";
import { roomFromRow, type RoomRecord } from "./record.ts";
import type { ClosedRoom, Post, Visibility } from "./schema.ts";
import { forgetPost } from "./search.ts";
import * as store from "./store.ts";

export interface OpenInput {
  goal: string;
  name: string;
  visibility: Visibility;
  /** Slugs to try in order. */
  slugs: string[];
  host_key_sha256: string;
  now_ms: number;
  /** A first post that is part of the same act, by the same name. */
  first_post?: { id: string; body: string };
}

export interface SpeakInput {
  room: string;
  id: string;
  name: string;
  body: string;
  /** The id of a post of the same room, or null. */
  in_reply_to: string | null;
  now_ms: number;
}

export interface CloseInput {
  room: string;
  host_key_sha256: string;
  now_ms: number;
}

export interface RedactInput extends CloseInput {
  id: string;
}

/** Opens a room. Fails when every slug is taken, which needs chance to repeat itself three times. */
export async function openRoom(
  tx: Tx,
  input: OpenInput,
): Promise<{ room: RoomRecord; first_post: Post | null }> {
  const created = nextTime(input.now_ms, "1970-01-01T00:00:00.000Z");
  let row: store.RoomRow | undefined;
  for (const slug of input.slugs) {
    row = await store.insertRoom(tx, {
      slug,
      goal: input.goal,
      host: input.name,
      host_claimed: 0,
      visibility: input.visibility,
      host_key_sha256: input.host_key_sha256,
      created,
    });
    if (row) break;
  }
  if (!row) throw new ServiceError("storage_busy", "No free address was found for the room; ask again.");
  if (row.visibility === "public") await store.addToCounter(tx, "rooms_open_public", 1);
  tx.announce(`room:${row.slug}`);
  if (!input.first_post) return { room: roomFromRow(row), first_post: null };
  const first_post = await addPost(tx, row, {
    ...input.first_post,
    name: input.name,
    in_reply_to: null,
    now_ms: input.now_ms,
  });
  return { room: roomFromRow((await store.findRoom(tx, row.slug))!), first_post };
}

/** Stores a post. Its `ts` is later than everything that happened in the room before. */
export async function speak(tx: Tx, input: SpeakInput): Promise<Post> {
  const room = await roomOrFailure(tx, input.room);
  if (room.closed_at) {
    throw new ServiceError("room_closed", "This room is closed: nobody can speak in it any more.", {
      hint: "Read it, or open a room of your own: POST /api/meet/rooms",
    });
  }
  if (input.in_reply_to !== null && !(await store.findPost(tx, room.seq, input.in_reply_to))) {
    throw invalidFields([{ path: "/in_reply_to", message: "is not the id of a post of this room" }]);
  }
  return addPost(tx, room, input);
}

async function addPost(tx: Tx, room: store.RoomRow, post: Omit<SpeakInput, "room">): Promise<Post> {
  const ts = nextTime(post.now_ms, room.changed);
  if (!(await store.countPost(tx, room, ts))) throw new Overtaken();
  await store.insertPost(tx, {
    id: post.id,
    room: room.seq,
    ts,
    name: post.name,
    claimed: 0,
    in_reply_to: post.in_reply_to,
    body: post.body,
  });
  tx.announce(`room:${room.slug}`);
  return {
    id: post.id,
    ts,
    room: room.slug,
    name: post.name,
    claimed: false,
    in_reply_to: post.in_reply_to,
    body: post.body,
  };
}

/** Closes a room with its host key. Closing it again gives the same answer. */
export async function closeRoom(tx: Tx, input: CloseInput): Promise<ClosedRoom> {
  const room = await hostedRoom(tx, input);
  if (room.closed_at) return { slug: room.slug, closed: true, closed_at: room.closed_at };
  const closed_at = nextTime(input.now_ms, room.changed);
  if (!(await store.markClosed(tx, room, closed_at))) throw new Overtaken();
  if (room.visibility === "public") {
    await store.addToCounter(tx, "rooms_open_public", -1);
    await store.addToCounter(tx, "rooms_closed_public", 1);
  }
  tx.announce(`room:${room.slug}`);
  return { slug: room.slug, closed: true, closed_at };
}

/** Takes a post's text away with the host key. A tombstone stays; redacting again gives the same answer. */
export async function redactPost(tx: Tx, input: RedactInput): Promise<Post> {
  const room = await hostedRoom(tx, input);
  const post = await store.findPost(tx, room.seq, input.id);
  if (!post) throw new ServiceError("post_not_found", "This room has no post with that id.");
  if (post.redacted) return store.postFromRow(post, room.slug);
  const at = nextTime(input.now_ms, room.changed);
  if (!(await store.markChanged(tx, room, at))) throw new Overtaken();
  const redacted = await store.redactPost(tx, post, "host", at, sha256Hex(post.body!));
  if (!redacted) throw new Overtaken();
  await forgetPost(tx, post.seq);
  tx.announce(`room:${room.slug}`);
  return store.postFromRow(redacted, room.slug);
}

/** The room with this slug, or `room_not_found`. */
export async function roomOrFailure(tx: Tx, slug: string): Promise<store.RoomRow> {
  const room = await store.findRoom(tx, slug);
  if (!room) {
    throw new ServiceError("room_not_found", "There is no room with that address.", {
      hint: "List the open public rooms: GET /api/meet/rooms",
    });
  }
  return room;
}

async function hostedRoom(tx: Tx, input: CloseInput): Promise<store.RoomRow> {
  const room = await roomOrFailure(tx, input.room);
  if (!sameDigest(room.host_key_sha256, input.host_key_sha256)) {
    throw new ServiceError("wrong_host_key", "The x-meet-key header does not hold this room's host key.", {
      hint: "The host_key was given once, when the room was opened.",
    });
  }
  return room;
}
