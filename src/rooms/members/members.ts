/** The operations of members, called by every transport. */

import type { Caller, Identity } from "../../core/caller.ts";
import type { OperationDeps } from "../../core/commands.ts";
import type { IdempotentCall } from "../../core/storage.ts";
import type { AddedMember, Member, Members, Role } from "../../api/rooms/members.ts";
import { room_limits } from "../../api/limits.ts";
import type { RoomCommands } from "../feature.ts";
import { byHost, type HostKey } from "../host_rights.ts";
import { roomOrFailure } from "../lookup.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import type { ReadableSlug } from "../slug.ts";
import { notPrivate } from "./adding.ts";
import type { Admission } from "./admission.ts";
import { membersOf } from "./store.ts";

interface MembersDeps extends Pick<OperationDeps<RoomCommands>, "storage" | "commands" | "clock"> {
  admission: Admission;
  canonicalName(name: string): string;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
}

interface ByName {
  room: string;
  name: string;
  host_key: HostKey;
}

export type RoomMembers = ReturnType<typeof createMembers>;

export function createMembers({
  storage,
  commands,
  clock,
  admission,
  canonicalName,
  identityOf,
}: MembersDeps) {
  /** Throws `not_private` for a room that is not private, whatever the caller is. */
  async function refuseOthers(admitted: ReadableSlug): Promise<void> {
    if (isPrivateSlug(admitted)) return;
    await storage.read((tx) => roomOrFailure(tx, admitted));
    throw notPrivate();
  }

  /** What a call about a member says to its command, for a caller that may know of the room. */
  async function inputOf(caller: Caller, { room, name, host_key }: ByName) {
    await refuseOthers(await admission.admitHost(caller, room, host_key));
    return {
      room,
      member: canonicalName(name),
      by: byHost(caller, host_key),
      caller: caller.identity,
      now_ms: clock.now(),
    };
  }

  return {
    /** Makes a claimed name a member of a private room, or gives it another role. For hosts. */
    async put(
      caller: Caller,
      { role = "member", ...of }: ByName & { role?: Role | undefined },
      call?: IdempotentCall,
    ): Promise<AddedMember> {
      const input = { ...(await inputOf(caller, of)), role };
      const { result } = await commands.run(caller, "rooms.put_member", null, input, call);
      return { room: of.room, name: of.name, ...result };
    },

    /** Removes a member. For hosts, and for the member itself, whose waits and streams there end. */
    async remove(caller: Caller, of: ByName, call?: IdempotentCall): Promise<{ removed: true }> {
      const input = await inputOf(caller, of);
      return (await commands.run(caller, "rooms.remove_member", null, input, call)).result;
    },

    /** The members of a private room, for its members. */
    async list(caller: Caller, slug: string): Promise<Members> {
      identityOf(caller);
      const room = await admission.admit(caller, slug);
      await refuseOthers(room);
      const rows = await storage.read(async (tx) =>
        membersOf(tx, (await roomOrFailure(tx, room)).seq, room_limits.members_max),
      );
      return { room: slug, members: rows.map(({ name, role, since }): Member => ({ name, role, since })) };
    },
  };
}
