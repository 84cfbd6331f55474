/** The write commands of rooms. They run in the writer thread on plain data; times and random values are in their inputs. */

import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { room_errors } from "./errors.ts";
import { service_errors } from "../core/general_errors.ts";
import { isoTime, nextTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Audit } from "../core/admin.ts";
import { caller_errors } from "../core/caller_errors.ts";
import type { Identity, NameRules } from "../core/caller.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { checkLatest, type Condition } from "./condition.ts";
import { leasesTopic } from "./leases/topic.ts";
import { isHost, takenOverBy, type ByHost, type HostRules } from "./host_rights.ts";
import { hostedRoom, roomOfHost } from "./lookup.ts";
import { memberSince } from "./members/adding.ts";
import { membershipsCountSince } from "./members/roles.ts";
import { putMember } from "./members/store.ts";
import type { NoteRules } from "./mentions.ts";
import { checkOpening, type Elsewhere } from "./pace/brake.ts";
import { paceOf, paceText, wholePace, type InstancePace } from "./pace/pace.ts";
import { NewPosts, speak, type PostRules, type SpeakInput, type Stored } from "./posting.ts";
import { roomFromRow, withoutWords } from "./representations.ts";
import type { ClosedRoom, HostedRoom, OpenRoom } from "../api/rooms/rooms.ts";
import type { Visibility } from "../api/rooms/visibility.ts";
import { authorIn } from "./posts_store.ts";
import * as store from "./store.ts";
import { room_internal_limits } from "./limits.ts";

/** What the commands of rooms need from other features. */
export interface RoomRules extends NoteRules, NameRules {
  audit: Audit;
  /** Settles the report of a post whose text is gone. `post`: its seq. */
  settleReport(tx: Tx, post: number, at: string): Promise<unknown>;
}

/** What commands need that post or open a room. */
export interface SpeakRules extends RoomRules, PostRules {}

export interface OpenInput extends OpenRoom {
  visibility: Visibility;
  identity: Identity | null;
  /** Candidate slugs, in order. */
  slugs: string[];
  host_key_sha256: string;
  now_ms: number;
  /** What its opener, alone or with another name, has posted in other rooms, if they are slowed down for it. */
  elsewhere?: Elsewhere;
  instance_pace?: InstancePace;
  /** A first post by the same name, in the same transaction. */
  first_post?: { id: string; body: string; salt: string };
}

export interface CloseInput {
  room: string;
  by: ByHost;
  now_ms: number;
  condition?: Condition;
}

interface TakeOverInput extends Omit<CloseInput, "by" | "condition"> {
  host_key_sha256: string;
  identity: Identity;
}

interface ConcludeInput extends CloseInput {
  /** With the condition of both: `if_latest`. */
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
  const { claimed } = (await rules.findSpeakers(tx, [input]))(0);
  // Before anything is written: the group of a command that is refused after that runs again.
  const opener = input.visibility === "private" ? openerOf(input) : null;
  if (input.elsewhere) checkOpening(paceOf(input.instance_pace!), input.elsewhere, input.now_ms);
  let row: store.RoomRow | undefined;
  for (const slug of input.slugs) {
    row = await store.insertRoom(tx, {
      ...input,
      slug,
      host: input.name,
      host_claimed: claimed ? 1 : 0,
      visibility: input.visibility === "public" ? "public" : "unlisted",
      created,
      author: claimed ? authorIn(input.visibility, input.identity!.canonical) : null,
      pace: input.pace === undefined ? null : paceText({ chosen: wholePace(input.pace) }),
    });
    if (row) break;
  }
  if (!row)
    throw new ServiceError(service_errors.storage_busy, "No free address was found for the room; ask again.");
  if (row.visibility === "public") {
    await store.counters.add(tx, "rooms_open_public", 1);
    tx.announce(rooms_opened);
  }
  if (opener) await insertOpener(tx, rules, row, opener, input.now_ms);
  tx.announce(`room:${row.slug}`);
  if (!input.first_post) {
    if (claimed) await rules.countCommand(tx, input.identity!, isoTime(input.now_ms));
    return { room: storedRoom(row), first_post: null };
  }
  const new_posts = new NewPosts([row]);
  const first_post = new_posts.add({ ...input, ...input.first_post, room: row.slug }, claimed);
  await new_posts.store(tx, rules);
  return { room: storedRoom((await store.findRoom(tx, row.slug))!), first_post };
}

