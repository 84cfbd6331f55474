/** The private rooms of which a caller is a member. Nothing of them is cached. */

import type { Caller, Identity } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import type { Tx } from "../../core/storage.ts";
import { checkSearchLimit, type SearchRunner } from "../../core/search.ts";
import type { RoomSearches } from "../feature.ts";
import { cursorAt, placeOf, type RoomsQuery } from "../queries.ts";
import { roomFromRow, type ListedRoom, type RoomsPage } from "../representations.ts";
import { first_cursor, isInState, type RoomCursor } from "../store.ts";
import { room_internal_limits } from "../limits.ts";
import { membershipsCountSince, type AdmissionRules } from "./roles.ts";
import { membershipsAfter, ownRooms } from "./store.ts";

interface OwnRoomsDeps extends AdmissionRules {
  storage: Pick<FeatureStorage, "read">;
  search: SearchRunner<RoomSearches>;
  clock: Pick<Clock, "turn">;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
}

interface Place extends RoomCursor {
  room: number;
}

/** The memberships up to the room `after`: the first places of the page among them, and how many are listed. */
interface Slices {
  after: number;
  first: Place[];
  total: number;
}

/** Whether a room is listed before another: the most recently active first. */
const isBefore = (a: RoomCursor, b: RoomCursor): boolean =>
  a.last_active === b.last_active ? a.slug > b.slug : a.last_active > b.last_active;

export function createOwnRooms({ storage, search, clock, claimedSince, identityOf }: OwnRoomsDeps) {
  const per_slice = room_internal_limits.memberships_per_slice;

  /** Those of these rooms of which the name is a member now, in this order. */
  async function roomsAt(tx: Tx, canonical: string, places: Place[]): Promise<ListedRoom[]> {
    if (places.length === 0) return [];
    const counts_since = await membershipsCountSince(tx, { claimedSince }, canonical);
    const rows = await ownRooms(
      tx,
      canonical,
      places.map(({ room }) => room),
    );
    const found = new Map(rows.map((row) => [row.seq, row]));
    return places.flatMap(({ room }) => {
      const row = found.get(room);
      return row && row.since >= counts_since ? { ...roomFromRow(row), role: row.role } : [];
    });
  }

  return {
    /**
     * A page of the private rooms of which the caller is a member, the most recently active first, each with the caller's role: open and
     * closed ones unless the filter says which. Reads all memberships, in slices, because others can make a name a member of many rooms.
     * Throws `credential_required`.
     */
    async listOwn(caller: Caller, { filter, limit, cursor }: RoomsQuery): Promise<RoomsPage> {
      const { canonical } = identityOf(caller);
      const begin = cursor === undefined ? first_cursor : placeOf(cursor);

      /** With the next memberships: the first places of the page, and the page if there are no more memberships. */
      async function readOn(tx: Tx, { after, first, total }: Slices) {
        const counts_since = await membershipsCountSince(tx, { claimedSince }, canonical);
        const slice = await membershipsAfter(tx, canonical, after, per_slice);
        const listed = slice.filter((place) => place.since >= counts_since && isInState(place, filter));
        const so_far = {
          after: slice.at(-1)?.room ?? after,
          first: [...first, ...listed.filter((place) => isBefore(begin, place))]
            .sort((a, b) => (isBefore(a, b) ? -1 : 1))
            .slice(0, limit + 1),
          total: total + listed.length,
        };
        if (slice.length === per_slice) return { so_far, page: null };
        const places = so_far.first.slice(0, limit);
        const next = so_far.first.length > limit ? cursorAt(places.at(-1)!) : null;
        const page = { rooms: await roomsAt(tx, canonical, places), total: so_far.total, next };
        return { so_far, page };
      }

      let slices: Slices = { after: 0, first: [], total: 0 };
      for (;;) {
        const from = slices;
        const { so_far, page } = await storage.read((tx) => readOn(tx, from));
        if (page) return page;
        slices = so_far;
        await clock.turn();
      }
    },

    /**
     * A page of those of these rooms whose goal or posts have all words of `q`, each with the caller's role, as in the search among public
     * rooms. Throws `credential_required`.
     */
    async searchOwn(caller: Caller, query: RoomsQuery & { q: string; posts?: number }): Promise<RoomsPage> {
      const { canonical } = identityOf(caller);
      checkSearchLimit(query.limit);
      return search.run(caller, "rooms.search_own", { ...query, canonical });
    },
  };
}
