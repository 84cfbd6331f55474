/** The write commands of leases. All commands of a room run one after the other: each moves the time of the room on. */

import { admitWriterIn, readableSlug, type AdmissionRules } from "../members/roles.ts";
import type { Identity } from "../../core/caller.ts";
import { isoTime, steadyTime, type Moment } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { Tx } from "../../core/storage.ts";
import type { PutNote } from "../../mailbox/commands.ts";
import { lease_limits } from "../../api/limits.ts";
import { room_errors } from "../errors.ts";
import type { ByHost, HostRules } from "../host_rights.ts";
import { roomOfHost, roomOrFailure } from "../lookup.ts";
import type { RoomRow } from "../store.ts";
import { changeRoom } from "./changes.ts";
import { lease_errors } from "./errors.ts";
import { lease_internal_limits } from "./limits.ts";
import * as line from "./line_store.ts";
import { heldError, obstaclesFor } from "./obstacles.ts";
import { leasesOn, type Obstacle } from "./obstacles_store.ts";
import { notedPaths, pathsDigest } from "./paths.ts";
import * as store from "./store.ts";
import { placesTopic } from "./topic.ts";

/** A room and a caller. */
interface LeaseInput extends Moment {
  room: string;
  identity: Identity;
}

interface TakeInput extends LeaseInput {
  /** As `leastPaths` returns them. */
  paths: string[];
  ttl_seconds: number;
  purpose: string | null;
}

/** A lease for its holder. Plain data, so that a repeated call gets it. */
export interface Taken {
  fence: number;
  /** Steady time. */
  expires: string;
  paths: string[];
}

/** An open room. Throws `room_not_found`, `room_deleted`, `readers_only_read` or `room_closed`. */
export async function openRoom(
  tx: Tx,
  rules: AdmissionRules,
  { room: slug, identity }: Pick<LeaseInput, "room" | "identity">,
): Promise<RoomRow> {
  const room = await roomOrFailure(tx, await admitWriterIn(tx, rules, slug, identity));
  if (room.closed_at !== null) throw new ServiceError(room_errors.room_closed, "The room is closed.");
  return room;
}

const endAfter = ({ now_ms, ahead_ms }: Moment, seconds: number): string =>
  steadyTime({ now_ms: now_ms + seconds * 1000, ahead_ms });

/**
 * Takes all paths or none. Throws `lease_held` if one is held, or waited for by somebody whose turn comes first; the caller's place in
 * line for these paths ends with the lease that it gets.
 */
export async function takeLease(tx: Tx, rules: AdmissionRules, input: TakeInput): Promise<Taken> {
  const { identity, paths, purpose } = input;
  const room = await openRoom(tx, rules, input);
  const { obstacles } = await obstaclesFor(tx, room.seq, input);
  if (obstacles.length > 0) throw heldError(obstacles, input);
  await checkCount(tx, room, input);
  await deleteLeasesOn(tx, room.seq, paths);
  await store.openRoom(tx, room.seq);
  await changeRoom(tx, room, input.now_ms);
  const fence = await store.nextFence(tx, room.seq);
  const expires = endAfter(input, input.ttl_seconds);
  const lease = {
    room: room.seq,
    fence,
    holder: identity.canonical,
    purpose,
    taken: steadyTime(input),
    expires,
  };
  await store.insertLease(tx, lease, paths);
  const place = { room: room.seq, name: identity.canonical, paths_sha256: pathsDigest(paths) };
  await line.deletePlace(tx, place);
  return { fence, expires, paths };
}

/**
 * Deletes what has ended on paths on which no lease is in force. Otherwise a command that was sent before such a lease ended, or by a
 * node whose clock is a little behind, could extend it.
 */
async function deleteLeasesOn(tx: Tx, room: number, paths: readonly string[]): Promise<void> {
  const limit = lease_internal_limits.ended_per_command;
  for (;;) {
    const ended = await leasesOn(tx, { room, paths, now: "", limit });
    if (ended.length === 0) return;
    for (const fence of fencesOf(ended)) await store.deleteLease(tx, room, fence);
  }
}

const fencesOf = (leases: readonly Obstacle[]): Set<number> => new Set(leases.map(({ fence }) => fence!));

async function checkCount(tx: Tx, room: RoomRow, input: TakeInput): Promise<void> {
  const held = await store.countOf(tx, input.identity.canonical, room.seq, steadyTime(input));
  const { leases_per_name_and_room, leases_per_name } = lease_limits;
  if (held.room >= leases_per_name_and_room)
    throw new ServiceError(lease_errors.too_many_leases, `You have ${held.room} leases in this room.`);
  if (held.all >= leases_per_name)
    throw new ServiceError(lease_errors.too_many_leases, `You have ${held.all} leases.`);
}

interface LineInput extends LeaseInput {
  paths: string[];
  /** Steady time when the place ends. */
  place_until: string;
}

/** Gives the caller a place in line for these paths, behind all others, or keeps the one that it has. */
export async function getInLine(tx: Tx, rules: AdmissionRules, input: LineInput): Promise<{ place: number }> {
  const { identity, paths, place_until: expires } = input;
  const room = await openRoom(tx, rules, input);
  const paths_sha256 = pathsDigest(paths);
  const now = steadyTime(input);
  const name = identity.canonical;
  const found = await line.findPlace(tx, room.seq, name, paths_sha256, now);
  if (found) {
    // Another call of this name may wait in it for longer.
    if (expires > found.expires) await line.keepPlace(tx, room.seq, found.place, expires);
    tx.announce(placesTopic(room.slug));
    return { place: found.place };
  }
  const count = await line.countPlaces(tx, room.seq, name, now);
  if (count >= lease_limits.places_per_name_and_room)
    throw new ServiceError(lease_errors.too_many_leases, `You are in line for ${count} sets of paths here.`);
  await store.openRoom(tx, room.seq);
  const place = await line.nextPlace(tx, room.seq);
  await line.insertPlace(tx, { room: room.seq, place, name, paths_sha256, expires }, paths);
  tx.announce(placesTopic(room.slug));
  return { place };
}

