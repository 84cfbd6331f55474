/** The operations of rooms, called by every transport. */

import type { Chunks } from "../core/chunks.ts";
import type { Caller, Identity } from "../core/caller.ts";
import type { Waits } from "../core/waits.ts";
import type { Presence } from "../core/presence.ts";
import type { RoomSearches } from "./feature.ts";
import { ServiceError } from "../core/errors.ts";
import { errorText, type Log } from "../core/log.ts";
import { no_meter, type Meter } from "../core/meter.ts";
import { createRoomCaches } from "./caches.ts";
import type { EarlierMention } from "../api/names/names.ts";
import { completeSlugs } from "./completions.ts";
import { saltSource } from "../core/random.ts";
import { issueSecret } from "../core/idempotency.ts";
import { secret_prefixes } from "../core/secrets.ts";
import type { IdempotentCall } from "../core/storage.ts";
import type { Ready } from "../core/ready.ts";
import { checkSearchLimit, type SearchRunner } from "../core/search.ts";
import {
  eventsSince,
  followFrom,
  latestRoom,
  listRooms,
  findRoom,
  readPost,
  roomsOpened,
  timeOf,
  type LeaseReads,
  type ListQuery,
  type RoomsQuery,
} from "./queries.ts";
import { rooms_opened } from "./commands.ts";
import { createHosting, type HostingDeps, type NotStored } from "./hosting.ts";
import { withMentions } from "./mentions.ts";
import { createExcerpts } from "./excerpts.ts";
import { createAuthorReads } from "./author_reads.ts";
import type { DeliveryRules } from "./delivery.ts";
import { withoutOwnPace, type SpeakInput } from "./posting.ts";
import type { SpeakRequest } from "./speak_request.ts";
import { paceOf } from "./pace/pace.ts";
import { Pairs } from "./pace/pairs.ts";
import { presentIn } from "./waiting.ts";
import { countRooms } from "./store.ts";
import { createReads, type IsOwn } from "./reads.ts";
import type { Position, PostRef } from "./positions.ts";
import { missedBy } from "./missed.ts";
import { type RoomRecord, type RoomsPage, wordsOf } from "./representations.ts";
import type { OpenRoom, Post } from "../api/rooms/rooms.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import { roomTopic, slugsOf, type ReadableSlug } from "./slug.ts";
import type { Admission } from "./members/admission.ts";
import { createOwnRooms } from "./members/own_rooms.ts";
import { readableSlug } from "./members/roles.ts";
import type { RoomFilter } from "../api/rooms/params.ts";
import { allRooms } from "./slices.ts";
import type { Present } from "../api/rooms/present.ts";

interface RoomsDeps extends HostingDeps, Pick<DeliveryRules, "notesOfPosts"> {
  admission: Admission;
  search: SearchRunner<RoomSearches>;
  waits: Waits;
  leases: LeaseReads;
  presence: Pick<Presence, "at" | "isWaitedAt">;
  /** Returns the suspended ones of these claimed names. */
  suspendedAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  log: Pick<Log, "error">;
  meter?: Meter;
}

interface OpenOptions {
  call?: IdempotentCall | undefined;
  /** The text of a first post by the opener, stored in the same transaction. */
  first_post?: string;
}

interface Opened {
  room: RoomRecord;
  first_post: Post | null;
  /** Null in the answer to a repeated call with a weak idempotency key. */
  host_key: string | null;
}

export type Rooms = ReturnType<typeof createRooms>;

/** Most events that a stream reads at once, and keeps in memory while its reader is slow. */
const events_per_chunk = 50;

