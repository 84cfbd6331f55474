/** Lets callers into rooms. Each operation that reads a room takes a slug that was made here (slug.ts). */

import { Cache } from "../../core/cache.ts";
import type { Caller, Identity } from "../../core/caller.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import { callAgain, type OpenCalls } from "../../core/open_calls.ts";
import { whenReady, type Ready } from "../../core/ready.ts";
import { sameDigest } from "../../core/secrets.ts";
import type { Role } from "../../api/rooms/members.ts";
import { hostKeyDigest, type HostKey } from "../host_rights.ts";
import { isPrivateSlug, type ReadableSlug } from "../slug.ts";
import { findRoom } from "../store.ts";
import { room_internal_limits } from "../limits.ts";
import { readableSlug, roleIn, roomNotFound, type AdmissionRules } from "./roles.ts";

const members = "members:";
const left = "member left:";

/** Published when the members of a room or their roles change. */
export const membersTopic = (slug: string): string => `${members}${slug}`;

/** Published when a name is a member of a room no more. Its waits and streams there end. No slug has a space. */
export const leftTopic = (slug: string, canonical: string): string => `${left}${slug} ${canonical}`;

export type Admission = ReturnType<typeof createAdmission>;

interface AdmissionDeps extends AdmissionRules {
  storage: Pick<FeatureStorage, "read" | "onChange">;
  open_calls: Pick<OpenCalls, "refuse">;
}

export function createAdmission({ storage, claimedSince, open_calls }: AdmissionDeps) {
  const roles = new Cache<Role | "none">({
    sizeOf: () => 1,
    size_max: room_internal_limits.known_roles_chars_max,
    value_size_max: 1,
  });
  storage.onChange("invalidate", (topic) => {
    if (topic === null) {
      roles.invalidate(null);
      open_calls.refuse((_, topics) => (topics.some(isPrivateTopic) ? callAgain() : null));
    } else if (topic.startsWith(members)) roles.invalidate(topic);
    else if (topic.startsWith(left)) {
      const [slug, canonical] = topic.slice(left.length).split(" ") as [string, string];
      const isOfRoom = (followed: string) => followed.endsWith(`:${slug}`);
      open_calls.refuse(({ name }, topics) =>
        name === canonical && topics.some(isOfRoom) ? roomNotFound() : null,
      );
    }
  });

  /** The role of a name in a private room, from memory if possible. With another key it is another name. */
  const roleOf = (slug: string, { canonical, key_sha256 }: Identity): Ready<Role | "none"> =>
    roles.getReady(
      membersTopic(slug),
      `${slug} ${canonical} ${key_sha256}`,
      async () => (await storage.read((tx) => roleIn(tx, { claimedSince }, slug, canonical))) ?? "none",
    );

  /** The role of the reader in a room; null if the room is not private, or the reader is no member. */
  function roleFor({ identity }: Caller, slug: string): Ready<Role | null> {
    if (identity === null || !isPrivateSlug(slug)) return null;
    return whenReady(roleOf(slug, identity), (role) => (role === "none" ? null : role));
  }

  /** Lets a reader into a room, or one that may not be there. At once if it is not private. Throws `room_not_found`. */
  function admit(reader: Caller, slug: string): Ready<ReadableSlug> {
    if (!isPrivateSlug(slug)) return readableSlug(slug);
    return whenReady(roleFor(reader, slug), (role) =>
      role === null ? Promise.reject(roomNotFound()) : readableSlug(slug),
    );
  }

  return {
    admit,

    roleFor,

    /** The same for what a host does: with the host key of the room it needs no member. */
    async admitHost(caller: Caller, slug: string, host_key: HostKey): Promise<ReadableSlug> {
      if (!isPrivateSlug(slug) || host_key === null) return admit(caller, slug);
      const room = await storage.read((tx) => findRoom(tx, slug));
      const has_key = sameDigest(room?.host_key_sha256 ?? "", hostKeyDigest(host_key));
      return has_key ? readableSlug(slug) : admit(caller, slug);
    },

    /** Those of `posts` that the name may read, of any rooms. */
    async readableBy<Ref extends { room: string }>(
      canonical: string,
      posts: readonly Ref[],
    ): Promise<(Ref & { room: ReadableSlug })[]> {
      const slugs = new Set(posts.map(({ room }) => room).filter(isPrivateSlug));
      const hidden = new Set<string>();
      for (const slug of slugs)
        if (!(await storage.read((tx) => roleIn(tx, { claimedSince }, slug, canonical)))) hidden.add(slug);
      return posts.filter(({ room }) => !hidden.has(room)) as (Ref & { room: ReadableSlug })[];
    },
  };
}

const isPrivateTopic = (topic: string): boolean => isPrivateSlug(topic.slice(topic.indexOf(":") + 1));
