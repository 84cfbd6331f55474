/** The files of a data directory at a start: files that do not belong together are refused and not changed. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../support/binary.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { TransactionRunner } from "../../../src/storage/sqlite/group_commit.ts";
import { copyDirectory, fileHashes, refusal } from "../../support/directories.ts";
import { post } from "../../support/http.ts";
import { openRoom, readAll } from "../../support/load.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
let made = 0;
function place(): string {
  const directory = join(root, `place-${++made}`);
  mkdirSync(directory);
  return directory;
}

const posts_before = 200;
const posts_after = 30;
let room: string;
/** Stopped cleanly with the first posts. */
let stopped: string;
/** The same directory, used further and killed: the later posts are in the log alone. */
let killed: string;
/** Of an instance of its own: stopped, and killed. */
let other_stopped: string;
let other_killed: string;

async function speak(url: string, slug: string, count: number): Promise<void> {
  const say = (i: number) =>
    post(`${url}/api/meet/rooms/${slug}/posts`, { name: "ana", body: `${i} `.padEnd(3_000, "x") });
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => say(i)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
}

/** Two directories of one instance: as a clean stop left it, and as a kill did later. */
async function makeInstance(): Promise<{ stopped: string; killed: string; slug: string }> {
  const [stopped, killed] = [place(), place()];
  const first = await startBinary({ data_dir: killed });
  const slug = await openRoom(first.url);
  await speak(first.url, slug, posts_before);
  await first.stop();
  copyDirectory(killed, stopped);
  const second = await startBinary({ data_dir: killed });
  await speak(second.url, slug, posts_after);
  second.process.kill("SIGKILL");
  await second.process.exited;
  return { stopped, killed, slug };
}

beforeAll(async () => {
  ({ stopped, killed, slug: room } = await makeInstance());
  ({ stopped: other_stopped, killed: other_killed } = await makeInstance());
}, 60_000);

const file = (directory: string, suffix = ""): string => join(directory, `wharf.db${suffix}`);
const remove = (directory: string, ...names: string[]) => {
  for (const name of names) rmSync(join(directory, name), { force: true });
};
const copy = (from: string, names?: string[]): string => {
  const directory = place();
  copyDirectory(from, directory, names);
  return directory;
};

/** The number of posts of a service on `directory`. */
async function postsIn(directory: string): Promise<number> {
  const service = await startBinary({ data_dir: directory });
  const posts = await readAll(service.url, room);
  await service.stop();
  return posts.length;
}

const identityOf = (directory: string): string => readFileSync(join(directory, "wharf.id"), "latin1").trim();

