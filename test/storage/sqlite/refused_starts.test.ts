/** Files of SQLite on which the service refuses to start, without changing them, and the modes of those that it creates. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusal } from "../../support/directories.ts";
import { openRoom } from "../../support/load.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
let made = 0;
const place = (): string => join(root, `place-${++made}`);

/** The database's files with the hash of their bytes. */
const databaseFiles = (directory: string) =>
  ["wharf.db", "wharf.db-wal"].map((name) => Bun.SHA256.hash(readFileSync(join(directory, name)), "hex"));

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("creates files that only their owner can access", async () => {
  const data_dir = place();
  const service = await startBinary({ data_dir });
  await openRoom(service.url);
  expect(mode(data_dir)).toBe("700");
  const names = readdirSync(data_dir);
  expect(names).toContain("wharf.db-wal");
  expect(names.filter((name) => mode(join(data_dir, name)) !== "600")).toEqual([]);
  await service.stop();
});

test("names a database of a newer build and leaves it and its log unchanged", async () => {
  const data_dir = place();
  const service = await startBinary({ data_dir });
  await openRoom(service.url);
  const newer = new Database(join(data_dir, "wharf.db"));
  newer.run("PRAGMA busy_timeout = 5000");
  newer.run("PRAGMA user_version = 99");
  service.process.kill("SIGKILL");
  await service.process.exited;
  // A copy of a killed build's files: the log has data that the database file does not.
  const copy = place();
  cpSync(data_dir, copy, { recursive: true, filter: (path) => !/-shm$|\.sock$/.test(path) });
  newer.close();
  const before = databaseFiles(copy);
  const { status, says } = await refusal({ data_dir: copy });
  expect(status).toBe(1);
  expect(says).toMatch(/schema version 99; this build knows versions up to \d+/);
  expect(databaseFiles(copy)).toEqual(before);
});

test("refuses a directory that cannot be created and a file that is no database", async () => {
  const file = place();
  writeFileSync(file, "not a directory");
  expect(await refusal({ data_dir: file })).toMatchObject({ status: 1, says: expect.stringContaining(file) });
  expect(await refusal({ data_dir: join(file, "below") })).toMatchObject({
    status: 1,
    says: expect.stringContaining(file),
  });

  const unusable = place();
  mkdirSync(join(unusable, "wharf.db"), { recursive: true });
  const database_path = join(unusable, "wharf.db");
  expect(await refusal({ data_dir: unusable })).toMatchObject({
    status: 1,
    says: expect.stringContaining(`The database ${database_path} cannot be opened: `),
  });

  const foreign = place();
  mkdirSync(foreign);
  writeFileSync(join(foreign, "wharf.db"), "This is a text file of somebody else. ".repeat(200));
  expect(await refusal({ data_dir: foreign })).toMatchObject({
    status: 1,
    says:
      `wharf: The database ${join(foreign, "wharf.db")} cannot be opened: file is not a database. ` +
      "Restore it from a backup, or start with another --data-dir; nothing has been changed.",
  });
});
