/** The list of all rooms while their order changes: every room that existed at the first call is listed once. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { isoTime } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openStorage, type AppStorage } from "../../src/app/storage.ts";
import { listRooms } from "../../src/rooms/queries.ts";
import { allRooms } from "../../src/rooms/slices.ts";
import { FakeClock } from "../support/clock.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { room_internal_limits } from "../../src/rooms/limits.ts";

const count = 3 * room_internal_limits.rooms_per_slice + 50;

let directory: string;
let clock: FakeClock;
let storage: AppStorage;
beforeEach(async () => {
  directory = newDirectory();
  clock = new FakeClock();
  storage = await openStorage(
    directory,
    clock,
    createLog(clock, "error", () => {}),
  );
  for (let i = 0; i < count; i++) await open(`room-${i}`);
});
afterEach(async () => {
  await storage.close();
  removeDirectory(directory);
});

/** Opens a room one second after the one before. */
async function open(slug: string): Promise<void> {
  clock.advance(1);
  await storage.write("rooms.open", {
    identity: null,
    goal: slug,
    name: "Ana",
    visibility: "public",
    now_ms: clock.now(),
    slugs: [slug],
    host_key_sha256: "",
  });
}

const say = (room: string) =>
  storage.write("rooms.speak", {
    identity: null,
    room,
    id: Bun.randomUUIDv7("hex", clock.now()),
    name: "Ana",
    body: "hello",
    salt: "00".repeat(16),
    in_reply_to: null,
    now_ms: clock.now(),
  });

/** The slugs in what is left of a list. */
async function slugsIn(next: ReturnType<typeof allRooms>): Promise<string[]> {
  const slugs: string[] = [];
  for (let rooms = await next(); rooms !== null; rooms = await next()) {
    expect(rooms.length).toBeLessThanOrEqual(room_internal_limits.rooms_per_slice);
    slugs.push(...rooms.map(({ slug }) => slug));
  }
  return slugs;
}

test("lists rooms in the order of their activity, each once", async () => {
  const slugs = await slugsIn(allRooms({ storage, clock }, { closed: false }));
  expect(slugs).toEqual(Array.from({ length: count }, (_, i) => `room-${count - 1 - i}`));
});

test("lists rooms of one second in the order of their activity, and equal times by slug, in pages and as a whole", async () => {
  clock.set(isoTime(Math.ceil(clock.now() / 1000) * 1000 + 1000));
  const spoke: string[] = [];
  for (const i of [7, 2, 90, 41, 3, 8, 60, 5, 2, 41]) {
    await say(`room-${i}`);
    spoke.push(`room-${i}`);
    if (i % 2 === 0) clock.advance(0.001);
  }
  const latest = spoke.toReversed().filter((slug, i, all) => all.indexOf(slug) === i);
  // Those of one millisecond, such as 5 and 2, are in descending order of their slugs.
  const expected = ["41", "5", "2", "60", "8", "3", "90", "7"].map((i) => `room-${i}`);
  expect(expected.toSorted()).toEqual(latest.toSorted());
  const rest = Array.from({ length: count }, (_, i) => `room-${count - 1 - i}`);
  expected.push(...rest.filter((slug) => !expected.includes(slug)));
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { filter: { closed: false }, limit: 3, cursor };
    const page = await storage.read((tx) => listRooms(tx, query));
    paged.push(...page.rooms.map(({ slug }) => slug));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(paged).toEqual(expected);
  expect(await slugsIn(allRooms({ storage, clock }, { closed: false }))).toEqual(expected);
});

test("neither misses nor repeats rooms that become active during the listing", async () => {
  clock.advance(3_600);
  const walk = allRooms({ storage, clock }, { closed: false });
  const next = async () => (await walk())!.map(({ slug }) => slug);
  const slugs = await next();
  // Rooms of earlier pages, rooms of later pages, and the last ones twice.
  for (const i of [count - 1, count - 5, 80, 3, 2, 1, 0]) await say(`room-${i}`);
  slugs.push(...(await next()));
  clock.advance(1);
  for (const i of [50, 1, 0]) await say(`room-${i}`);
  await open("opened-meanwhile");
  slugs.push(...(await slugsIn(walk)));
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(slugs.toSorted()).toEqual(Array.from({ length: count }, (_, i) => `room-${i}`).toSorted());
});