describe("refuses to start and changes no byte", () => {
  const cases: [what: string, arrange: () => string, says: RegExp][] = [
    [
      "the database is missing beside its log",
      () => {
        const directory = copy(killed);
        remove(directory, "wharf.db");
        return directory;
      },
      /wharf\.db is missing, but its log \S+wharf\.db-wal is there\. Put back the database/,
    ],
    [
      "the database is missing beside its log, and nothing else is there",
      () => copy(killed, ["wharf.db-wal"]),
      /wharf\.db is missing, but its log/,
    ],
    [
      "the database is missing after a clean stop",
      () => {
        const directory = copy(stopped);
        remove(directory, "wharf.db");
        return directory;
      },
      /wharf\.db is missing, although wharf\.id says .+\. Restore the database from a backup/,
    ],
    [
      "the database is empty beside its log",
      () => {
        const directory = copy(killed);
        truncateSync(file(directory), 0);
        return directory;
      },
      /wharf\.db is empty, but its log/,
    ],
    [
      "the database is empty after a clean stop",
      () => {
        const directory = copy(stopped);
        truncateSync(file(directory), 0);
        return directory;
      },
      /wharf\.db is empty, although wharf\.id says/,
    ],
    [
      "half a database beside its log",
      () => {
        const directory = copy(killed);
        truncateSync(file(directory), statSync(file(directory)).size / 2);
        return directory;
      },
      /wharf\.db is cut off: .+\. Restore it from a backup/,
    ],
    [
      "half a database after a clean stop",
      () => {
        const directory = copy(stopped);
        truncateSync(file(directory), Math.floor(statSync(file(directory)).size / 2) + 100);
        return directory;
      },
      /wharf\.db is cut off/,
    ],
    [
      "a damaged header beside a log",
      () => {
        const directory = copy(killed);
        const bytes = readFileSync(file(directory));
        writeFileSync(file(directory), bytes.fill(0, 0, 100));
        return directory;
      },
      /file is not a database\. Restore it from a backup/,
    ],
    [
      "a first page of noise",
      () => {
        const directory = copy(stopped);
        const bytes = readFileSync(file(directory));
        crypto.getRandomValues(bytes.subarray(16, 4_096));
        writeFileSync(file(directory), bytes);
        return directory;
      },
      /file is not a database|not the database of this directory|cut off/,
    ],
    [
      "another instance's database beside this one's log",
      () => {
        const directory = copy(killed);
        copyDirectory(other_stopped, directory, ["wharf.db"]);
        return directory;
      },
      /wharf\.db-wal is the log of another database .+\. Put back the database/,
    ],
    [
      "another instance's database and identity beside this one's log",
      () => {
        const directory = copy(killed);
        copyDirectory(other_stopped, directory, ["wharf.db", "wharf.id"]);
        return directory;
      },
      /wharf\.db-wal is the log of another database/,
    ],
    [
      "another instance's log beside this one's database",
      () => {
        const directory = copy(stopped);
        copyDirectory(other_killed, directory, ["wharf.db-wal"]);
        return directory;
      },
      /wharf\.db-wal is the log of another database/,
    ],
    [
      "another instance's database and log",
      () => {
        const directory = copy(killed);
        copyDirectory(other_killed, directory, ["wharf.db", "wharf.db-wal"]);
        return directory;
      },
      /wharf\.db is not the database of this directory: wharf\.id says [0-9a-f]{8}, the database [0-9a-f]{8}\. Put/,
    ],
    [
      "another instance's database after a clean stop",
      () => {
        const directory = copy(stopped);
        copyDirectory(other_stopped, directory, ["wharf.db"]);
        return directory;
      },
      /wharf\.db is not the database of this directory/,
    ],
    [
      "a database that a restore, an import or a copy has not finished",
      () => {
        const directory = place();
        writeFileSync(file(directory, ".partial"), readFileSync(file(stopped)));
        return directory;
      },
      /wharf\.db is missing, but \S+wharf\.db\.partial is there: .+\. Repeat that command, or remove the file/,
    ],
    [
      "the log of such a database",
      () => {
        const directory = place();
        writeFileSync(file(directory, ".partial-journal"), "");
        return directory;
      },
      /wharf\.db is missing, but \S+wharf\.db\.partial-journal is there/,
    ],
    [
      "an identity that cannot be read",
      () => {
        const directory = copy(stopped);
        writeFileSync(join(directory, "wharf.id"), "");
        return directory;
      },
      /wharf\.id holds no identity\. Put the right file back/,
    ],
  ];
  test.each(cases)("%s", async (_what, arrange, says) => {
    const directory = arrange();
    const before = fileHashes(directory);
    const refused = await refusal({ data_dir: directory });
    expect(refused.says).toMatch(says);
    // The line says what is wrong, and what to do.
    expect(refused.says.match(/\. (?=[A-Z])/g)).toHaveLength(1);
    expect(refused.status).toBe(1);
    expect(fileHashes(directory)).toEqual(before);
  });
});

test.each([
  ["wharf admin audit", ["admin", "audit"]],
  ["wharf backup", ["backup", join(root, "never.backup")]],
  ["wharf export", ["export", join(root, "never.jsonl")]],
  ["wharf retention", ["retention"]],
  ["wharf keys rotate", ["keys", "rotate"]],
])("%s names the database that is not finished", async (_name, command) => {
  const directory = place();
  writeFileSync(file(directory, ".partial"), "");
  const { exitCode, stderr } = await Bun.$`${binary()} ${command} --data-dir ${directory}`.quiet().nothrow();
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("wharf.db.partial is there")]);
});

