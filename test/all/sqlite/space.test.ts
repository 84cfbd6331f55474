/** The file of the database becomes smaller after posts were removed, also one that an older release has made. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RetentionReport } from "../../../src/api/admin.ts";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { storage_limits } from "../../../src/storage/limits.ts";
import { migrations } from "../../../src/storage/migrations.ts";
import { asOwner } from "../../support/admin.ts";
import { FakeClock } from "../../support/clock.ts";
import { clockAfter, fixtureOf, placeFixture } from "../../support/fixtures.ts";
import { filesIn } from "../../support/directories.ts";
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

test("gives pages back after a start that a migration has freed, with what is in them", async () => {
  const data_dir = newDirectory();
  directories.push(data_dir);
  placeFixture(older, data_dir);
  const file = join(data_dir, "wharf.db");
  const database = new Database(file);
  // As a migration leaves it.
  database.run("PRAGMA secure_delete = FAST");
  const fill =
    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4000) SELECT 'nixenwort' || hex(zeroblob(1000)) AS text FROM n";
  database.run(`CREATE TABLE old AS ${fill}`);
  database.run("DROP TABLE old");
  database.close();
  const before = statSync(file).size;
  expect(readFileSync(file).includes("nixenwort")).toBe(true);
  const service = await startSource({ data_dir }, clockAfter(fixtureOf(older)));
  const freePages = () => {
    const reader = new Database(file, { readonly: true });
    const [[free]] = reader.query("PRAGMA freelist_count").values() as [[number]];
    reader.close();
    return free;
  };
  while (freePages() > storage_limits.free_pages_min) await Bun.sleep(20);
  await service.stop();
  expect(before - statSync(file).size).toBeGreaterThan(7_000_000);
  const whole = new Database(file, { readonly: true });
  expect(whole.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  whole.close();
});

test("stores posts again after a flooded room was deleted, at once and after a restart, and stays below --disk-max", async () => {
  const max_bytes = 6_000_000;
  const settings = { data_dir: newDirectory(), disk_max_bytes: max_bytes };
  directories.push(settings.data_dir);
  let service = await startSource(settings);
  const usedBytes = () =>
    filesIn(settings.data_dir).reduce((sum, name) => sum + statSync(join(settings.data_dir, name)).size, 0);
  const body = "🪵".repeat(4_000);
  const say = async (room: string) =>
    (await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "Bob", body })).status;
  const ready = async () => (await get(`${service.url}/readyz`)).status;
  const openRoom = async (goal: string) =>
    (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, { goal, name: "Zoe" })).body.slug;
  const [quiet, flooded] = [await openRoom("A room that stays"), await openRoom("A flood")];
  while ((await say(flooded)) === 201);
  const flood_bytes = usedBytes();
  expect(await say(quiet)).toBe(507);

  await asOwner(service, "POST", `/api/admin/rooms/${flooded}/delete`, { reason: "A flood" });
  while ((await ready()) === 503);
  expect(await say(quiet)).toBe(201);
  await service.stop();
  service = await startSource(settings, new FakeClock("2026-03-02T00:00:00.000Z"));
  expect(await say(quiet)).toBe(201);

  // The limit holds for a second flood as it did for the first.
  let most_bytes = 0;
  for (let posts = 0; posts < 150 && (await say(quiet)) === 201; posts++)
    most_bytes = Math.max(most_bytes, usedBytes());
  expect(most_bytes).toBeLessThan(Math.max(max_bytes, flood_bytes));
  await service.stop();
});
