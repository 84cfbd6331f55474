/** The connections that read, when the storage closes: the writer's must be the last, so that the log goes into the one file. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { Connection } from "../src/storage/sqlite/connection.ts";
import { Readers } from "../src/storage/sqlite/readers.ts";
import { newDirectory, removeDirectory } from "./support/service.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = newDirectory();
  file = join(directory, "some.db");
  const connection = new Connection(file, { busy_ms: 0 });
  connection.database.run("PRAGMA journal_mode = WAL");
  connection.close();
});
afterEach(() => removeDirectory(directory));

/** How often this process has the file open. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  }).length;

test("a connection that reads while the others are closed is closed when it has read", async () => {
  const readers = new Readers(file);
  await readers.read((tx) => tx.get("SELECT 1"));
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const reading = readers.read(async (tx) => {
    await until;
    return tx.get<{ one: number }>("SELECT 1 AS one");
  });
  readers.close();
  resolve();
  expect(await reading).toEqual({ one: 1 });
  expect(openFiles()).toBe(0);
});

test("reads after the closing are refused", async () => {
  const readers = new Readers(file);
  readers.close();
  const refused = await readers.read((tx) => tx.get("SELECT 1")).catch((error: unknown) => error);
  expect(refused).toEqual(expect.objectContaining({ code: "stopping" }));
  expect(openFiles()).toBe(0);
});
