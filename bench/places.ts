/** Reads of a place in a room with a million posts against rooms with a hundred: by number, by time and by id. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { isoTime } from "../src/core/clock.ts";
import { idText, type Packed } from "../src/storage/packed.ts";
import { fill, removeThrough } from "./filled.ts";
import { getRequest, load } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { newDirectory, serveCommand, start, type Server } from "./servers.ts";
import { perSecond, whole, type Row } from "./table.ts";

const rounds = 5;
/** As many small rooms as it takes for different requests: a page that was read before comes from the cache. */
const sizes = { small: { rooms: 600, posts_by_room: 100 }, large: { rooms: 1, posts_by_room: 1_000_000 } };
/** Enough for all rounds of a kind. */
const requests_count = 60_000;

/** Rooms with a post every second on the average, in bursts. */
async function makeRooms({ rooms, posts_by_room }: typeof sizes.small) {
  const began_ms = Math.floor(Date.now() / 60_000) * 60_000 - (posts_by_room + 3_600) * 1_000;
  const timeOf = (seq: number): number => {
    const n = Math.ceil(seq / rooms);
    const in_minute = n % 60;
    const second = in_minute < 10 ? in_minute * 3 : 30 + ((in_minute - 10) * 30) / 50;
    return began_ms + Math.floor(n / 60) * 60_000 + Math.floor(second * 1_000);
  };
  const directory = newDirectory();
  await fill(directory, { rooms, posts_by_room, timeOf });
  const server = await start(serveCommand(directory));
  return { directory, rooms, posts_by_room, timeOf: (n: number) => timeOf(n * rooms), server };
}
type Rooms = Awaited<ReturnType<typeof makeRooms>>;

function idOf(database: Database, room: number, n: number): string {
  const row = database.query("SELECT id FROM posts WHERE room = ? AND n = ?").get(room, n);
  return idText((row as { id: Packed }).id);
}

/** The places that are read: numbers after `from`, all over the rooms. */
const places = ({ rooms, posts_by_room }: Rooms, from: number) =>
  Array.from({ length: requests_count }, (_, i) => ({
    room: 1 + (i % rooms),
    n: from + 1 + ((Math.floor(i / rooms) * 7_919) % (posts_by_room - from)),
    i,
  }));

/** What a kind of read names, with the goal for its ratio. */
const kinds: Record<
  string,
  {
    at_most: number;
    sinceOf(rooms: Rooms, place: { room: number; n: number; i: number }, database: Database): string | number;
  }
> = {
  "by number": { at_most: 1.15, sinceOf: (_, { n }) => n },
  "by a time in the last minute": {
    at_most: 1.15,
    sinceOf: ({ timeOf, posts_by_room }, { i }) => isoTime(timeOf(posts_by_room) - (i % 60_000)),
  },
  "by any time": { at_most: 1.5, sinceOf: ({ timeOf }, { n, i }) => isoTime(timeOf(n) - (i % 500)) },
  "by id": { at_most: 1.5, sinceOf: (_, { room, n }, database) => idOf(database, room, n) },
};

/** Reads for a second. Takes out of `paths` what it may have read. */
async function rate({ url }: Server, paths: string[]): Promise<number> {
  const requests = paths.splice(0, requests_count / rounds).map((path) => getRequest(url, path));
  return (await load(url, { requests, connections: 4, seconds: 1 })).per_second;
}

export async function benchPlaces(): Promise<Row[]> {
  const [small, large] = [await makeRooms(sizes.small), await makeRooms(sizes.large)];
  const rows: Row[] = [];
  const measure = async (more: string, removed: number) => {
    for (const [kind, { at_most, sinceOf }] of Object.entries(kinds)) {
      const pathsOf = (rooms: Rooms, from: number): string[] => {
        using database = new Database(join(rooms.directory, "wharf.db"), { readonly: true });
        return places(rooms, from).map(
          (place) => `/api/meet/rooms/room-${place.room}?since=${sinceOf(rooms, place, database)}&limit=1`,
        );
      };
      const [of_small, of_large] = [pathsOf(small, 0), pathsOf(large, removed)];
      const seen = await sideBySide(rounds, {
        small: () => rate(small.server, of_small),
        large: () => rate(large.server, of_large),
      });
      rows.push({
        what: `reads ${kind} in a room with ${whole(large.posts_by_room)} posts${more}`,
        value: perSecond(seen.large),
        compared: `${perSecond(seen.small)} in rooms with ${small.posts_by_room}`,
        ratio: seen.small / seen.large,
        goal: { at_most },
      });
    }
  };
  await measure("", 0);
  const half = large.posts_by_room / 2;
  await large.server.stop();
  await removeThrough(large.directory, 1, half);
  large.server = await start(serveCommand(large.directory));
  await measure(", half of them removed", half);
  await small.server.stop();
  await large.server.stop();
  return rows;
}
