/** Lets callers into rooms. Each operation that reads a room takes a slug that was made here (slug.ts). */

import { Cache } from "../../core/cache.ts";
import {
  grantEndedTopic,
  readerOf,
  refusedTopic,
  sessionEndedTopic,
  type Caller,
  type CheckReader,
  type Reader,
} from "../../core/caller.ts";
import { isRefusedCredential } from "../../core/caller_errors.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import type { Tx } from "../../core/storage.ts";
import { callAgain, type OpenCalls } from "../../core/open_calls.ts";
import { whenReady, type Ready } from "../../core/ready.ts";
import { sameDigest } from "../../core/secrets.ts";
import type { Role } from "../../api/rooms/members.ts";
import { room_errors } from "../errors.ts";
import { hostKeyDigest, type HostKey } from "../host_rights.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import type { ReadableSlug } from "../slug.ts";
import type { PresentAt } from "../../core/presence.ts";
import { room_limits } from "../../api/limits.ts";
import { findRoom } from "../store.ts";
import { canonicalsIn } from "./store.ts";
import { room_internal_limits } from "../limits.ts";
import { readableSlug, roleIn, roomNotFound, unreadableAmong, type AdmissionRules } from "./roles.ts";

const members = "members:";
const refused = refusedTopic("");
const ended_beginnings = [sessionEndedTopic(""), grantEndedTopic("")];
const left = "member left:";

/** Published when the members of a room or their roles change. */
export const membersTopic = (slug: string): string => `${members}${slug}`;

/** Published when a name is a member of a room no more. Its waits, streams and subscriptions there end. No slug has a space. */
export const leftTopic = (slug: string, canonical: string): string => `${left}${slug} ${canonical}`;

/** The same for all members of a room: it was deleted. */
export const allLeftTopic = (slug: string): string => leftTopic(slug, everybody);

/** No canonical name is empty. */
const everybody = "";

/** Which room has been left by a publication of `topic`, and by whom; null for any other topic. */
export function leftIn(topic: string): { slug: string; hasLeft(canonical: string): boolean } | null {
  if (!topic.startsWith(left)) return null;
  const space = topic.indexOf(" ", left.length);
  const gone = topic.slice(space + 1);
  return {
    slug: topic.slice(left.length, space),
    hasLeft: (canonical) => gone === everybody || gone === canonical,
  };
}

export type Admission = ReturnType<typeof createAdmission>;

interface AdmissionDeps extends AdmissionRules {
  storage: Pick<FeatureStorage, "read" | "onChange">;
  open_calls: Pick<OpenCalls, "refuse">;
  clock: Pick<Clock, "now">;
  checkReader: CheckReader;
}

