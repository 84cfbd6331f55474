/** How SQLite lists and searches the private rooms of a name: by its memberships, however many there are, its own and those of others. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { claimedSince } from "../../../src/names/commands.ts";
import { indexNext } from "../../../src/rooms/indexing_store.ts";
import { createOwnRooms } from "../../../src/rooms/members/own_rooms.ts";
import { searchOwn } from "../../../src/rooms/members/search.ts";
import { membershipsAfter, membershipsBefore, ownRooms } from "../../../src/rooms/members/store.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { plansOf } from "../../support/plans.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

test("each statement searches an index, and lists begin with the memberships of the name", async () => {
  const plans = await plansOf(async (tx) => {
    await membershipsAfter(tx, "ada", 0, 500);
    await membershipsBefore(tx, "ada", 9, 250);
    await ownRooms(tx, "ada", [1, 2, 3]);
  });
  const searches = plans.map((lines) => lines.filter((line) => /SEARCH|B-TREE/.test(line)));
  const by_name = (of_room: string) => [
    `SEARCH room_members USING INDEX room_members_name (canonical=? AND room${of_room}?)`,
    "SEARCH rooms USING INTEGER PRIMARY KEY (rowid=?)",
  ];
  expect(searches).toEqual([
    by_name(">"),
    by_name("<"),
    [
      "SEARCH rooms USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH room_members USING PRIMARY KEY (room=? AND canonical=?)",
    ],
  ]);
});

/** More than two slices of a list, and than four queries of a search. */
const count = 1_203;

let directory: string;
let connection: Connection;
beforeAll(async () => {
  directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  connection = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  const { database } = connection;
  database.run("BEGIN");
  database.run("DELETE FROM room_members");
  const insert = database.query(
    "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, last_active, active_second, changed, posts) " +
      "VALUES (?1, ?2, 'ada', 1, 'unlisted', '', ?3, ?3, SUBSTR(?3, 1, 19), ?3, 0) RETURNING seq",
  );
  // Rooms that were opened one after the other were active in another order.
  for (let i = 0; i < count; i++) {
    const at = new Date(Date.UTC(2030, 0, 1) + ((i * 7) % count) * 1000).toISOString();
    const goal = i === 5 ? "A plover and a curlew" : i < 900 ? "A plover" : "Nothing";
    const { seq } = insert.get(`private--${String(i)}`, goal, at) as { seq: number };
    for (const name of i % 3 === 0 ? ["ada", "bob-2"] : ["ada"])
      database.run("INSERT INTO room_members VALUES (?1, ?2, 'member', ?3)", [seq, name, at]);
  }
  while (await indexNext(connection));
  database.run("COMMIT");
});
afterAll(() => {
  connection.close();
  removeDirectory(directory);
});

const own = (canonical: string) =>
  createOwnRooms({
    storage: { read: (query) => query(connection) },
    search: { run: () => Promise.reject(new Error("It is a list.")) },
    clock: { turn: () => Promise.resolve() },
    claimedSince,
    identityOf: () => ({ name: canonical, canonical, key_sha256: "" }),
  });

/** What the pages of a list or a search have together. */
async function allOf<Page extends { rooms: { slug: string }[]; next: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<{ slugs: string[]; pages: Page[] }> {
  const pages = [await read(undefined)];
  for (let { next } = pages[0]!; next !== null; next = pages.at(-1)!.next) pages.push(await read(next));
  return { slugs: pages.flatMap(({ rooms }) => rooms.map(({ slug }) => slug)), pages };
}

const caller = { identity: null } as never;

test.each(["ada", "bob-2"])("lists all rooms of %s in the order of activity, in slices", async (name) => {
  const { slugs, pages } = await allOf((cursor) =>
    own(name).listOwn(caller, { filter: {}, limit: 400, cursor }),
  );
  const expected = Array.from({ length: count }, (_, i) => i)
    .filter((i) => name === "ada" || i % 3 === 0)
    .sort((a, b) => ((b * 7) % count) - ((a * 7) % count))
    .map((i) => `private--${String(i)}`);
  expect(slugs).toEqual(expected);
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected.length));
});

test.each([
  ["plover", 900],
  ["plover curlew", 1],
  ["nothing", 303],
  ["sandpiper", 0],
])("finds %s in all rooms, each once", async (q, found) => {
  const now = "2031-01-01T00:00:00.000Z";
  const { slugs, pages } = await allOf((cursor) =>
    searchOwn(connection, { claimedSince }, { canonical: "ada", q, filter: {}, limit: 100, cursor, now }),
  );
  expect([slugs.length, new Set(slugs).size]).toEqual([found, found]);
  expect(pages.length).toBeLessThanOrEqual(found / 100 + 6);
});
