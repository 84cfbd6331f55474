/** The queue of reads, and its connection when the storage closes: the writer's must be the last to close. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { storage_limits } from "../../../src/storage/limits.ts";
import type { Tx } from "../../../src/core/storage.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { Readers } from "../../../src/storage/sqlite/readers.ts";
import { FakeClock } from "../../support/clock.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

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

/** The number of open descriptors of the file in this process. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  }).length;

test("closes a reading connection when its read ends if the others are already closed", async () => {
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

test("refuses reads after the close", async () => {
  const readers = new Readers(file);
  readers.close();
  const refused = await readers.read((tx) => tx.get("SELECT 1")).catch((error: unknown) => error);
  expect(refused).toEqual(expect.objectContaining({ code: "stopping" }));
  expect(openFiles()).toBe(0);
});

const one = (tx: Tx) => tx.get<{ one: number }>("SELECT 1 AS one");

test("answers reads of the same turn in their order", async () => {
  const readers = new Readers(file);
  const order: number[] = [];
  const reads = Array.from({ length: 100 }, (_, i) =>
    readers.read(async (tx) => {
      await one(tx);
      order.push(i);
    }),
  );
  await Promise.all(reads);
  expect(order).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(openFiles()).toBe(1);
  readers.close();
});

test("runs a nested read on the same snapshot without waiting", async () => {
  const writer = new Connection(file, { busy_ms: 0 });
  writer.database.run("CREATE TABLE things (name TEXT)");
  const readers = new Readers(file);
  const count = (tx: Tx) => tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM things");
  const inner = readers.read(async (tx) => {
    const before = await count(tx);
    writer.database.run("INSERT INTO things VALUES ('new')");
    return [before, await readers.read(count), await readers.read(() => readers.read(count))];
  });
  const after = readers.read(count);
  expect(await inner).toEqual([{ count: 0 }, { count: 0 }, { count: 0 }]);
  expect(await after).toEqual({ count: 1 });
  readers.close();
  writer.close();
});

test("begins the next read after one that fails", async () => {
  const readers = new Readers(file);
  const failing = readers.read(() => Promise.reject(new Error("on purpose")));
  const next = readers.read(one);
  expect(String(await failing.catch((error: unknown) => error))).toBe("Error: on purpose");
  expect(await next).toEqual({ one: 1 });
  readers.close();
});

test("yields to the event loop between many reads", async () => {
  const readers = new Readers(file);
  const ended: number[] = [];
  const steps = 20 * storage_limits.read_steps_per_turn;
  const reads = Array.from({ length: steps }, (_, i) => readers.read(one).then(() => ended.push(i)));
  for (let turn = 1; turn < 20; turn++) {
    expect(ended.length).toBeLessThanOrEqual(turn * storage_limits.read_steps_per_turn);
    await systemClock.turn();
  }
  await Promise.all(reads);
  readers.close();
});

test("refuses a waiting read when the storage closes, and answers the running one", async () => {
  const readers = new Readers(file);
  const running = readers.read(one);
  const waiting = readers.read(one).catch((error: unknown) => error);
  readers.close();
  expect(await running).toEqual({ one: 1 });
  expect(await waiting).toEqual(expect.objectContaining({ code: "stopping" }));
  expect(openFiles()).toBe(0);
});

test("releases the log and the queue of a read that takes too long, and fails its next statement", async () => {
  const clock = new FakeClock();
  let ended = 0;
  const readers = new Readers(file, { noteDamage() {}, noteLongRead: () => void ended++ }, clock);
  const writer = new Connection(file, { busy_ms: 0 });
  writer.database.run("CREATE TABLE things (thing TEXT)");
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const long = readers.read(async (tx) => {
    await tx.get("SELECT * FROM things");
    await until;
    return tx.get("SELECT * FROM things");
  });
  writer.database.run("INSERT INTO things VALUES ('one')");
  const waiting = readers.read((tx) => tx.get<{ thing: string }>("SELECT * FROM things"));
  const emptied = () => writer.control("PRAGMA wal_checkpoint(TRUNCATE)") as { busy: number };
  clock.advance(storage_limits.read_seconds_max - 1);
  expect(emptied().busy).toBe(1);
  expect(ended).toBe(0);
  clock.advance(storage_limits.read_seconds_max);
  expect(emptied().busy).toBe(0);
  expect(ended).toBe(1);
  expect(await waiting).toEqual({ thing: "one" });

  resolve();
  const failure: unknown = await long.catch((error: unknown) => error);
  expect(failure).toEqual(expect.objectContaining({ code: "storage_busy" }));
  expect(await readers.read((tx) => tx.get<{ thing: string }>("SELECT * FROM things"))).toEqual({
    thing: "one",
  });
  // One that ends in time is left alone.
  clock.advance(10 * storage_limits.read_seconds_max);
  expect(ended).toBe(1);
  readers.close();
  writer.close();
  expect(clock.timers).toBe(0);
});
