/** The file of the database becomes smaller after posts were removed, also one that an older release has made. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { RetentionReport } from "../../../src/admin/schema.ts";
import type { OpenedRoom } from "../../../src/rooms/schema.ts";
import { migrations } from "../../../src/storage/migrations.ts";
import { asOwner } from "../../support/admin.ts";
import { FakeClock } from "../../support/clock.ts";
import { clockAfter, fixtureOf, placeFixture } from "../../support/fixtures.ts";
import { get, post } from "../../support/http.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";

const older = migrations.length - 1;
const directories = [newDirectory(), newDirectory()];
afterAll(() => directories.forEach(removeDirectory));

test.each([
  ["a new database", directories[0]!, null],
  ["a database of an older release", directories[1]!, older],
])("%s", async (_what, data_dir, schema) => {
  if (schema !== null) placeFixture(schema, data_dir);
  const clock = () => (schema === null ? new FakeClock() : clockAfter(fixtureOf(schema)));
  const filled = await startSource({ data_dir }, clock());
  const opened = await post<OpenedRoom>(`${filled.url}/api/meet/rooms`, { goal: "Long posts", name: "Zoe" });
  const room = opened.body;
  const posts = 500;
  for (let i = 0; i < posts; i++) {
    const body = `Post number ${i}: ${`word${i} `.repeat(400)}`.slice(0, 4_000);
    await post(`${room.api}/posts`, { name: "Bob", body });
  }
  await filled.stop();
  const file = join(data_dir, "wharf.db");
  const before = statSync(file).size;

  const service = await startSource({ data_dir }, clock());
  const run = await asOwner<RetentionReport>(service, "POST", "/api/admin/retention?posts_by_room=10");
  expect(run.body.counts.posts).toBeGreaterThanOrEqual(posts - 10);
  const { body } = await get<{ posts: { n: number }[] }>(`${service.url}/api/meet/rooms/${room.slug}`);
  expect(body.posts.map(({ n }) => n)).toEqual(Array.from({ length: 10 }, (_, i) => posts - 9 + i));
  await service.stop();

  // The texts alone had 2 MB. Pages of the search index stay, with fewer words, until it merges them.
  expect(before - statSync(file).size).toBeGreaterThan(1_600_000);
  const database = new Database(file, { readonly: true });
  expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  expect(database.query("PRAGMA freelist_count").values()[0]![0]).toBeLessThan(100);
  database.close();
});