test("refuses an earlier state of the database beside the later log, and serves it without that log", async () => {
  const directory = place();
  const first = await startBinary({ data_dir: directory });
  const slug = await openRoom(first.url);
  await first.stop();
  const earlier = copy(directory, ["wharf.db"]);
  // The posts in between are in the database, and no longer in the log.
  const second = await startBinary({ data_dir: directory });
  await speak(second.url, slug, posts_before);
  await second.stop();
  const third = await startBinary({ data_dir: directory });
  await speak(third.url, slug, posts_after);
  third.process.kill("SIGKILL");
  await third.process.exited;

  copyDirectory(earlier, directory);
  const before = fileHashes(directory);
  expect((await refusal({ data_dir: directory })).says).toMatch(/wharf\.db is cut off/);
  expect(fileHashes(directory)).toEqual(before);
  remove(directory, "wharf.db-wal", "wharf.db-shm");
  const restored = await startBinary({ data_dir: directory });
  expect(await readAll(restored.url, slug)).toEqual([]);
  await restored.stop();
});

describe("a start with sound files", () => {
  test("serves the directory of a service that was killed", async () => {
    expect(await postsIn(copy(killed))).toBe(posts_before + posts_after);
  });

  test("serves a database and its log that were copied alone, and gives them an identity", async () => {
    const directory = copy(killed, ["wharf.db", "wharf.db-wal"]);
    expect(await postsIn(directory)).toBe(posts_before + posts_after);
    expect(identityOf(directory)).toMatch(/^[0-9a-f]{8}$/);
  });

  test("serves a database without its log, restored beside its identity", async () => {
    const directory = copy(killed);
    remove(directory, "wharf.db-wal", "wharf.db-shm");
    copyDirectory(stopped, directory, ["wharf.db"]);
    expect(await postsIn(directory)).toBe(posts_before);
  });

  test("serves copies of a directory, each with an identity of its own", async () => {
    const directories = [copy(stopped), copy(stopped)];
    const services = await Promise.all(directories.map((data_dir) => startBinary({ data_dir })));
    for (const service of services) await speak(service.url, room, 1);
    for (const service of services) await service.stop();
    for (const directory of directories) {
      expect(await postsIn(directory)).toBe(posts_before + 1);
    }
    expect(new Set([stopped, ...directories].map(identityOf)).size).toBe(3);
  });

  test("serves a copy whose first start was killed after it had drawn its identity", async () => {
    const directory = copy(stopped);
    const runner = TransactionRunner.open(file(directory), {}, systemClock);
    // The files as a kill leaves them: the identity of the copy is in the log alone.
    const cut = copy(directory);
    runner.close();
    expect(await postsIn(cut)).toBe(posts_before);
    expect(identityOf(cut)).not.toBe(identityOf(stopped));
  });

  test.each([
    ["stopped", true],
    ["killed", false],
  ])("serves a directory of an earlier build without an identity: %s", async (_how, is_stopped) => {
    const directory = copy(stopped);
    const database = new Database(file(directory));
    database.run("PRAGMA application_id = 0");
    database.close();
    remove(directory, "wharf.id");
    if (!is_stopped) {
      const killed_first = await startBinary({ data_dir: directory });
      await speak(killed_first.url, room, posts_after);
      killed_first.process.kill("SIGKILL");
      await killed_first.process.exited;
    }
    expect(await postsIn(directory)).toBe(posts_before + (is_stopped ? 0 : posts_after));
    expect(identityOf(directory)).toMatch(/^[0-9a-f]{8}$/);
    // From then on the log belongs to the database.
    copyDirectory(other_stopped, directory, ["wharf.db"]);
    expect((await refusal({ data_dir: directory })).status).toBe(1);
  });

  test.each([
    ["an empty database without a log and an identity", "wharf.db"],
    ["an index of a log alone", "wharf.db-shm"],
    ["an empty log alone", "wharf.db-wal"],
  ])("creates a database if there is %s", async (_what, name) => {
    const directory = place();
    writeFileSync(join(directory, name), name === "wharf.db-shm" ? new Uint8Array(32_768) : "");
    const service = await startBinary({ data_dir: directory });
    await speak(service.url, await openRoom(service.url), 1);
    await service.stop();
    expect(identityOf(directory)).toMatch(/^[0-9a-f]{8}$/);
  });
});
