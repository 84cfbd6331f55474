/** The writer's thread: if it fails, its writes are refused and a new thread runs the next ones; and its maintenance. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { startSearches } from "../../../src/app/storage.ts";
import { findRoom } from "../../../src/rooms/store.ts";
import type { Storage } from "../../../src/core/storage.ts";
import { openSqlite } from "../../../src/storage/sqlite/engine.ts";
import { serveWrites, type ToWriter } from "../../../src/storage/sqlite/worker_loop.ts";
import type { BreakingCommands } from "../../support/breaking_writer.ts";
import { FakeClock } from "../../support/clock.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let directory: string;
let log: string;
let starts: number;
let is_gone: boolean;
let storage: Storage<BreakingCommands>;

beforeEach(async () => {
  directory = newDirectory();
  log = "";
  starts = 0;
  is_gone = false;
  storage = await openSqlite<BreakingCommands>({
    directory,
    startWriter() {
      starts++;
      if (is_gone) throw new Error("no thread to be had");
      return new Worker(new URL("../../support/breaking_writer.ts", import.meta.url).href);
    },
    startSearches,
    log: createLog(new FakeClock(), "debug", (line) => void (log += line)),
  });
});

afterEach(async () => {
  await storage.close();
  removeDirectory(directory);
});

const open = (slug: string) =>
  storage.write("rooms.open", {
    identity: null,
    goal: "A goal",
    name: "host",
    visibility: "public" as const,
    slugs: [slug],
    host_key_sha256: "0".repeat(64),
    now_ms: 1_700_000_000_000,
  });
const room = (slug: string) => storage.read((tx) => findRoom(tx, slug));
const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const failed = expect.objectContaining({ code: "storage_failed" });

for (const way of ["test.throw", "test.exit"] as const) {
  test(`refuses the writes of a group in which the thread fails by ${way}`, async () => {
    await open("before");
    const changes: (string | null)[] = [];
    storage.onChange("notify", (topic) => void changes.push(topic));
    const outcomes = await Promise.allSettled([open("lost"), storage.write(way, null), open("lost-too")]);
    for (const outcome of outcomes) expect(outcome).toEqual({ status: "rejected", reason: failed });
    expect(log).toContain("storage.writer_lost");
    // Cached values may be stale: the thread may have committed before it failed.
    expect(changes).toContain(null);

    await open("after");
    expect(starts).toBe(2);
    expect(await room("before")).toBeDefined();
    expect(await room("after")).toBeDefined();
    expect(await room("lost")).toBeUndefined();
    expect(await room("lost-too")).toBeUndefined();
  });
}

test("refuses the group that follows one in which the thread fails", async () => {
  await open("before");
  const outcomes: Promise<unknown>[] = [storage.write("test.exit", null)];
  // The group is sent at the end of this turn; the writes that follow are the next group.
  await Promise.resolve();
  outcomes.push(open("lost"));
  for (const outcome of await Promise.allSettled(outcomes)) expect(outcome.status).toBe("rejected");
  await open("after");
  expect(starts).toBe(2);
  expect(await room("before")).toBeDefined();
  expect(await room("lost")).toBeUndefined();
  expect(await room("after")).toBeDefined();
});

test("returns to each write its own answer with many groups in progress", async () => {
  const slugs = Array.from({ length: 300 }, (_, i) => `room-${i % 200}`);
  const answers: Promise<string>[] = [];
  for (const [i, slug] of slugs.entries()) {
    answers.push(
      open(slug).then(
        ({ result }) => result.room.slug,
        ({ code }) => code,
      ),
    );
    if (i % 3 === 0) await Promise.resolve();
    if (i % 50 === 0) await answers[i];
  }
  // Opening a room whose only slug is taken is refused.
  const expected = slugs.map((slug, i) => (i < 200 ? slug : "storage_busy"));
  expect(await Promise.all(answers)).toEqual(expected);
});

test("refuses writes while no new thread can be started", async () => {
  expect(await failureOf(storage.write("test.throw", null))).toEqual(failed);
  is_gone = true;
  expect(await failureOf(open("refused"))).toEqual(failed);
  expect(await failureOf(open("refused"))).toEqual(failed);
  expect(log).toContain("no thread to be had");
  expect((await storage.health()).writes).toEqual({ status: "failing", code: "storage_failed" });
  is_gone = false;
  expect((await storage.health()).writes).toEqual({ status: "ok" });
  await open("afterwards");
  expect(await room("afterwards")).toBeDefined();
});

test("logs a failing maintenance task and refuses no write for it", async () => {
  // Maintenance runs when no writes arrive, or after some of them.
  for (let i = 0; !log.includes("a chore broken on purpose"); i++) await open(`room-${i}`);
  expect(starts).toBe(1);
});

test("runs maintenance under constant writes, also a rare task while others are behind", async () => {
  const thread: Parameters<typeof serveWrites>[0] = { onmessage: null, postMessage() {} };
  let turns = 0;
  let is_behind = false;
  const chore = async () => {
    turns++;
    return is_behind;
  };
  // Its time does not advance, so that the lack of writes starts no maintenance.
  serveWrites(thread, { nothing: async () => null }, [chore], new FakeClock());
  async function send(message: ToWriter): Promise<void> {
    thread.onmessage!({ data: JSON.stringify(message) } as MessageEvent);
    // The work of a message ends before the next message.
    await systemClock.turn();
  }
  async function turnsIn(groups: number, group_writes = 3): Promise<number> {
    const before = turns;
    const writes = Array.from({ length: group_writes }, () => ({
      name: "nothing",
      input: null,
      call: undefined,
    }));
    for (let i = 0; i < groups; i++) await send({ writes });
    return turns - before;
  }
  await send({ open: join(directory, "chores.db") });
  expect(await turnsIn(640)).toBe(10);
  is_behind = true;
  expect(await turnsIn(64)).toBe(1);
  expect(await turnsIn(1_024)).toBe(4);
  is_behind = false;
  expect(await turnsIn(256)).toBe(1);
  expect(await turnsIn(64)).toBe(1);
  // Of the writes of a single writer, fewer than one in a hundred waits for maintenance.
  expect(await turnsIn(1_900, 1)).toBe(10);
  await send({ close: true });
});

test("stops while the thread fails", async () => {
  const lost = storage.write("test.throw", null);
  const closing = storage.close();
  expect(await failureOf(lost)).toEqual(failed);
  await closing;
});

test("replaces a read connection that fails", async () => {
  await open("here");
  for (let i = 0; i < 20; i++) {
    const broken = storage.read(async (tx) => (tx as unknown as { close(): void }).close());
    await broken.catch(() => {});
  }
  expect(await room("here")).toBeDefined();
});

test("logs a failing listener, answers the writers and notifies the other listeners", async () => {
  const topics: (string | null)[] = [];
  storage.onChange("notify", () => {
    throw new Error("a listener broke");
  });
  storage.onChange("notify", (topic) => void topics.push(topic));
  expect((await open("heard")).result.room.slug).toBe("heard");
  expect(topics).toContain("room:heard");
  expect(log).toContain("a listener broke");
});

test("calls what invalidates before what notifies, whatever was registered first", async () => {
  const called: string[] = [];
  storage.onChange("notify", () => void called.push("notify"));
  storage.onChange("invalidate", () => void called.push("invalidate"));
  await open("in-order");
  expect(called.slice(0, 2)).toEqual(["invalidate", "notify"]);
});
