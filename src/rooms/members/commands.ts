/** The commands of members: adding, changing and removing them. */

import type { Identity, NameRules } from "../../core/caller.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Tx } from "../../core/storage.ts";
import type { Role } from "../../api/rooms/members.ts";
import type { PutNote } from "../../mailbox/commands.ts";
import { room_limits } from "../../api/limits.ts";
import { room_errors } from "../errors.ts";
import type { ByHost, HostRules } from "../host_rights.ts";
import { endLeasesOfMember } from "../leases/ending.ts";
import { roomOfHost, roomOrFailure } from "../lookup.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import { memberSince, noteOfRole, notPrivate, tooManyMembers } from "./adding.ts";
import type { RoomRow } from "../store.ts";
import { leftTopic, membersTopic } from "./admission.ts";
import { admitIn, roleIn } from "./roles.ts";
import * as store from "./store.ts";

interface MemberInput {
  room: string;
  /** The canonical form of the name that is added or removed. */
  member: string;
  by: ByHost;
  /** The claimed name of the caller, also beside a host key; null if it has none. */
  caller: Identity | null;
  now_ms: number;
}

interface PutMemberInput extends MemberInput {
  role: Role;
}

interface MemberRules extends HostRules, Pick<NameRules, "countCommand"> {
  putNote: PutNote;
}

/**
 * Makes a claimed name a member, or gives it another role, and puts a note about that. The role that it has already changes nothing. Returns
 * whether it was no member before. Throws `not_private`, `wrong_host_key`, `member_not_claimed`, `last_host`, `too_many_members`.
 */
export async function putMember(
  tx: Tx,
  rules: MemberRules,
  input: PutMemberInput,
): Promise<{ added: boolean; role: Role }> {
  const room = await roomWithMembers(tx, rules, input);
  const { member: canonical, role, caller, now_ms } = input;
  const claimed_at = (await rules.claimedSince(tx, [canonical])).get(canonical);
  if (claimed_at === undefined)
    throw new ServiceError(room_errors.member_not_claimed, "Nobody has claimed that name.");
  const former = await roleIn(tx, rules, room.slug, canonical);
  if (former === role) return { added: false, role };
  if (former === "host") await refuseLastHost(tx, room);
  if (former === null && (await store.countMembers(tx, room.seq)) >= room_limits.members_max)
    throw tooManyMembers();
  if (former === null) {
    const since = memberSince(now_ms, claimed_at);
    await store.putMember(tx, { room: room.seq, canonical, role, since });
  } else await store.setRole(tx, room.seq, canonical, role);
  if (role === "reader") await endLeasesOfMember(tx, room, canonical, now_ms);
  tx.announce(membersTopic(room.slug));
  if (caller?.canonical === canonical) return { added: former === null, role };
  const given = { room: room.slug, role, by: caller?.name ?? null, now_ms };
  await rules.putNote(tx, canonical, noteOfRole(canonical, given));
  return { added: former === null, role };
}

/** Removes a member, for a host or for itself. Throws `wrong_host_key`, `member_not_found`, `last_host`. */
export async function removeMember(
  tx: Tx,
  rules: MemberRules,
  input: MemberInput,
): Promise<{ removed: true }> {
  const { member: canonical, caller } = input;
  // A member leaves by its name, also if it sends a host key, too.
  const room = await (caller?.canonical === canonical
    ? roomOfMember(tx, rules, input, caller)
    : roomWithMembers(tx, rules, input));
  const role = await roleIn(tx, rules, room.slug, canonical);
  if (role === null) throw new ServiceError(room_errors.member_not_found, "The room has no such member.");
  if (role === "host") await refuseLastHost(tx, room);
  await store.deleteMember(tx, room.seq, canonical);
  // Before its leases end: what reads the room then finds out that it is no member any more.
  for (const topic of [membersTopic(room.slug), leftTopic(room.slug, canonical), `room:${room.slug}`])
    tx.announce(topic);
  await endLeasesOfMember(tx, room, canonical, input.now_ms);
  return { removed: true };
}

async function roomOfMember(
  tx: Tx,
  rules: MemberRules,
  { room: slug, now_ms }: MemberInput,
  member: Identity,
): Promise<RoomRow> {
  await rules.checkKey(tx, member, now_ms);
  return roomOrFailure(tx, await admitIn(tx, rules, slug, member));
}

/**
 * The room, for one who adds and removes its members. The host key does so as long as the name that opened the room is a host in it, or nobody
 * is: an opener that was removed could make itself a host again. Throws `not_private`, `wrong_host_key`, `host_key_required`.
 */
async function roomWithMembers(tx: Tx, rules: MemberRules, input: MemberInput): Promise<RoomRow> {
  const room = await roomOfHost(tx, rules, input);
  if (!isPrivateSlug(room.slug)) throw notPrivate();
  if ("identity" in input.by) return room;
  const opener = rules.canonicalName(room.host);
  for (const canonical of [opener, ...(input.caller ? [input.caller.canonical] : [])])
    if ((await roleIn(tx, rules, room.slug, canonical)) === "host") return room;
  if ((await store.countHosts(tx, room.seq)) === 0) return room;
  throw new ServiceError(
    room_errors.wrong_host_key,
    "The name that opened the room is no host in it any more: its host key adds and removes no members.",
    { situation: "former_host" },
  );
}

/** Nobody could add members any more. */
async function refuseLastHost(tx: Tx, room: RoomRow): Promise<void> {
  if ((await store.countHosts(tx, room.seq)) > 1) return;
  throw new ServiceError(room_errors.last_host, "The room would have no host among its members.");
}
