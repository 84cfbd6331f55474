/** Restored backups: they serve the same answers as the original, and refuse what they must. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restore } from "../../src/app/restore.ts";
import { createLog } from "../../src/core/log.ts";
import { compressTo, decompressTo } from "../../src/storage/sqlite/zstd.ts";
import { startWithStorage } from "../support/backups.ts";
import { FakeClock } from "../support/clock.ts";
import { fixtureDatabase } from "../support/fixtures.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { open, speak } from "../support/rooms.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";
import { moveToEngine } from "../support/moved.ts";

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
  await moveToEngine(data_dir);
  const service = await startSource({ data_dir });
  expect(answers.filter((answer) => !/ 200 /.test(answer))).toEqual([]);
  expect(await read(service.url)).toEqual(answers);
  await service.stop();
});

describe("refuses a compressed backup", () => {
  const damaged = join(folder, "damaged");
  /** Restores these bytes into a missing and into an empty directory, which must be so afterwards. */
  async function expectRefused(bytes: Uint8Array): Promise<void> {
    const [missing, empty] = [join(folder, "missing"), join(folder, "empty")];
    writeFileSync(damaged, bytes);
    mkdirSync(empty, { recursive: true });
    for (const data_dir of [missing, empty]) {
      const outcome = await restore(damaged, data_dir, deps).then(() => "restored", String);
      expect(outcome).toStartWith(`Error: ${damaged} cannot be restored: `);
    }
    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(empty)).toEqual([]);
  }

  test("that is cut off, also by one byte", async () => {
    const whole = readFileSync(file);
    for (const length of [0, 3, 4, whole.length / 2, whole.length - 4, whole.length - 1]) {
      await expectRefused(whole.subarray(0, length));
    }
  });

  test("that lacks the last of its frames", async () => {
    const [plain, compressed] = [join(folder, "long"), join(folder, "long.zst")];
    await decompressTo(file, plain);
    const database = new Database(plain);
    database.run("CREATE TABLE filling AS SELECT randomblob(5000000) AS bytes");
    database.close();
    await compressTo(plain, compressed);
    const whole = readFileSync(compressed);
    const second = whole.indexOf(whole.subarray(0, 4), 4);
    expect(second).toBeGreaterThan(0);
    await expectRefused(whole.subarray(0, second));
  });

  test("with one bit changed, wherever that is", async () => {
    const whole = readFileSync(file);
    const content = Bun.zstdDecompressSync(whole);
    /** Some bits, such as padding, have no meaning. */
    const hasMeaning = (bytes: Uint8Array): boolean => {
      try {
        return !Bun.zstdDecompressSync(bytes).equals(content);
      } catch {
        return true;
      }
    };
    const { below } = testRandom("bits of a backup");
    for (let i = 0; i < 40; i++) {
      const bytes = new Uint8Array(whole);
      bytes[below(bytes.length)]! ^= 1 << below(8);
      if (hasMeaning(bytes)) await expectRefused(bytes);
    }
  });
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

describe("refuses a backup whose schema is not that of its version, and names what differs", () => {
  test.each([
    [
      "trigger",
      "foreign trigger planted",
      "CREATE TRIGGER planted AFTER INSERT ON posts BEGIN DELETE FROM names; END",
    ],
    ["view", "foreign view planted", "CREATE VIEW planted AS SELECT * FROM signing_keys"],
    ["index", "foreign index planted", "CREATE INDEX planted ON posts (body)"],
    ["table", "foreign table planted", "CREATE TABLE planted (text TEXT)"],
    ["virtual table", "foreign table planted", "CREATE VIRTUAL TABLE planted USING fts5(text)"],
    ["column", "changed table posts", "ALTER TABLE posts ADD COLUMN planted TEXT"],
    ["default", "changed table names", "ALTER TABLE names RENAME COLUMN acts TO planted"],
    ["missing index", "missing index posts_numbered", "DROP INDEX posts_numbered"],
  ])("%s", async (kind, named, sql) => {
    const [changed, data_dir] = [join(folder, `${kind}.db`), join(folder, `${kind} restored`)];
    await decompressTo(file, changed);
    const database = new Database(changed);
    database.run(sql);
    database.close();
    const reason = await restore(changed, data_dir, deps).then(() => "restored", String);
    expect(reason).toStartWith(`Error: ${changed} cannot be restored: `);
    expect(reason).toContain(named);
    expect(existsSync(data_dir)).toBe(false);
  });

  test("but restores a backup of the first release, and one with the statistics of ANALYZE", async () => {
    const [first, analyzed] = [join(folder, "first.db"), join(folder, "analyzed.db")];
    writeFileSync(first, fixtureDatabase(9));
    await decompressTo(file, analyzed);
    const database = new Database(analyzed);
    database.run("ANALYZE");
    database.close();
    for (const source of [first, analyzed]) {
      const { tables } = await restore(source, `${source}.restored`, deps);
      expect(tables.posts).toBeGreaterThan(0);
    }
  });
});

describe("expands a compressed backup no further than it declares", () => {
  /** One frame of zeros, made of blocks that repeat a byte 128 KB each (RFC 8878, section 3.1.1.2). */
  function frameOfZeros(megabytes: number): Buffer {
    const blocks = Array.from({ length: 8 * megabytes }, (_, i) => {
      const is_last = i === 8 * megabytes - 1 ? 1 : 0;
      const header = is_last | (1 << 1) | ((128 * 1024) << 3);
      return [header & 255, (header >> 8) & 255, header >> 16, 0];
    });
    return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...blocks.flat()]);
  }

  test.each([
    ["zeros, which declare nothing", () => frameOfZeros(256), /it is no database/, 1_000_000],
    [
      "a database that zeros follow",
      () => Buffer.concat([readFileSync(file), frameOfZeros(256)]),
      /it is longer than it declares/,
      4_000_000,
    ],
    [
      "more than the disk holds",
      () => {
        const start = Buffer.alloc(4096);
        start.set(Bun.zstdDecompressSync(readFileSync(file)).subarray(0, 4096));
        start.writeUInt32BE(0xfffffffe, 28);
        return Buffer.concat([Bun.zstdCompressSync(start), frameOfZeros(256)]);
      },
      /it needs 17592187 MB, but \d+ MB of the disk are free/,
      1_000_000,
    ],
  ])("%s", async (title, bytes, reason, bytes_max) => {
    const bomb = join(folder, title);
    writeFileSync(bomb, bytes());
    expect(await decompressTo(bomb, `${bomb}.db`).then(() => "expanded", String)).toMatch(reason);
    expect(statSync(`${bomb}.db`).size).toBeLessThan(bytes_max);
    const data_dir = join(folder, "bombed");
    expect(await restore(bomb, data_dir, deps).then(() => "restored", String)).toMatch(reason);
    expect(existsSync(data_dir)).toBe(false);
  });
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
