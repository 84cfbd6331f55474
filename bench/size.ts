/** The cost of reads in a database with 100 posts and in one with 1,000,000. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getRequest, load } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { newDirectory, serveCommand, start, type Server } from "./servers.ts";
import { microseconds, whole, type Row } from "./table.ts";

const rounds = 5;
const posts_per_room = 50;
const first_ms = Date.UTC(2026, 0, 1);

const time = (after_seconds: number): string => new Date(first_ms + after_seconds * 1000).toISOString();

/** Starts a service with this many rooms of 50 posts, written directly into its database. */
async function startFilled(rooms: number): Promise<Server> {
  const directory = newDirectory();
  const fresh = await start(serveCommand(directory));
  await fresh.stop();
  const database = new Database(join(directory, "wharf.db"));
  const insertRoom = database.prepare(
    "INSERT INTO rooms (seq, slug, goal, host, host_claimed, visibility, host_key_sha256, created, posts, last_post, " +
      "last_active, changed) VALUES ($1, $2, 'A goal', 'Bench', 0, 'public', '', $3, $4, $5, $5, $5)",
  );
  const insertPost = database.prepare(
    "INSERT INTO posts (id, room, n, ts, name, claimed, body, id_indexed) VALUES ($1, $2, $3, $4, 'Bench', 0, $5, 1)",
  );
  database.transaction(() => {
    for (let room = 1; room <= rooms; room++) {
      insertRoom.run(room, `room-${room}`, time(0), posts_per_room, time(posts_per_room));
      for (let post = 1; post <= posts_per_room; post++) {
        insertPost.run(
          Bun.randomUUIDv7("buffer"),
          room,
          post,
          Date.parse(time(post)),
          `Post ${post} of room ${room}, with a few more words.`,
        );
      }
    }
    // Mark all rows as indexed: only reads are measured.
    for (const source of ["rooms", "posts"]) {
      database.run(`INSERT INTO search_progress SELECT '${source}', max(seq) FROM ${source}`);
    }
  })();
  // An open statement would keep the file open until garbage collection, and checkpoint it during the measurement.
  for (const statement of [insertRoom, insertPost]) statement.finalize();
  database.close(true);
  return start(serveCommand(directory));
}

/** Reads of all rooms in turn, each with a different `since` or `before`, so that no answer is cached. */
function uncachedRequests(url: string, rooms: number, side: "since" | "before"): string[] {
  return Array.from({ length: 20_000 }, (_, i) => {
    const at = new Date(
      side === "since" ? first_ms + (i % 1000) - 86_400_000 * (i % 97) : first_ms + 86_400_000 + i,
    );
    return getRequest(url, `/api/meet/rooms/room-${((i * 7919) % rooms) + 1}?${side}=${at.toISOString()}`);
  });
}

export async function benchSize(): Promise<Row[]> {
  const [few, many] = [2, 20_000];
  const small = await startFilled(few);
  const large = await startFilled(many);
  const time_us = async ({ url }: Server, requests: string[]) =>
    (await load(url, { requests, connections: 1, seconds: 1.5 })).p50_us;
  const compare = async (what: string, requests: (url: string, rooms: number) => string[]): Promise<Row> => {
    const us = await sideBySide(rounds, {
      small: () => time_us(small, requests(small.url, few)),
      large: () => time_us(large, requests(large.url, many)),
    });
    return {
      what: `${what}, ${whole(many * posts_per_room)} posts in the database (p50)`,
      value: microseconds(us.large),
      compared: `${microseconds(us.small)} with ${few * posts_per_room} posts in the database`,
      ratio: us.large / us.small,
    };
  };
  try {
    return [
      await compare("50 posts, from memory", (url) => [getRequest(url, "/api/meet/rooms/room-1")]),
      await compare("50 posts by since, not in memory", (url, rooms) =>
        uncachedRequests(url, rooms, "since"),
      ),
      await compare("50 posts by before, not in memory", (url, rooms) =>
        uncachedRequests(url, rooms, "before"),
      ),
    ];
  } finally {
    await small.stop();
    await large.stop();
  }
}