export function createRooms({
  storage,
  commands,
  admission,
  search,
  waits,
  leases,
  presence,
  clock,
  random,
  canonicalName,
  claimedSince,
  identityOf,
  suspendedAmong,
  notesOfPosts,
  instance_pace,
  log,
  meter = no_meter,
}: RoomsDeps) {
  const { lists, ...pages } = createRoomCaches(storage, meter);
  const reads = createReads({ storage, clock, waits, leases, admission }, pages);
  const newSalt = saltSource(random);
  const pairs = instance_pace === undefined ? null : new Pairs(paceOf(instance_pace));

  const notStored: NotStored = async (room, id) => {
    const post = await storage.read((tx) => readPost(tx, readableSlug(room), id, true));
    return post ? { n: post.n, in_reply_to: post.in_reply_to, salt: post.salt } : { salt: undefined };
  };

  /** Recognises the posts with the key of `identity`, and those under the name `not_by`; undefined if neither is given. */
  function ownPosts(identity: Identity | null, not_by?: string): IsOwn | undefined {
    if (identity === null && not_by === undefined) return undefined;
    return ({ name, claimed }) => name === not_by || (claimed && canonicalName(name) === identity?.canonical);
  }

  const orMissed = missedBy(reads.readStored, admission.refuseFormer, ownPosts);

  return {
    /** Opens a room. Only this call returns the host key. */
    async open(caller: Caller, request: OpenRoom, { call, first_post }: OpenOptions = {}): Promise<Opened> {
      const { goal, name, visibility = "public" } = request;
      const now_ms = clock.now();
      const paced = request.pace === undefined ? pairs : null;
      const opener = paced ? canonicalName(name) : "";
      const elsewhere = paced?.before(null, opener, now_ms);
      const host_key = issueSecret(secret_prefixes.host_key, random, call);
      let salt: string | undefined;
      const newPost = (body: string) => ({ id: random.uuid(now_ms), body, salt: (salt = newSalt()) });
      const input = async () => ({
        ...request,
        identity: caller.identity,
        visibility,
        now_ms,
        slugs: slugsOf(visibility, random, goal),
        host_key_sha256: host_key.sha256,
        ...(first_post && { first_post: newPost(first_post) }),
        ...(elsewhere && { elsewhere, instance_pace }),
      });
      const written = await commands.run(caller, "rooms.open", name, input, call);
      const { room: stored_room, first_post: stored } = written.result;
      if (written.repeated && visibility === "private") await admission.admit(caller, stored_room.slug);
      const room = { ...stored_room, ...wordsOf(request), host: { name, ...stored_room.host } };
      if (!written.repeated) paced?.posted(room.slug, opener, now_ms, true, stored !== null);
      const opened = { room, first_post: null, host_key: host_key.given(written) };
      if (!stored) return opened;
      const said = { n: 1, room: room.slug, name, in_reply_to: null, body: first_post! };
      if (written.repeated) salt = (await notStored(room.slug, stored.id)).salt;
      return { ...opened, first_post: withMentions({ ...stored, ...said, salt }, canonicalName) };
    },

    /** Posts in a room. Throws `MovedOn`. */
    async speak(caller: Caller, request: SpeakRequest, call?: IdempotentCall): Promise<Post> {
      const { room, name, body, in_reply_to = null, read_to, if_latest, quiet, add_members } = request;
      // Before the answer to an earlier call is repeated. The command checks it again.
      if (isPrivateSlug(room)) await admission.admit(caller, room);
      const now_ms = clock.now();
      const id = random.uuid(now_ms);
      const salt = newSalt();
      const { identity } = caller;
      const input: SpeakInput = { identity, room, id, name, body, salt, in_reply_to, now_ms };
      if (instance_pace) input.instance_pace = instance_pace;
      const speaker = pairs ? canonicalName(name) : "";
      const elsewhere = pairs?.before(room, speaker, now_ms);
      if (elsewhere) input.elsewhere = elsewhere;
      if (read_to !== undefined) input.read_to = read_to;
      if (if_latest !== undefined) input.if_latest = if_latest;
      if (quiet) input.quiet = true;
      if (add_members) input.add_members = true;
      const speaking = commands.run(caller, "rooms.speak", name, input, call);
      const { result, repeated } = await orMissed(speaking, caller, room, if_latest);
      if (!repeated && !result.own_pace) pairs?.posted(room, speaker, now_ms);
      const said = { id: result.id, n: result.n, ts: result.ts, room, name, claimed: result.claimed };
      const post: Post = { ...said, in_reply_to: result.in_reply_to, body, salt };
      if (quiet) post.quiet = true;
      const spoken = result.mentioned
        ? withMentions({ ...post, ...withoutOwnPace(result) }, canonicalName)
        : post;
      return repeated ? { ...spoken, ...(await notStored(room, result.id)) } : spoken;
    },

    ...createHosting(
      { storage, commands, admission, clock, random, canonicalName, claimedSince, identityOf, instance_pace },
      newSalt,
      notStored,
      orMissed,
      pairs,
    ),

    ...reads,

    ...createOwnRooms({ storage, search, clock, claimedSince, identityOf }),

    ownPosts,

    admit: admission.admit,
    whileAdmitted: admission.whileAdmitted,
    refuseFormer: admission.refuseFormer,
    admitHost: admission.admitHost,
    roleFor: admission.roleFor,
    stillReads: admission.stillReads,

    ...createAuthorReads({
      ...{ storage, presence, canonicalName, claimedSince, identityOf, suspendedAmong, notesOfPosts },
    }),

    /** The time of the position `since` in a room. Throws `invalid_fields`. */
    timeOf: (room: ReadableSlug, since: Position): Promise<string> =>
      storage.read((tx) => timeOf(tx, room, since)),

    /** The topic that is published when anything changes in this room, and the one when a public room is opened. */
    topic: roomTopic,
    opened_topic: rooms_opened,

    /** Open public rooms that were opened after `cursor` (undefined: now), and the position after them. */
    opened: (cursor?: string): Promise<{ rooms: RoomRecord[]; cursor: string }> =>
      storage.read(async (tx) =>
        cursor === undefined ? { rooms: [], cursor: await latestRoom(tx) } : roomsOpened(tx, cursor),
      ),

    /** A room without its posts. */
    find: (slug: ReadableSlug): Promise<RoomRecord> => storage.read((tx) => findRoom(tx, slug)),

    /** Slug completions for a prefix, at most `limit`. */
    complete: (caller: Caller, begun: string, limit: number): Promise<string[]> =>
      completeSlugs({ storage, search }, caller, begun, limit),

    /** Whether somebody waits in a room now. Says nothing of whether there is the room. */
    isWaitedIn: (slug: string): boolean => presence.isWaitedAt(roomTopic(slug)),

    /** Who waits in a room now, and who did lately. Throws `room_not_found` and `room_deleted`. */
    async present(slug: ReadableSlug): Promise<Present> {
      await reads.read({ room: slug, limit: 1 });
      const at = presence.at(roomTopic(slug));
      const known = isPrivateSlug(slug) ? await admission.membersAt(slug, at) : at;
      return presentIn(slug, known, clock.now(), suspendedAmong);
    },

    ...createExcerpts({ storage, admission, canonicalName }),

    /** The post of the room with this number or id, or null. */
    post: (room: ReadableSlug, ref: PostRef): Promise<Post | null> =>
      storage.read((tx) => readPost(tx, room, ref)),

    /** A page of public rooms, the most recently active first. */
    list: (query: ListQuery): Ready<RoomsPage> =>
      lists.getReady("rooms", JSON.stringify(query), () => storage.read((tx) => listRooms(tx, query))),

    /** A page of the public rooms whose goal or posts have all words of `q`, open and closed unless the filter says which. */
    async search(caller: Caller, query: RoomsQuery & { q: string; posts?: number }): Promise<RoomsPage> {
      checkSearchLimit(query.limit);
      return search.run(caller, "rooms.search", query);
    },

    /**
     * The latest posts in public rooms before `before` that mention a name. None if the search fails, as one of a caller that has
     * searched too often does: what it follows is done.
     */
    async mentionsOf(caller: Caller, name: string, before: string): Promise<EarlierMention[]> {
      try {
        return await search.run(caller, "rooms.mentions", { name, before });
      } catch (error) {
        if (!(error instanceof ServiceError)) log.error("claim.mentions_failed", { error: errorText(error) });
        return [];
      }
    },

    /** The number of public rooms. */
    count: (filter: RoomFilter): Promise<number> => storage.read((tx) => countRooms(tx, filter)),

    /** All public rooms, most recently active first, in slices. */
    all: (filter: RoomFilter): Chunks<RoomRecord[]> => allRooms({ storage, clock }, filter),

    /** Events of a room later than `since`, for streams. */
    events: (room: ReadableSlug, since: string) =>
      storage.read((tx) => eventsSince(tx, room, since, events_per_chunk, leases)),

    /** The start of a stream of the room, for a requested `since`. */
    followFrom: (room: ReadableSlug, since?: Position, last_event_id: string | null = null) =>
      storage.read((tx) => followFrom(tx, room, since, last_event_id, leases)),
  };
}