export function createAdmission({ storage, clock, claimedSince, checkReader, open_calls }: AdmissionDeps) {
  const roles = new Cache<Role | "none">({
    sizeOf: () => 1,
    size_max: room_internal_limits.known_roles_chars_max,
    value_size_max: room_internal_limits.known_role_chars_max,
  });
  /** The topics of the sessions and grants that have ended last. Requests that began with them before may be under way. */
  const ended = new Set<string>();
  storage.onChange("invalidate", (topic) => {
    if (topic === null) {
      roles.invalidate(null);
      open_calls.refuse((_, topics) => (topics.some(isPrivateTopic) ? callAgain() : null));
      return;
    }
    if (topic.startsWith(members)) roles.invalidate(topic);
    // A key opens nothing any more. That is rare, and roles are read again quickly.
    if (topic.startsWith(refused)) roles.invalidate(null);
    if (ended_beginnings.some((beginning) => topic.startsWith(beginning))) {
      ended.add(topic);
      if (ended.size > room_internal_limits.ended_readers_max) ended.delete(ended.values().next().value!);
    }
    const gone = leftIn(topic);
    if (!gone) return;
    const isOfRoom = (followed: string) => followed.endsWith(`:${gone.slug}`);
    open_calls.refuse(({ name }, topics) =>
      name !== null && gone.hasLeft(name) && topics.some(isOfRoom) ? roomNotFound() : null,
    );
  });

  /** The role of a reader in a private room. Throws if what it has sent opens nothing any more. */
  async function roleNow(tx: Tx, reader: Reader, slug: string): Promise<Role | "none"> {
    await checkReader(tx, reader, clock.now());
    return (await roleIn(tx, { claimedSince }, slug, reader.canonical)) ?? "none";
  }

  /**
   * The role of a reader in a private room, from memory if possible. With another key of its name it is another reader. That a key opens
   * nothing is not remembered: a suspension ends, and nothing is published then.
   */
  function roleOf(slug: string, reader: Reader): Ready<Role | "none"> {
    const key = `${slug} ${reader.canonical} ${reader.key_sha256}`;
    const role = roles.getReady(membersTopic(slug), key, () =>
      storage.read((tx) => roleNow(tx, reader, slug)),
    );
    return role instanceof Promise ? role.catch(noneIfRefused) : role;
  }

  const hasEnded = ({ session, grant }: Reader): boolean =>
    (session !== null && ended.has(sessionEndedTopic(session))) ||
    (grant !== null && ended.has(grantEndedTopic(grant)));

  /** The role of the reader in a room; null if the room is not private, or the reader is no member. */
  function roleFor(caller: Caller, slug: string): Ready<Role | null> {
    const reader = isPrivateSlug(slug) ? readerOf(caller) : null;
    if (reader === null || hasEnded(reader)) return null;
    return whenReady(roleOf(slug, reader), (role) => (role === "none" ? null : role));
  }

  /** Lets a reader into a room, or one that may not be there. At once if it is not private. Throws `room_not_found`. */
  function admit(reader: Caller, slug: string): Ready<ReadableSlug> {
    if (!isPrivateSlug(slug)) return readableSlug(slug);
    return whenReady(roleFor(reader, slug), (role) =>
      role === null ? Promise.reject(roomNotFound()) : readableSlug(slug),
    );
  }

  /** Whether a reader still reads a private room, with what it had sent. For what outlives its request. */
  const stillReads = async (reader: Reader, slug: string): Promise<boolean> =>
    (await storage.read((tx) => roleNow(tx, reader, slug)).catch(noneIfRefused)) !== "none";

  return {
    admit,

    /** What was read for a reader, if it is still admitted: it may have waited for memory. */
    async whileAdmitted<Answer>(reader: Caller, slug: string, reading: Promise<Answer>): Promise<Answer> {
      const answer = await reading;
      await admit(reader, slug);
      return answer;
    },

    /**
     * Throws `room_not_found` if the database has the reader no more in a private room. What was read beside a removal may be from after
     * it, and the removal not published yet. Costs a read: for answers that others do not share.
     */
    async refuseFormer(caller: Caller, slug: string): Promise<void> {
      const reader = readerOf(caller);
      if (isPrivateSlug(slug) && !(reader && (await stillReads(reader, slug)))) throw roomNotFound();
    },

    roleFor,

    stillReads,

    /** The same for what a host does: with the host key of the room it needs no member. */
    async admitHost(caller: Caller, slug: string, host_key: HostKey): Promise<ReadableSlug> {
      if (!isPrivateSlug(slug) || host_key === null) return admit(caller, slug);
      const room = await storage.read((tx) => findRoom(tx, slug));
      const has_key = sameDigest(room?.host_key_sha256 ?? "", hostKeyDigest(host_key));
      return has_key ? readableSlug(slug) : admit(caller, slug);
    },

    /** Those of the names at a private room that are its members now. */
    async membersAt(slug: string, { names, others }: PresentAt): Promise<PresentAt> {
      const members = new Set(await storage.read((tx) => canonicalsIn(tx, slug, room_limits.members_max)));
      return { names: new Map([...names].filter(([canonical]) => members.has(canonical))), others };
    },

    /** Throws `readers_only_read` if a caller that `admitHost` has admitted is no member: a host key alone does not speak. */
    async refuseKeyAlone(caller: Caller, slug: string): Promise<void> {
      if (!isPrivateSlug(slug) || (await roleFor(caller, slug)) !== null) return;
      throw new ServiceError(
        room_errors.readers_only_read,
        "A host key alone does not speak in a private room: send the key of a member with it, or close the room without a last word.",
      );
    },

    /** Those of `posts` that the name may read, of any rooms. */
    async readableBy<Ref extends { room: string }>(
      canonical: string,
      posts: readonly Ref[],
    ): Promise<(Ref & { room: ReadableSlug })[]> {
      const slugs = posts.map(({ room }) => room).filter(isPrivateSlug);
      const unreadable =
        slugs.length === 0
          ? no_slugs
          : await storage.read((tx) => unreadableAmong(tx, { claimedSince }, canonical, slugs));
      return posts.filter(({ room }) => !unreadable.has(room)) as (Ref & { room: ReadableSlug })[];
    },
  };
}

/** The role of a reader whose key, session or grant opens nothing any more. Throws any other error. */
function noneIfRefused(error: unknown): "none" {
  if (isRefusedCredential(error)) return "none";
  throw error;
}

const no_slugs: ReadonlySet<string> = new Set();

const isPrivateTopic = (topic: string): boolean => isPrivateSlug(topic.slice(topic.indexOf(":") + 1));
