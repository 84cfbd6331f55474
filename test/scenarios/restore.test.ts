/** Restored backups: they serve the same answers as the original, and refuse what they must. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restore } from "../../src/app/restore.ts";
import { createLog } from "../../src/core/log.ts";
import { startWithStorage } from "../support/backups.ts";
import { FakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { open, speak } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";

const folder = newDirectory();
const file = join(folder, "compressed");
const clock = new FakeClock();
const deps = { clock, random: seededRandom(7), log: createLog(clock, "error", () => {}) };
let answers: string[];
let paths: string[];

const read = (url: string): Promise<string[]> =>
  Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path);
      return `${path} ${response.status} ${(await response.text()).replaceAll(url, "BASE")}`;
    }),
  );

beforeAll(async () => {
  const { service, storage } = await startWithStorage();
  const room = await open(service.url, "Restored rooms");
  for (let i = 0; i < 5; i++) await speak(room, `text ${i}`);
  const path = `/meet/r/${room.slug}`;
  const round = Math.floor(clock.now() / 60_000) - 1;
  paths = ["/api/meet/rooms", "/meet", path, `${path}.md`, `/api/meet/rooms/${room.slug}`, "/api/jobs"];
  paths.push(
    `/api/meet/rooms/${room.slug}/export.jsonl`,
    `/api/beacon/${round}`,
    "/api/beacon/days/2026-03-05",
  );
  answers = await read(service.url);
  await storage.backup(file, { compress: true });
  await service.stop();
});
afterAll(() => removeDirectory(folder));

test.each(["one", "two", "three"])("a restored instance serves the same answers: %s", async (name) => {
  const data_dir = join(folder, name);
  await restore(file, data_dir, deps);
  const service = await startSource({ data_dir });
  expect(answers.filter((answer) => !/ 200 /.test(answer))).toEqual([]);
  expect(await read(service.url)).toEqual(answers);
  await service.stop();
});

test("refuses a newer schema, and leaves no directory", async () => {
  const newer = join(folder, "newer.db");
  const database = new Database(newer);
  database.run("CREATE TABLE beacon_days (day TEXT)");
  database.run("PRAGMA user_version = 999");
  database.close();
  const data_dir = join(folder, "none");
  const reason = await restore(newer, data_dir, deps).catch(String);
  expect(reason).toContain("schema version 999");
  expect(existsSync(data_dir)).toBe(false);
});

test("a restore that fails removes its own files alone", async () => {
  const data_dir = join(folder, "shared");
  const cut_off = join(folder, "cut off");
  await Bun.write(cut_off, (await Bun.file(file).bytes()).slice(0, -100));
  const failure = restore(cut_off, data_dir, deps).catch(String);
  writeFileSync(join(data_dir, "notes"), "of somebody else");
  expect(await failure).toContain("Error: ");
  expect(readdirSync(data_dir)).toEqual(["notes"]);
});
