/** Posts are found by their time and by their id as a look at every post finds them, however they came. */

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { isoTime } from "../../src/core/clock.ts";
import { room_internal_limits } from "../../src/rooms/limits.ts";
import {
  beginIdSearch,
  continueIdSearch,
  lastNumberAt,
  numberOfId,
  type IdSearch,
  type PostPlace,
} from "../../src/rooms/places_store.ts";
import { insertPosts } from "../../src/rooms/posts_store.ts";
import { insertRoom } from "../../src/rooms/store.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { testRandom } from "../support/seed.ts";

const { below, oneOf } = testRandom("post places");
const start_ms = Date.parse("2026-03-01T12:00:00.000Z");
const { id_behind_ms_max } = room_internal_limits;

const tx = new Connection(new Database(":memory:"), { busy_ms: 0 });
migrate(tx.database);
afterAll(() => tx.close());

const idOf = (ms: number): string => Bun.randomUUIDv7("hex", ms);

interface Placed {
  id: string;
  n: number;
  ts: number;
}

/** How long after the one before a post comes, and how far its id is behind it. */
const manners: Record<string, { gap(): number; behind(): number }> = {
  evenly: { gap: () => 1_000, behind: () => 0 },
  "in bursts": { gap: () => (below(20) === 0 ? 86_400_000 : 1), behind: () => below(3) },
  "so fast that times run ahead of the clock": { gap: () => 1, behind: () => below(3 * id_behind_ms_max) },
  "with clocks that are set": { gap: () => 1 + below(5_000), behind: () => below(200_000) - 100_000 },
};

/** Fills a room with posts. */
async function fill(slug: string, { gap, behind }: (typeof manners)[string], count: number) {
  const room = (await insertRoom(tx, {
    slug,
    goal: slug,
    host: "Ada",
    host_claimed: 0,
    visibility: "public",
    author: null,
    host_key_sha256: "",
    created: isoTime(start_ms),
  }))!;
  const posts: Placed[] = [];
  let ts = start_ms;
  for (let n = 1; n <= count; n++) {
    ts += gap();
    posts.push({ id: idOf(ts - behind()), n, ts });
  }
  const said = {
    name: "Ada",
    claimed: 0,
    author: null,
    in_reply_to: null,
    in_reply_to_n: null,
    body: "x",
    salt: null,
  };
  await insertPosts(
    tx,
    posts.map((post) => ({ ...said, ...post, ts: isoTime(post.ts), room: room.seq })),
  );
  await tx.run("UPDATE rooms SET posts = $1, last_post = $2 WHERE seq = $3", count, isoTime(ts), room.seq);
  return { room: room.seq, posts };
}

/** The number of the latest post at or before a time, by a look at every post. */
const lookedUp = (posts: Placed[], ms: number, removed: number): number =>
  posts.findLast((post) => post.ts <= ms)?.n ?? removed;

describe.each(Object.entries(manners))("posts that come %s", (name, manner) => {
  test.each([0, 1, 2, 17, 3_000])("are found by time and by id among %d", async (count) => {
    const { room, posts } = await fill(`${name} ${count}`, manner, count);
    const check = async (stored: Placed[], removed: number) => {
      const tried = Array.from({ length: 60 }, () => (posts.length > 0 ? oneOf(posts).ts : start_ms));
      for (const ms of [start_ms - 1, start_ms, ...tried, (posts.at(-1)?.ts ?? start_ms) + 1]) {
        for (const around of [ms - 1, ms, ms + 1]) {
          expect(await lastNumberAt(tx, room, isoTime(around))).toBe(lookedUp(stored, around, removed));
        }
      }
      for (const { id, n } of tried
        .map((ts) => stored.find((post) => post.ts === ts))
        .filter((one) => one !== undefined)) {
        expect(await numberOfId(tx, room, id)).toBe(n);
        expect(await placeOf(id)).toEqual({ room, n });
      }
    };
    await check(posts, 0);
    expect(await numberOfId(tx, room, idOf(start_ms + 5))).toBeUndefined();
    if (count < 17) return;

    // Retention removes the first half, and somebody a few rows by hand.
    const removed = Math.floor(count / 2);
    await tx.run("DELETE FROM posts WHERE room = $1 AND n <= $2", room, removed);
    await tx.run(
      "UPDATE rooms SET removed_through = $1, removed_until = $2 WHERE seq = $3",
      removed,
      isoTime(posts[removed - 1]!.ts),
      room,
    );
    const without = posts.slice(removed).filter(({ n }) => n % 7 !== 0 || n === count);
    for (const { n } of posts) {
      if (n % 7 === 0 && n !== count) await tx.run("DELETE FROM posts WHERE room = $1 AND n = $2", room, n);
    }
    await check(without, removed);
    expect(await numberOfId(tx, room, posts[0]!.id)).toBeUndefined();
    expect(await placeOf(posts[0]!.id)).toBeNull();
  });
});

/** Where an id is in any room. */
async function placeOf(id: string): Promise<PostPlace | null> {
  let step: PostPlace | IdSearch | null = await beginIdSearch(tx, id);
  while (step !== null && !("n" in step)) step = await continueIdSearch(tx, id, step);
  return step;
}

test("an id whose time leads to its post is in no index", async () => {
  const { room } = await fill("no index", manners.evenly!, 100);
  const indexed = await tx.get(
    "SELECT COUNT(*) AS count FROM posts WHERE room = $1 AND id_indexed = 1",
    room,
  );
  expect(indexed).toEqual({ count: 0 });
});
