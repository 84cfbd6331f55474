/** The reads of a single post, and what became of posts, which their authors alone see. */

import type { Caller, Identity } from "../core/caller.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { ServiceError } from "../core/errors.ts";
import type { Presence } from "../core/presence.ts";
import type { Tx } from "../core/storage.ts";
import type { Delivered, PostDelivery } from "../api/rooms/delivery.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { DeliveryRules, Found, OwnPost } from "./delivery.ts";
import { room_errors } from "./errors.ts";
import type { RoomCommands } from "./feature.ts";
import { hasWritten } from "./host_rights.ts";
import { roomOrFailure } from "./lookup.ts";
import { postOrFailure, type PostRef } from "./positions.ts";
import { postFromRow, roomFromRow, type RoomRecord } from "./representations.ts";
import { roomTopic, type ReadableSlug } from "./slug.ts";

interface AuthorReadDeps extends DeliveryRules {
  storage: Pick<FeatureStorage<RoomCommands>, "read">;
  presence: Pick<Presence, "at">;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
  /** Returns the suspended ones of these claimed names. */
  suspendedAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Loaded with the first such read, so that the service does not start later because of it. */
const ofDelivery = () => import("./delivery.ts");

export function createAuthorReads(deps: AuthorReadDeps) {
  const { storage, presence, canonicalName, claimedSince, identityOf, suspendedAmong } = deps;

  /** Those of `posts` that the name has written since it was claimed. */
  async function ownOf(tx: Tx, { canonical }: Identity, posts: readonly Post[]): Promise<OwnPost[]> {
    const claimed_at = (await claimedSince(tx, [canonical])).get(canonical);
    return claimed_at === undefined
      ? []
      : posts.filter((post) => hasWritten({ canonicalName }, post, canonical, claimed_at));
  }

  /** What the author sees of those whom posts of a room concern. */
  async function shown(slug: string, found: ReadonlyMap<number, Found[]>): Promise<Map<number, Delivered[]>> {
    const claimed = [...found.values()].flat().filter(({ since }) => since !== undefined);
    const suspended = await suspendedAmong([...new Set(claimed.map(({ name }) => name))]);
    const { deliveredTo } = await ofDelivery();
    const here = presence.at(roomTopic(slug));
    const shownOf = (one: Found) => deliveredTo(one, suspended.has(one.name), here);
    return new Map(Array.from(found, ([n, addressees]) => [n, addressees.map(shownOf)]));
  }

  return {
    /** A post with its room. Throws `room_not_found`, `room_deleted`, `post_not_found` and `post_removed`. */
    postIn: (slug: ReadableSlug, ref: PostRef): Promise<{ room: RoomRecord; post: Post }> =>
      storage.read(async (tx) => {
        const room = await roomOrFailure(tx, slug);
        return { room: roomFromRow(room), post: postFromRow(await postOrFailure(tx, room, ref), slug) };
      }),

    /** What became of a post of the caller. Throws what `postIn` throws, `credential_required` and `not_your_post`. */
    async deliveryOf(caller: Caller, slug: ReadableSlug, ref: PostRef): Promise<PostDelivery> {
      const identity = identityOf(caller);
      const { addresseesOf } = await ofDelivery();
      const found = await storage.read(async (tx) => {
        const room = await roomOrFailure(tx, slug);
        const own = await ownOf(tx, identity, [postFromRow(await postOrFailure(tx, room, ref), slug)]);
        if (own.length > 0) return addresseesOf(tx, deps, room, own);
        throw new ServiceError(
          room_errors.not_your_post,
          "What became of a post is shown to the claimed name that wrote it, with its key.",
          { situation: "delivery" },
        );
      });
      const [[n, delivery]] = [...(await shown(slug, found))] as [[number, Delivered[]]];
      return { n, delivery };
    },

    /**
     * What became of those of `posts` that the name has written since it was claimed, by their numbers. `posts`: as they were read, in
     * their order. Reads nothing if the name has written none of them.
     */
    async deliveriesIn(
      slug: ReadableSlug,
      identity: Identity,
      posts: readonly Post[],
    ): Promise<ReadonlyMap<number, Delivered[]>> {
      const { canonical } = identity;
      const may_be_own = posts.filter(({ name, claimed }) => claimed && canonicalName(name) === canonical);
      if (may_be_own.length === 0) return new Map();
      const { addresseesOf } = await ofDelivery();
      const found = await storage.read(async (tx) => {
        const own = await ownOf(tx, identity, may_be_own);
        return own.length === 0
          ? new Map<number, Found[]>()
          : addresseesOf(tx, deps, await roomOrFailure(tx, slug), own);
      });
      return shown(slug, found);
    },
  };
}
