/** What is stored of leases, in the form of the model: it says whether a step was done whose answer was lost. */

import type { Tx } from "../../src/core/storage.ts";
import type { LeaseModel } from "./lease_model.ts";

interface LeaseState {
  /** The latest rooms, the newest first. */
  rooms: {
    slug: string;
    is_closed: boolean;
    fence: number;
    place: number;
    leases: { fence: number; holder: string; paths: string[]; ends_ms: number }[];
    places: { place: number; name: string; paths: string[]; ends_ms: number }[];
  }[];
  suspended: string[];
}

/** In older rooms nothing changes any more. */
const rooms_shown = 5;

export const modelState = ({ rooms, suspended }: LeaseModel): LeaseState => ({
  rooms: rooms
    .slice(-rooms_shown)
    .toReversed()
    .map((room) => structuredClone(room)),
  suspended: [...suspended],
});

/** The state of the rooms and names that begin with `world`. */
export async function storedState(tx: Tx, world: string): Promise<LeaseState> {
  const rooms = await tx.all<{ seq: number; slug: string; closed_at: string | null }>(
    `SELECT seq, slug, closed_at FROM rooms WHERE slug LIKE $1 ORDER BY seq DESC LIMIT ${rooms_shown}`,
    `${world}-room-%`,
  );
  const shown: LeaseState["rooms"] = [];
  for (const { seq, slug, closed_at } of rooms) {
    const { fence = 0, place = 0 } =
      (await tx.get<{ fence: number; place: number }>(
        "SELECT fence, place FROM lease_rooms WHERE room = $1",
        seq,
      )) ?? {};
    const leases = await tx.all<{ fence: number; holder: string; expires: string }>(
      "SELECT fence, holder, expires FROM leases WHERE room = $1 ORDER BY fence LIMIT 1000",
      seq,
    );
    const places = await tx.all<{ place: number; name: string; expires: string }>(
      "SELECT place, name, expires FROM lease_places WHERE room = $1 ORDER BY place LIMIT 1000",
      seq,
    );
    const leased = await tx.all<{ path: string; number: number }>(
      "SELECT path, fence AS number FROM leased_paths WHERE room = $1 ORDER BY path LIMIT 1000",
      seq,
    );
    const awaited = await tx.all<{ path: string; number: number }>(
      "SELECT path, place AS number FROM awaited_paths WHERE room = $1 ORDER BY path LIMIT 1000",
      seq,
    );
    const pathsOf = (rows: { path: string; number: number }[], n: number): string[] =>
      rows.filter(({ number }) => number === n).map(({ path }) => path);
    shown.push({
      slug,
      is_closed: closed_at !== null,
      fence,
      place,
      leases: leases.map(({ fence, holder, expires }) => ({
        fence,
        holder,
        paths: pathsOf(leased, fence),
        ends_ms: Date.parse(expires),
      })),
      places: places.map(({ place, name, expires }) => ({
        place,
        name,
        paths: pathsOf(awaited, place),
        ends_ms: Date.parse(expires),
      })),
    });
  }
  const suspended = await tx.all<{ canonical: string }>(
    "SELECT canonical FROM name_rules WHERE rule = 'suspended' AND canonical LIKE $1 LIMIT 100",
    `${world}person%`,
  );
  return { rooms: shown, suspended: suspended.map(({ canonical }) => canonical) };
}
