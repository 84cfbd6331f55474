/** The operations of a room's host. */

import type { Caller, Identity } from "../core/caller.ts";
import type { OperationDeps } from "../core/commands.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { IdempotentCall } from "../core/storage.ts";
import type { ClosedRoom, CloseRoom, HostedRoom, Post } from "../api/rooms/rooms.ts";
import { room_errors } from "./errors.ts";
import type { RoomCommands } from "./feature.ts";
import { byHost, hasWritten, hostKeyDigest, type HostKey } from "./host_rights.ts";
import { isHostIn, roomOrFailure } from "./lookup.ts";
import type { Admission } from "./members/admission.ts";
import type { ReadableSlug } from "./slug.ts";
import { withMentions, type NoteRules } from "./mentions.ts";
import type { OrMissed } from "./missed.ts";
import type { PostRef } from "./positions.ts";
import { withoutOwnPace } from "./posting.ts";
import type { RoomPace, SetPace } from "../api/rooms/pace.ts";
import type { InstancePace } from "./pace/pace.ts";
import type { Pairs } from "./pace/pairs.ts";
import { findRoom } from "./queries.ts";

export interface HostingDeps
  extends OperationDeps<RoomCommands>, Pick<NoteRules, "canonicalName" | "claimedSince"> {
  admission: Pick<Admission, "admit" | "admitHost" | "refuseKeyAlone">;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
  /** The pace of rooms whose host has chosen none. Default: they have none. */
  instance_pace?: InstancePace;
}

/** The members of a post that the stored answer to a repeated call lacks. A redacted post has no salt. */
export type NotStored = (room: string, id: string) => Promise<Pick<Post, "salt"> & Partial<Post>>;

/** How a room is closed. A last word needs a name; default: the name of the caller's key. */
export interface CloseRequest extends Omit<CloseRoom, "since"> {
  room: string;
  host_key: HostKey;
}

interface RightsOfName {
  is_host: boolean;
  /** Whether the name has written the post since it was claimed. */
  hasWritten(post: Pick<Post, "name" | "claimed" | "ts">): boolean;
}

export function createHosting(
  {
    storage,
    commands,
    admission,
    clock,
    random,
    canonicalName,
    claimedSince,
    identityOf,
    instance_pace,
  }: HostingDeps,
  newSalt: () => string,
  notStored: NotStored,
  orMissed: OrMissed,
  pairs: Pairs | null,
) {
  return {
    /** Closes a room: it can still be read. With `last_word`, posts that first, in the same transaction. Throws `MovedOn`. */
    async close(caller: Caller, request: CloseRequest, call?: IdempotentCall): Promise<ClosedRoom> {
      const { host_key, last_word: body, name = caller.identity?.name, if_latest } = request;
      // A refusal on the condition has the posts that were missed: a host key admits nobody to them.
      const room = await (if_latest === undefined
        ? admission.admitHost(caller, request.room, host_key)
        : admission.admit(caller, request.room));
      if (body !== undefined) await admission.refuseKeyAlone(caller, room);
      const { identity } = caller;
      const now_ms = clock.now();
      const input = { room, by: byHost(caller, host_key), now_ms };
      if (body === undefined) {
        const sent = if_latest === undefined ? input : { ...input, condition: { if_latest, identity } };
        const closing = commands.run(caller, "rooms.close", null, sent, call);
        return (await orMissed(closing, caller, room, if_latest)).result;
      }
      if (name === undefined) throw invalidFields([{ path: "/name", message: "is required with last_word" }]);
      const salt = newSalt();
      const last_word = { identity, id: random.uuid(now_ms), name, body, salt, instance_pace };
      const speaker = canonicalName(name);
      const elsewhere = pairs?.before(room, speaker, now_ms);
      const paced = elsewhere ? { ...last_word, elsewhere } : last_word;
      const sent = { ...input, last_word: if_latest === undefined ? paced : { ...paced, if_latest } };
      const concluding = commands.run(caller, "rooms.conclude", name, sent, call);
      const { result, repeated } = await orMissed(concluding, caller, room, if_latest);
      const { last_word: stored } = result;
      if (!repeated && !stored.own_pace) pairs?.posted(room, speaker, now_ms);
      const post = withMentions({ ...withoutOwnPace(stored), room, name, body, salt }, canonicalName);
      return { ...result, last_word: repeated ? { ...post, ...(await notStored(room, post.id)) } : post };
    },

    /** Makes the caller's name the host of a room that was opened without a key. Needs the host key. */
    async takeOver(
      caller: Caller,
      room: string,
      host_key: HostKey,
      call?: IdempotentCall,
    ): Promise<HostedRoom> {
      const identity = identityOf(caller);
      const admitted = await admission.admitHost(caller, room, host_key);
      if (host_key === null)
        throw new ServiceError(room_errors.host_key_required, "This needs the room's host key.", {
          situation: "take_over",
        });
      const input = { room, host_key_sha256: hostKeyDigest(host_key), identity, now_ms: clock.now() };
      const { slug } = (await commands.run(caller, "rooms.take_over", identity.name, input, call)).result;
      return { slug, host: (await storage.read((tx) => findRoom(tx, admitted))).host };
    },

    /** Sets the pace of an open room, also the same one again: nobody is slowed down then. Needs the rights of its host. */
    async setPace(
      caller: Caller,
      { room, host_key, pace }: SetPace & { room: string; host_key: HostKey },
    ): Promise<RoomPace> {
      await admission.admitHost(caller, room, host_key);
      const input = { room, pace, by: byHost(caller, host_key), now_ms: clock.now(), instance_pace };
      const { result } = await commands.run(caller, "rooms.set_pace", null, input);
      if (pace === "default") pairs?.restart(room, input.now_ms);
      else pairs?.leave(room, input.now_ms);
      return result;
    },

    /** Replaces a post by a tombstone. Needs the host key, or the key of the claimed name that wrote the post or is the host. */
    async redact(caller: Caller, room: string, post: PostRef, host_key: HostKey): Promise<Post> {
      await admission.admitHost(caller, room, host_key);
      const input = { room, post, by: byHost(caller, host_key), salt: newSalt(), now_ms: clock.now() };
      return (await commands.run(caller, "rooms.redact", null, input)).result;
    },

    /** What a claimed name may do in this room. Throws `room_not_found` and `room_deleted`. */
    rightsIn: ({ canonical }: Identity, slug: ReadableSlug): Promise<RightsOfName> =>
      storage.read(async (tx) => {
        const room = await roomOrFailure(tx, slug);
        const claimed_at = (await claimedSince(tx, [canonical])).get(canonical);
        if (claimed_at === undefined) return { is_host: false, hasWritten: () => false };
        return {
          is_host: await isHostIn(tx, { canonicalName, claimedSince }, room, canonical, claimed_at),
          hasWritten: (post) => hasWritten({ canonicalName }, post, canonical, claimed_at),
        };
      }),
  };
}
