/** The writer: a command of a group that fails leaves nothing behind, and the other commands of the group succeed. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { room_errors } from "../../../src/rooms/errors.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { counters } from "../../../src/jobs/store.ts";
import type { CommandMap, Tx } from "../../../src/core/storage.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { TransactionRunner } from "../../../src/storage/sqlite/group_commit.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let directory: string;
let writer: TransactionRunner;
let runs: string[];
/** The number of readings of the clock. Each reading advances it by a second. */
let readings: number;
const clock = { ...systemClock, monotonic: () => 1_000 * readings++ };

const refusal = new ServiceError(room_errors.room_closed, "Refused on purpose.");
const add = async (tx: Tx, amount: number) => {
  runs.push(`add ${amount}`);
  await counters.add(tx, "jobs_open", amount);
  tx.announce(`added:${amount}`);
  return counters.read(tx, "jobs_open");
};
const commands: CommandMap = {
  add,
  async addThenFail(tx, amount: number) {
    await add(tx, amount);
    throw refusal;
  },
  async fail() {
    runs.push("fail");
    throw refusal;
  },
};

beforeEach(() => {
  directory = newDirectory();
  runs = [];
  readings = 0;
  writer = TransactionRunner.open(join(directory, "wharf.db"), commands, clock);
});
afterEach(() => {
  writer.close();
  removeDirectory(directory);
});

const write = (name: string, input: unknown = null, key?: string) => ({
  name,
  input,
  call: key ? { key_hash: key, fingerprint: "", at: "2026-01-01T00:00:00.000Z" } : undefined,
});

/** Commits a group: each result, or the code of its failure; and what was announced. */
async function commit(...group: ReturnType<typeof write>[]) {
  const { replies, changed } = await writer.commit(group);
  return {
    answers: replies.map((reply) => (reply.failure ? reply.failure.definition?.code : reply.result)),
    changed,
  };
}

async function stored(): Promise<number> {
  const reader = new Connection(join(directory, "wharf.db"), { readonly: true, busy_ms: 0 });
  try {
    return await counters.read(reader, "jobs_open");
  } finally {
    reader.close();
  }
}

test("undoes a command that fails after it has written, and stores the others of its group once", async () => {
  const group = () => commit(write("add", 1), write("addThenFail", 10), write("add", 100));
  expect(await group()).toEqual({ answers: [1, "room_closed", 101], changed: ["added:1", "added:100"] });
  expect(await stored()).toBe(101);
  expect(await group()).toEqual({ answers: [102, "room_closed", 202], changed: ["added:1", "added:100"] });
  expect(await stored()).toBe(202);
});

test("repeats a group only for the first such failure of a command", async () => {
  await commit(write("add", 1), write("addThenFail", 10));
  expect(runs).toEqual(["add 1", "add 10", "add 1", "add 10"]);
  runs = [];
  await commit(write("add", 2), write("addThenFail", 20));
  expect(runs).toEqual(["add 2", "add 20"]);
});

test("does not repeat a group if a command fails before it has written", async () => {
  await commit(write("add", 1), write("fail"), write("add", 2));
  expect(runs).toEqual(["add 1", "fail", "add 2"]);
  expect(await stored()).toBe(3);
});

test("does not repeat a group for a write with an idempotency key", async () => {
  await commit(write("add", 1, "a"), write("fail", null, "b"));
  expect(runs).toEqual(["add 1", "fail"]);
});

test("stores no answer of a refused write with an idempotency key, and returns the first answer to a repetition", async () => {
  const { answers } = await commit(write("addThenFail", 10, "a"), write("add", 1, "a"), write("add", 1, "a"));
  expect(answers).toEqual(["room_closed", 1, 1]);
  expect(await stored()).toBe(1);
});

test("waits for another process by the clock, and refuses the writes behind at once", async () => {
  const other = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  other.control("BEGIN IMMEDIATE");
  expect((await commit(write("add", 1))).answers).toEqual(["storage_busy"]);
  // 3 seconds: one reading when the wait begins, one after each refused try.
  expect(readings).toBe(4);
  expect((await commit(write("add", 2))).answers).toEqual(["storage_busy"]);
  expect(readings).toBe(6);
  other.control("ROLLBACK");
  expect((await commit(write("add", 3))).answers).toEqual([3]);
  other.control("BEGIN IMMEDIATE");
  readings = 0;
  expect((await commit(write("add", 4))).answers).toEqual(["storage_busy"]);
  expect(readings).toBe(4);
  other.close();
});