/** The claimed name that opens a private room. Throws `credential_required`. */
function openerOf({ identity }: OpenInput): Identity {
  if (identity !== null) return identity;
  throw new ServiceError(caller_errors.credential_required, "A private room is opened under a claimed name.");
}

/** Makes the opener of a private room its first member. */
async function insertOpener(
  tx: Tx,
  rules: SpeakRules,
  room: store.RoomRow,
  { canonical }: Identity,
  now_ms: number,
): Promise<void> {
  const since = memberSince(now_ms, await membershipsCountSince(tx, rules, canonical));
  await putMember(tx, { room: room.seq, canonical, role: "host", since });
}

/**
 * A new room. Stored for idempotency keys, so it has neither words nor name, which a deletion erases. (Earlier releases stored
 * whole records.)
 */
type StoredRoom = ReturnType<typeof storedRoom>;

const storedRoom = (row: store.RoomRow) => {
  const { host, ...room } = withoutWords(roomFromRow(row));
  return { ...room, host: { claimed: host.claimed } };
};

/**
 * Sets the activity of rooms to `now` if it is later, after the clock was set back. Otherwise these rooms would be listed
 * first until the clock catches up. Returns whether there may be more.
 */
export async function limitActivity(tx: Tx, now: string): Promise<boolean> {
  const rooms = await store.limitActivity(tx, now, room_internal_limits.rooms_clamped_per_command);
  for (const { slug } of rooms) tx.announce(`room:${slug}`);
  return rooms.length === room_internal_limits.rooms_clamped_per_command;
}

type Closed = Omit<ClosedRoom, "last_word">;

/** Closes a room. Closing it again gives the same answer, whatever the condition. Throws `room_moved_on`. */
export async function closeRoom(tx: Tx, rules: HostRules, input: CloseInput): Promise<Closed> {
  const room = await roomOfHost(tx, rules, input);
  if (input.condition && !room.closed_at) await checkLatest(tx, rules, room, input.condition);
  return close(tx, room, input.now_ms);
}

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
  // Who waits for a lease gets none any more.
  tx.announce(leasesTopic(room.slug));
  return { slug: room.slug, closed: true, closed_at };
}

/**
 * Makes the name of the caller the host of a room that was opened without the key of a name, or by an earlier holder of the name.
 * Throws `name_is_claimed` if another claimed name is its host. Taking it over again gives the same answer, which has no name,
 * because it is stored for idempotency keys.
 */
export async function takeOverRoom(
  tx: Tx,
  rules: HostRules,
  input: TakeOverInput,
): Promise<Pick<HostedRoom, "slug">> {
  const { canonical, name: host } = input.identity;
  const room = await hostedRoom(tx, input);
  const { claimed_at } = await rules.checkKey(tx, input.identity, input.now_ms);
  if (isPrivateSlug(room.slug))
    throw new ServiceError(
      room_errors.host_key_required,
      "The hosts of a private room are among its members: a room of members is not taken over.",
      { situation: "private" },
    );
  if (isHost(rules, room, canonical, claimed_at)) return { slug: room.slug };
  if (room.host_claimed === 1 && rules.canonicalName(room.host) !== canonical) {
    throw new ServiceError(
      caller_errors.name_is_claimed,
      "The room was opened with the key of another name.",
    );
  }
  const at = nextTime(input.now_ms, room.changed);
  if (!(await store.setHost(tx, room, { host, author: takenOverBy(canonical, at) }, at)))
    throw new Overtaken();
  tx.announce(`room:${room.slug}`);
  return { slug: room.slug };
}

/** Posts a last word and closes the room. Refused in a closed room. */
export async function concludeRoom(
  tx: Tx,
  rules: SpeakRules,
  { last_word, ...input }: ConcludeInput,
): Promise<Closed & { last_word: Stored }> {
  await roomOfHost(tx, rules, input);
  const { room, now_ms } = input;
  const stored = await speak(tx, rules, { ...last_word, room, in_reply_to: null, now_ms });
  return { ...(await closeRoom(tx, rules, input)), last_word: stored };
}
