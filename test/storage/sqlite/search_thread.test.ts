/** The search thread: one search at a time, a bounded queue, and a time limit for each search. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { storage_limits } from "../../../src/storage/limits.ts";
import { createLog } from "../../../src/core/log.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { SearchThread } from "../../../src/storage/sqlite/search_thread.ts";
import { FakeClock } from "../../support/clock.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { startSlowSearches } from "../../support/slow_searches.ts";

let directory: string;
/** Called with each thread that starts. */
let holdOn: (worker: Worker) => void;
let clock: FakeClock;
let log: string;
let started: Worker[];
let thread: SearchThread;

beforeEach(() => {
  directory = newDirectory();
  const file = join(directory, "some.db");
  new Connection(file, { busy_ms: 0 }).close();
  holdOn = () => {};
  clock = new FakeClock();
  log = "";
  started = [];
  thread = new SearchThread({
    file,
    clock,
    health: { noteDamage() {} },
    log: createLog(new FakeClock(), "debug", (line) => void (log += line)),
    start() {
      const worker = startSlowSearches();
      holdOn(worker);
      started.push(worker);
      return worker;
    },
  });
});
afterEach(async () => {
  for (const worker of started) worker.terminate();
  await thread.close();
  removeDirectory(directory);
});

const codeOf = (search: Promise<unknown>): Promise<unknown> =>
  search.then(
    (result) => result,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

test("reserves what a thread needs until the first search starts one", async () => {
  const events: string[] = [];
  const reserving = new SearchThread({
    file: join(directory, "some.db"),
    clock,
    health: { noteDamage() {} },
    log: createLog(new FakeClock(), "debug", () => {}),
    reserve() {
      events.push("reserved");
      return () => void events.push("released");
    },
    start() {
      events.push("started");
      const worker = startSlowSearches();
      started.push(worker);
      return worker;
    },
  });
  reserving.prepare();
  expect(events).toEqual(["reserved"]);
  expect(await reserving.search("test.echo", "a")).toBe("a");
  expect(events).toEqual(["reserved", "released", "started"]);
  await reserving.close();
});

/** Resolves when a search runs that has the time limit of one. */
const running = () => clock.timerAt(storage_limits.search_seconds_max);

test("runs searches one after another in one thread, in the order in which they came", async () => {
  const order: unknown[] = [];
  const searches = ["a", "b", "c"].map((name) =>
    thread.search("test.echo", name).then((found) => order.push(found)),
  );
  await Promise.all(searches);
  expect(order).toEqual(["a", "b", "c"]);
  expect(started).toHaveLength(1);
  expect(clock.timers).toBe(0);
});

test("ends a search that takes too long, and answers the next one from another thread", async () => {
  const slow = thread.search("test.never", null);
  const next = thread.search("test.echo", "next");
  await running();
  clock.advance(storage_limits.search_seconds_max);
  expect(await slow.catch((error: unknown) => error)).toMatchObject({
    code: "search_timeout",
    extra: { retry_after_seconds: 2 },
  });
  expect(await next).toBe("next");
  expect(started).toHaveLength(2);
  expect(log).toContain("search.timeout");
});

test("starts no third thread while two that were ended still run their statements", async () => {
  // SQLite runs until its statement is done. Until then, a terminated thread does not end.
  const letEnd: (() => void)[] = [];
  holdOn = (worker) => {
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => void letEnd.push(terminate);
  };
  for (let i = 0; i < 2; i++) {
    const slow = codeOf(thread.search("test.never", null));
    await running();
    clock.advance(storage_limits.search_seconds_max);
    expect(await slow).toBe("search_timeout");
  }
  const next = thread.search("test.echo", "next");
  expect(started).toHaveLength(2);
  letEnd.shift()!();
  expect(await next).toBe("next");
  expect(started).toHaveLength(3);
  letEnd.shift()!();
});

test("refuses searches that find the queue full", async () => {
  const slow = codeOf(thread.search("test.never", null));
  await running();
  const waiting = Array.from({ length: storage_limits.searches_waiting_max }, () =>
    thread.search("test.echo", "waited"),
  );
  const refused = await thread.search("test.echo", "one too many").catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "search_busy", extra: { retry_after_seconds: 1 } });
  clock.advance(storage_limits.search_seconds_max);
  expect(await slow).toBe("search_timeout");
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["waited"]));
});

test("refuses a search that has waited too long", async () => {
  const slow = ["a", "b", "c"].map(() => codeOf(thread.search("test.never", null)));
  const waiting = codeOf(thread.search("test.echo", "waits"));
  for (
    let seconds = 0;
    seconds < storage_limits.search_wait_seconds_max;
    seconds += storage_limits.search_seconds_max
  ) {
    await running();
    clock.advance(
      Math.min(storage_limits.search_seconds_max, storage_limits.search_wait_seconds_max - seconds),
    );
  }
  expect(await waiting).toBe("search_busy");
  expect(await Promise.all(slow.slice(0, 2))).toEqual(["search_timeout", "search_timeout"]);
});

test("refuses only the search that broke the thread, and starts another for the next", async () => {
  expect(await codeOf(thread.search("test.throw", null))).toBe("A search failed unexpectedly.");
  expect(started).toHaveLength(1);
  expect(await codeOf(thread.search("test.exit", null))).toBe("search_busy");
  expect(log).toContain("search.thread_lost");
  expect(await thread.search("test.echo", "next")).toBe("next");
  expect(started).toHaveLength(2);
});

test("refuses every search when the storage closes", async () => {
  const slow = codeOf(thread.search("test.never", null));
  await running();
  const waiting = codeOf(thread.search("test.echo", "waits"));
  const closing = thread.close();
  expect(await waiting).toBe("stopping");
  expect(await codeOf(thread.search("test.echo", "late"))).toBe("stopping");
  await closing;
  expect(await slow).toBe("stopping");
});

test("waits for a thread that is slow to close its connection", async () => {
  let release: (() => void) | undefined;
  holdOn = (worker) => {
    const postMessage = worker.postMessage.bind(worker);
    worker.postMessage = (message: string) => {
      if (message.includes('"close"')) release = () => postMessage(message);
      else postMessage(message);
    };
  };
  expect(await thread.search("test.echo", "first")).toBe("first");
  let has_closed = false;
  const closing = thread.close().then(() => (has_closed = true));
  clock.advance(5);
  await new Promise(setImmediate);
  expect(has_closed).toBeFalse();
  release!();
  await closing;
  expect(clock.timers).toBe(0);
});

test("closes when the time limit of a running search ends it", async () => {
  holdOn = (worker) => {
    const postMessage = worker.postMessage.bind(worker);
    worker.postMessage = (message: string) => {
      if (!message.includes('"close"')) postMessage(message);
    };
  };
  const slow = codeOf(thread.search("test.never", null));
  await running();
  const closing = thread.close();
  clock.advance(storage_limits.search_seconds_max);
  expect(await slow).toBe("search_timeout");
  await closing;
  expect(clock.timers).toBe(0);
});