interface LeaveInput extends Moment {
  room: string;
  name: string;
  paths: string[];
  /** Steady time. */
  place_until: string;
}

/** Lets a place in line end at `place_until`: its caller has left. */
export async function leaveLine(tx: Tx, input: LeaveInput): Promise<void> {
  const { name, paths, place_until } = input;
  const room = await roomOrFailure(tx, readableSlug(input.room));
  const found = await line.findPlace(tx, room.seq, name, pathsDigest(paths), steadyTime(input));
  if (!found || found.expires <= place_until) return;
  await line.keepPlace(tx, room.seq, found.place, place_until);
  tx.announce(placesTopic(room.slug));
}

interface HeldInput extends LeaseInput {
  fence: number;
}

const lost = (): ServiceError =>
  new ServiceError(lease_errors.lease_lost, "That lease has ended, or is not yours.");

/** The caller's own lease in force. Throws `lease_lost`. */
async function heldLease(tx: Tx, room: RoomRow, input: HeldInput): Promise<store.LeaseRow> {
  const lease = await store.findLease(tx, room.seq, input.fence, steadyTime(input));
  if (lease?.holder !== input.identity.canonical) throw lost();
  return lease;
}

/** Lets a lease end `ttl_seconds` from now, or when it ends already if that is later. */
export async function extendLease(
  tx: Tx,
  rules: AdmissionRules,
  input: HeldInput & { ttl_seconds: number },
): Promise<Taken> {
  const room = await openRoom(tx, rules, input);
  const lease = await heldLease(tx, room, input);
  const { fence } = lease;
  const from_now = endAfter(input, input.ttl_seconds);
  const expires = from_now > lease.expires ? from_now : lease.expires;
  if (expires !== lease.expires) {
    await changeRoom(tx, room, input.now_ms);
    await store.extendLease(tx, room.seq, fence, expires);
  }
  return { fence, expires, paths: await store.pathsOf(tx, room.seq, fence) };
}

interface ReleaseInput extends HeldInput {
  /** Null: all paths of the lease. */
  paths: string[] | null;
}

/** Gives paths of a lease back, or all of it. Returns the paths that are still held. Throws `lease_lost` if it does not have one of them. */
export async function releaseLease(
  tx: Tx,
  rules: AdmissionRules,
  input: ReleaseInput,
): Promise<{ fence: number; released: string[]; paths: string[] }> {
  const room = await roomOrFailure(tx, await admitWriterIn(tx, rules, input.room, input.identity));
  const { fence } = await heldLease(tx, room, input);
  const held = await store.pathsOf(tx, room.seq, fence);
  const released = input.paths ?? held;
  if (!released.every((path) => held.includes(path)))
    throw new ServiceError(lease_errors.lease_lost, "The lease does not have all of these paths.");
  const paths = held.filter((path) => !released.includes(path));
  await changeRoom(tx, room, input.now_ms);
  if (paths.length === 0) await store.deleteLease(tx, room.seq, fence);
  else for (const path of released) await store.deletePath(tx, room.seq, fence, path);
  return { fence, released, paths };
}

interface BreakInput extends Moment {
  room: string;
  by: ByHost;
  paths: string[];
}

export interface Broken {
  holder: string;
  paths: string[];
}

/** Ends the leases on these paths, for the host of the room. Each holder finds a note. */
export async function breakLeases(
  tx: Tx,
  rules: HostRules & { putNote: PutNote },
  input: BreakInput,
): Promise<{ broken: Broken[] }> {
  return { broken: await breakIn(tx, rules.putNote, await roomOfHost(tx, rules, input), input, "host") };
}

/** The same for an admin. */
export async function breakIn(
  tx: Tx,
  putNote: PutNote,
  room: RoomRow,
  input: Pick<BreakInput, keyof Moment | "paths">,
  by: "host" | "operator",
): Promise<Broken[]> {
  const broken: Broken[] = [];
  const limit = lease_internal_limits.broken_per_call_max;
  const wanted = { room: room.seq, paths: input.paths, now: steadyTime(input), limit };
  while (broken.length < limit) {
    const found = await leasesOn(tx, wanted);
    if (found.length === 0) break;
    if (broken.length === 0) await changeRoom(tx, room, input.now_ms);
    const leases = new Map(found.map((lease) => [lease.fence!, lease]));
    const paths_of = await store.pathsOfEach(tx, room.seq, [...leases.keys()]);
    for (const [fence, { holder, holder_name }] of leases) {
      const paths = paths_of.get(fence)!;
      await store.deleteLease(tx, room.seq, fence);
      await putNote(tx, holder, {
        id: sha256Hex(`broken ${room.slug} ${fence}`).slice(0, 32),
        kind: "lease.broken",
        at: isoTime(input.now_ms),
        content: { room: room.slug, fence, ...notedPaths(paths), how: by },
      });
      broken.push({ holder: holder_name, paths });
    }
  }
  return broken;
}
