/** The log of a database: damage is found, and what a power cut leaves is no damage. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readWal } from "../../../src/storage/sqlite/wal.ts";
import { readWalIndex } from "../../../src/storage/sqlite/wal_index.ts";
import { testRandom, type TestRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const cuts = Number(process.env.WHARF_TEST_CUTS ?? 120);
const root = newDirectory();
afterAll(() => removeDirectory(root));
const page_bytes = 4096;
const frame_bytes = 24 + page_bytes;
const sector_bytes = 512;
let made = 0;
const newFile = (): string => join(root, `${++made}.db`);

/** Opens a database whose commits wait for their flush, as the writer does. */
function open(file: string): Database {
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("CREATE TABLE IF NOT EXISTS rows (number INTEGER PRIMARY KEY, text TEXT)");
  return database;
}

/** Commits rows that fill some pages. */
function commit(database: Database, { below }: TestRandom): void {
  database.transaction(() => {
    for (let row = below(12); row >= 0; row--)
      database.run("INSERT INTO rows (text) VALUES (?)", [`${below(1e9)} `.repeat(below(600))]);
    database.run("DELETE FROM rows WHERE number < (SELECT MAX(number) - 40 FROM rows)");
  })();
}

/** `after` as a power cut may leave it: each sector that is not as in `before` is written or not. */
function torn(before: Buffer, after: Buffer, { below }: TestRandom): Buffer {
  const bytes = Buffer.from(after);
  for (let at = 0; at < bytes.length; at += sector_bytes) {
    if (below(4) > 0) continue;
    bytes.fill(0, at, Math.min(at + sector_bytes, bytes.length));
    if (at < before.length) before.copy(bytes, at, at, at + sector_bytes);
  }
  return below(3) === 0 ? bytes.subarray(0, before.length + below(bytes.length - before.length + 1)) : bytes;
}

test(`finds no damage in what ${cuts} power cuts leave, one after the other`, () => {
  const random = testRandom("torn logs");
  let file = newFile();
  open(file).close();
  let tails = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const database = open(file);
    const log = `${file}-wal`;
    for (let commits = random.below(4); commits >= 0; commits--) commit(database, random);
    if (random.below(4) === 0) database.query("PRAGMA wal_checkpoint(RESTART)").get();
    const flushed = readWalIndex(`${file}-shm`)!;
    const before = readFileSync(log);
    // The header of a log that begins again is flushed before its frames.
    commit(database, random);
    const after = readFileSync(log);
    after.copy(before, 0, 0, 32);
    const next = newFile();
    copyFileSync(file, next);
    writeFileSync(`${next}-wal`, torn(before, after, random));
    const has_begun_again = !Bun.deepEquals(readWalIndex(`${file}-shm`)!.salts, flushed.salts);
    database.close();
    for (const end of ["", "-wal"]) rmSync(file + end, { force: true });
    file = next;
    const wal = readWal(`${file}-wal`, page_bytes);
    if (wal.has_tail) tails++;
    const has_lost = !has_begun_again && wal.frames < flushed.frames;
    expect({ cut, damaged_frame: wal.damaged_frame, has_lost }).toEqual({
      cut,
      damaged_frame: null,
      has_lost: false,
    });
  }
  expect(tails).toBeGreaterThan(cuts / 4);
});

test("finds no damage in a torn frame whose header is half that of an earlier commit", () => {
  const file = newFile();
  const database = open(file);
  database.run("INSERT INTO rows (text) VALUES ('one page')");
  for (let i = 0; i < 60; i++) database.run("UPDATE rows SET text = ?", [`one page ${i}`]);
  const before = readFileSync(`${file}-wal`);
  database.query("PRAGMA wal_checkpoint(RESTART)").get();
  database.transaction(() => {
    for (let i = 0; i < 200; i++) database.run("INSERT INTO rows (text) VALUES (?)", ["x".repeat(2_000)]);
  })();
  const bytes = readFileSync(`${file}-wal`);
  database.close();
  // The header of frame 42 has its first 8 bytes, with the mark of a commit, in one sector, and its salts and checksum in the next.
  const at = 32 + 41 * frame_bytes;
  expect([at % sector_bytes, before.readUInt32BE(at + 4) > 0, bytes.readUInt32BE(at + 4)]).toEqual([
    504,
    true,
    0,
  ]);
  before.copy(bytes, at + 8 - sector_bytes, at + 8 - sector_bytes, at + 8);
  const torn_log = newFile();
  writeFileSync(torn_log, bytes);
  expect(readWal(torn_log, page_bytes)).toMatchObject({ frames: 0, has_tail: true, damaged_frame: null });
});

/** A log of 30 commits, and the numbers of their last frames. */
function logOfCommits(random: TestRandom): { log: string; bytes: Buffer; ends: number[] } {
  const file = newFile();
  const database = open(file);
  const ends = Array.from({ length: 30 }, () => {
    commit(database, random);
    return readWalIndex(`${file}-shm`)!.frames;
  });
  const bytes = readFileSync(`${file}-wal`);
  database.close();
  return { log: newFile(), bytes, ends };
}

test("finds one changed byte in the header and in every part of a frame, if two commits follow", () => {
  const random = testRandom("changed bytes");
  const { log, bytes, ends } = logOfCommits(random);
  const known = ends.at(-3)!;
  const places = [
    ...Array.from({ length: 32 }, (_, at) => [1, at] as const),
    ...Array.from({ length: 24 }, (_, at) => {
      const frame = 1 + random.below(known);
      return [frame, 32 + (frame - 1) * frame_bytes + at] as const;
    }),
    ...Array.from({ length: 300 }, () => {
      const frame = 1 + random.below(known);
      return [frame, 32 + (frame - 1) * frame_bytes + 24 + random.below(page_bytes)] as const;
    }),
  ];
  for (const [frame, at] of places) {
    const changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ (1 << random.below(8));
    // Of the other byte order: refused with a reason of its own.
    if (at === 3 && changed[at] === (bytes[at]! ^ 1)) continue;
    writeFileSync(log, changed);
    expect([at, readWal(log, page_bytes).damaged_frame]).toEqual([at, frame]);
  }
});

test("reads the frames of committed transactions, as the index counts them", () => {
  const random = testRandom("whole logs");
  const { log, bytes, ends } = logOfCommits(random);
  writeFileSync(log, bytes);
  expect(readWal(log, page_bytes)).toMatchObject({
    frames: ends.at(-1),
    has_tail: false,
    damaged_frame: null,
  });
  writeFileSync(log, bytes.subarray(0, 32 + ends[9]! * frame_bytes + 100));
  expect(readWal(log, page_bytes)).toMatchObject({ frames: ends[9], has_tail: true, damaged_frame: null });
});
