/** Finds the room that a command or a query names, or throws why there is none. */

import { sameDigest } from "../core/secrets.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { findDeleted } from "./admin_store.ts";
import { room_errors } from "./errors.ts";
import { hostKeyRequired, isHost, type ByHost, type HostRules } from "./host_rights.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import type { ReadableSlug } from "./slug.ts";
import { admitIn, readableSlug, roleIn, roomNotFound } from "./members/roles.ts";
import * as store from "./store.ts";

/** The room with this slug. Throws `room_not_found` or `room_deleted`. */
export const roomOrFailure = async (tx: Tx, slug: ReadableSlug): Promise<store.RoomRow> =>
  (await store.findRoom(tx, slug)) ?? noRoom(tx, slug);

/** Throws `room_not_found` or `room_deleted`. Of a private room nobody learns that it was there. */
export async function noRoom(tx: Tx, slug: string): Promise<never> {
  if (isPrivateSlug(slug)) throw roomNotFound();
  const deleted = await findDeleted(tx, slug);
  if (deleted) {
    const { because } = deleted;
    const detail =
      because === null ? "The operator deleted this room." : `This room was deleted: ${because}.`;
    throw new ServiceError(room_errors.room_deleted, detail);
  }
  throw roomNotFound();
}

/** The room whose host key has this hash. Throws `wrong_host_key`: callers without the right one were admitted before. */
export async function hostedRoom(
  tx: Tx,
  input: { room: string; host_key_sha256: string },
): Promise<store.RoomRow> {
  const room = await roomOrFailure(tx, readableSlug(input.room));
  if (!sameDigest(room.host_key_sha256, input.host_key_sha256)) {
    throw new ServiceError(room_errors.wrong_host_key, "The room has another host key.");
  }
  return room;
}

/** The room, for its host. Throws `wrong_host_key`, or `host_key_required` for a name that is not its host. */
export async function roomOfHost(
  tx: Tx,
  rules: HostRules,
  { room: slug, by, now_ms }: { room: string; by: ByHost; now_ms: number },
): Promise<store.RoomRow> {
  if ("host_key_sha256" in by) return hostedRoom(tx, { room: slug, ...by });
  const room = await roomOrFailure(tx, await admitIn(tx, rules, slug, by.identity));
  const { claimed_at } = await rules.checkKey(tx, by.identity, now_ms);
  if (await isHostIn(tx, rules, room, by.identity.canonical, claimed_at)) return room;
  throw hostKeyRequired();
}

/** Whether this name, claimed at `claimed_at`, has the rights of the host. In a private room its role says so. */
export const isHostIn = async (
  tx: Tx,
  rules: Pick<HostRules, "canonicalName" | "claimedSince">,
  room: store.RoomRow,
  canonical: string,
  claimed_at: string,
): Promise<boolean> =>
  isPrivateSlug(room.slug)
    ? (await roleIn(tx, rules, room.slug, canonical)) === "host"
    : isHost(rules, room, canonical, claimed_at);
