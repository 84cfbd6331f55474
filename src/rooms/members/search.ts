/** Full-text search among the private rooms of which a caller is a member. */

import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { Tx } from "../../core/storage.ts";
import { searchTerms } from "../../core/text.ts";
import { indexedThrough } from "../../storage/search.ts";
import { roomToken, sources, wantedIn } from "../indexing_store.ts";
import type { ListedRoom, RoomsPage } from "../representations.ts";
import { roomsBelow, type RoomsSearch } from "../search.ts";
import { isInState, type RoomRow } from "../store.ts";
import { room_internal_limits } from "../limits.ts";
import { membershipsCountSince, type AdmissionRules } from "./roles.ts";
import { membershipsBefore } from "./store.ts";

/** The place of a page: it is about rooms with lower seqs, and the first documents of these have lower numbers. */
type Place = [room: number, document: number];

const end = Number.MAX_SAFE_INTEGER;
const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);

interface OwnSearch extends RoomsSearch {
  /** The name of the caller, in its canonical form. */
  canonical: string;
}

/**
 * The private rooms of a name whose goal or posts have all words of `q`, with the role of the name. The memberships are read in the snapshot
 * of the search. One query names a bounded number of rooms: those opened last first, and their rooms are in the order of the search among
 * public rooms.
 */
export async function searchOwn(
  tx: Tx,
  rules: AdmissionRules,
  { canonical, cursor, q, now, ...query }: OwnSearch,
): Promise<RoomsPage> {
  const place: Place | null = cursor === undefined ? [end, end] : decodeCursor(cursor, isPlace);
  const terms = searchTerms(q);
  const counts_since = await membershipsCountSince(tx, rules, canonical);
  const { private_rooms_per_search: at_once, private_searches_per_page } = room_internal_limits;
  const rooms: ListedRoom[] = [];
  let next: Place | null = terms.length > 0 ? place : null;
  for (let i = 0; next !== null && rooms.length === 0 && i < private_searches_per_page; i++) {
    const [before, below]: Place = next;
    const all = await membershipsBefore(tx, canonical, before, at_once);
    const own = all.filter(({ since }) => since >= counts_since);
    const found = await searchIn(tx, { ...query, terms, below }, own);
    rooms.push(...found.rooms);
    if (found.next !== null) next = [before, found.next];
    else next = all.length < at_once ? null : [all.at(-1)!.room, end];
  }
  return {
    rooms,
    total: null,
    next: next && encodeCursor(next),
    indexed_through: await indexedThrough(tx, sources, now),
  };
}

type Found = Awaited<ReturnType<typeof roomsBelow>>;
type Membership = Awaited<ReturnType<typeof membershipsBefore>>[number];

/** The rooms with hits among these. */
async function searchIn(
  tx: Tx,
  {
    terms,
    below,
    filter,
    ...query
  }: Omit<OwnSearch, "canonical" | "q" | "now"> & { terms: string[]; below: number },
  own: Membership[],
): Promise<Found> {
  if (own.length === 0) return { rooms: [], next: null };
  const roles = new Map(own.map(({ slug, role }) => [slug, role]));
  const wanted = wantedIn(tx, "private", terms);
  const within = wanted.within(...own.map(({ room }) => roomToken(room)));
  const shows = (room: RoomRow | undefined): room is RoomRow =>
    room !== undefined && roles.has(room.slug) && isInState(room, filter);
  const found = await roomsBelow(tx, { terms, wanted: { ...wanted, query: within }, shows }, below, query);
  return { ...found, rooms: found.rooms.map((room) => ({ ...room, role: roles.get(room.slug)! })) };
}
