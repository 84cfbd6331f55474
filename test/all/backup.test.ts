/** Online backups: whole, verified, without erased text, and never half a file. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AppStorage } from "../../src/app/storage.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { storage_limits } from "../../src/storage/limits.ts";
import { backupTo, verify } from "../../src/storage/sqlite/backup.ts";
import { clearFreePages } from "../../src/storage/sqlite/free_pages.ts";
import { decompressTo } from "../../src/storage/sqlite/zstd.ts";
import { bodiesIn, integrityOf, startWithStorage } from "../support/backups.ts";
import { call, post } from "../support/http.ts";
import { open, speak } from "../support/rooms.ts";
import { newDirectory, removeDirectory, type SourceService } from "../support/service.ts";

let service: SourceService;
let storage: AppStorage;
let folder: string;
beforeEach(async () => {
  folder = newDirectory();
  ({ service, storage } = await startWithStorage());
});
afterEach(async () => {
  await service.stop();
  removeDirectory(folder);
});

const namesIn = (directory: string) => readdirSync(directory).sort();

test("writes one verified file for its owner alone, and counts the rows of each table", async () => {
  const room = await open(service.url, "Backups");
  for (let i = 0; i < 3; i++) await speak(room, `text ${i}`);
  const file = join(folder, "new", "wharf.backup");
  const { bytes, tables, schema_version } = await storage.backup(file);
  expect(namesIn(join(folder, "new"))).toEqual(["wharf.backup"]);
  expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 });
  expect(integrityOf(file)).toBe("ok");
  expect(tables).toMatchObject({ rooms: 1, signing_keys: 1 });
  expect(tables.posts).toBe(bodiesIn(file).size);
  expect(Object.keys(tables).filter((name) => /search_/.test(name))).toEqual(["search_progress"]);
  expect(verify(file)).toEqual({ tables, schema_version });
});

test("holds every write that was acknowledged before, while others write on", async () => {
  const room = await open(service.url, "Load");
  const acknowledged: string[] = [];
  const state = { is_over: false, writes_max: 0 };
  const write = async (writer: number) => {
    for (let i = 0; !state.is_over; i++) {
      // A backup has a low priority: on a busy machine, writers without a limit would leave it no time.
      while (acknowledged.length >= state.writes_max && !state.is_over) await Bun.sleep(5);
      const body = `${writer}.${i} ${"wood ".repeat(600)}`.trim();
      const { status } = await post(`${room.api}/posts`, { name: `w${writer}`, body });
      expect(status).toBe(201);
      acknowledged.push(body);
    }
  };
  const writers = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  let log_bytes = 0;
  for (let round = 0; round < 3; round++) {
    const had = acknowledged.length;
    state.writes_max = had + 1_500;
    while (acknowledged.length < had + 500) await Bun.sleep(5);
    const before = [...acknowledged];
    const file = join(folder, `${round}.db`);
    const progress: number[] = [];
    await storage.backup(file, { onProgress: (copied, total) => progress.push(copied / total) });
    log_bytes = Math.max(log_bytes, statSync(join(service.directory, "wharf.db-wal")).size);
    expect(progress.at(-1)).toBe(1);
    const stored = bodiesIn(file);
    expect(before.filter((body) => !stored.has(body))).toEqual([]);
    expect(integrityOf(file)).toBe("ok");
  }
  state.is_over = true;
  await writers;
  expect(log_bytes).toBeLessThan(2 * storage_limits.wal_bytes_max);
  expect(service.output()).not.toContain("storage.log_held");
});

test("holds one state, though a checkpoint runs and empties the log while it copies", async () => {
  const source = join(folder, "source.db");
  await storage.backup(source);
  using database = new Database(source);
  database.run("PRAGMA journal_mode = WAL");
  // Without free pages, the first text is at the beginning of the file and the last at its end, in other chunks of the copy. Each is
  // longer than a page, because the first page of each table is at the beginning.
  const textOf = (n: number) => String(n).repeat(9_000);
  database.run("VACUUM");
  database.run("CREATE TABLE texts (place TEXT, text TEXT)");
  for (const [place, text] of Object.entries({ first: textOf(0), middle: " ".repeat(4e6), last: textOf(0) }))
    database.run("INSERT INTO texts VALUES (?1, ?2)", [place, text]);
  database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  let changes = 0;
  const onProgress = () => {
    // Not while the log is copied, which would never end.
    if (changes === 4) return;
    database.run("UPDATE texts SET text = ?1 WHERE place <> 'middle'", [textOf(++changes)]);
    database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  };
  const file = join(folder, "copy.db");
  await backupTo(source, file, { onProgress });
  expect(changes).toBe(4);
  using copy = new Database(file, { readonly: true });
  const texts = copy.query<{ text: string }, []>("SELECT text FROM texts WHERE place <> 'middle'").all();
  expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
  expect(integrityOf(file)).toBe("ok");
});

test("compresses with zstd", async () => {
  const room = await open(service.url, "Small");
  await speak(room, "wood ".repeat(700));
  const [plain, compressed, again] = ["plain", "compressed", "again"].map((name) => join(folder, name));
  const { bytes } = await storage.backup(plain!);
  const small = await storage.backup(compressed!, { compress: true });
  expect(small.bytes).toBeLessThan(bytes / 2);
  expect(namesIn(folder)).toEqual(["compressed", "plain"]);
  await decompressTo(compressed!, again!);
  expect(verify(again!).tables).toEqual(small.tables);
});

describe("contains no erased text", () => {
  test("of a post that was redacted just before", async () => {
    const room = await open(service.url, "Erased");
    const key = { "x-meet-key": room.host_key };
    for (let i = 0; i < 40; i++) {
      const { body } = await post<Post>(`${room.api}/posts`, { name: "Ada", body: `heron${i}`.repeat(300) });
      await call("DELETE", `${room.api}/posts/${body.id}`, undefined, key);
    }
    const file = join(folder, "erased.db");
    await storage.backup(file);
    expect(readFileSync(file).includes("heron")).toBe(false);
  });

  test("in pages that were freed without being overwritten", () => {
    const file = join(folder, "freed.db");
    const database = new Database(file);
    database.run("PRAGMA secure_delete = OFF");
    database.run("CREATE TABLE others (text TEXT)");
    database.run("INSERT INTO others VALUES ('pelican')");
    database.run("CREATE TABLE texts (text TEXT)");
    const insert = database.prepare("INSERT INTO texts VALUES (?)");
    database.transaction(() => {
      for (let i = 0; i < 20_000; i++) insert.run("heron".repeat(100));
    })();
    insert.finalize();
    database.run("DROP TABLE texts");
    database.close();
    expect(readFileSync(file).includes("heron")).toBe(true);
    clearFreePages(file);
    expect(readFileSync(file).includes("heron")).toBe(false);
    expect(integrityOf(file)).toBe("ok");
    expect(verify(file).tables).toEqual({ others: 1 });
  });
});

describe("refuses, and leaves nothing behind", () => {
  test("a file that exists", async () => {
    const file = join(folder, "mine");
    writeFileSync(file, "precious");
    expect(storage.backup(file)).rejects.toThrow("exists already. A backup overwrites nothing");
    await storage.backup(file).catch(() => {});
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect(namesIn(folder)).toEqual(["mine"]);
  });

  test("a second backup at the same time", async () => {
    const first = storage.backup(join(folder, "first"));
    expect(storage.backup(join(folder, "second"))).rejects.toMatchObject({
      definition: { code: "backup_running" },
    });
    await first;
    expect(namesIn(folder)).toEqual(["first"]);
    await storage.backup(join(folder, "second"));
  });

  test("a folder that cannot be written", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(storage.backup(join(folder, "file", "backup"))).rejects.toThrow("cannot be written");
  });

  test.each([
    ["what must stay free", { max_bytes: 0, min_free_bytes: 2 ** 60 }],
    ["the size of the data directory", { max_bytes: 100_000, min_free_bytes: 0 }],
  ])("a disk without room: %s", async (_limit, disk) => {
    const target = join(service.directory, "backups");
    mkdirSync(target);
    const source = join(service.directory, "wharf.db");
    expect(backupTo(source, join(target, "full"), { disk })).rejects.toThrow("There is no room");
    await Bun.sleep(10);
    expect(namesIn(target)).toEqual([]);
  });

  test("at a stop of the service", async () => {
    const room = await open(service.url, "Stopped");
    await Promise.all(Array.from({ length: 200 }, () => speak(room, "wood ".repeat(700))));
    const file = join(folder, "stopped");
    let stopped: Promise<void> | undefined;
    const backup = storage.backup(file, { onProgress: () => void (stopped ??= storage.close()) });
    expect(backup).rejects.toMatchObject({ definition: { code: "stopping" } });
    await backup.catch(() => {});
    await stopped;
    expect(namesIn(folder)).toEqual([]);
    expect(existsSync(join(service.directory, "wharf.db-wal"))).toBe(false);
  });
});
