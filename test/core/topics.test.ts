/** The topic registry, and waits on it. */

import { expect, test } from "bun:test";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import { FakeClock } from "../support/clock.ts";

test("notifies the listeners of a topic, and for null all listeners, until they unsubscribe", () => {
  const topics = new Topics();
  const heard: string[] = [];
  const leaves = ["a", "a", "b"].map((topic, i) => topics.subscribe(topic, () => heard.push(`${topic}${i}`)));
  topics.publish("a");
  topics.publish("nobody");
  expect(heard.splice(0)).toEqual(["a0", "a1"]);
  topics.publish(null);
  expect(heard.splice(0)).toEqual(["a0", "a1", "b2"]);
  leaves[0]!();
  leaves[0]!();
  expect(topics.subscriptions).toBe(2);
  topics.publish("a");
  expect(heard).toEqual(["a1"]);
});

test("notifies every listener even when each unsubscribes as it is notified", () => {
  const topics = new Topics();
  let heard = 0;
  for (const topic of ["a", "a", "b"]) {
    const leave = topics.subscribe(topic, () => {
      heard++;
      leave();
    });
  }
  topics.publish(null);
  expect(heard).toBe(3);
  expect(topics.subscriptions).toBe(0);
});

test("ends a wait at a change, at its time, when its caller leaves and when the service stops; nothing remains", async () => {
  const topics = new Topics();
  const clock = new FakeClock();
  const waits = new Waits(topics, clock);
  const leaving = new AbortController();
  const changed = waits.watch(["a", "c"], 9_000);
  const late = waits.watch(["b"], 1_000);
  const left = waits.watch(["b"], 9_000, { ...{ follow() {}, timed_out: false }, signal: leaving.signal });
  const stopped = waits.watch(["b"], 9_000);
  expect([waits.waiting, topics.subscriptions]).toEqual([4, 5]);
  topics.publish("a");
  expect(await changed.next()).toEqual(["a"]);
  changed.cancel();
  const ended = late.next();
  clock.advance(1);
  expect(await ended).toEqual([]);
  leaving.abort();
  expect(await left.next()).toEqual([]);
  waits.close();
  expect(await stopped.next()).toEqual([]);
  expect(await waits.watch(["a"], 1_000).next()).toEqual([]);
  expect([waits.waiting, topics.subscriptions, clock.timers]).toEqual([0, 0, 0]);
});

test("keeps the changes that come between two looks, each topic once", async () => {
  const topics = new Topics();
  const waits = new Waits(topics, new FakeClock());
  const watch = waits.watch(["a", "b", "c"], 1_000);
  for (const topic of ["b", "a", "b", "d"]) topics.publish(topic);
  expect(await watch.next()).toEqual(["b", "a"]);
  const next = watch.next();
  topics.publish("c");
  expect(await next).toEqual(["c"]);
  watch.cancel();
});

test("reads again only what changed, and misses no change during a read", async () => {
  const topics = new Topics();
  const waits = new Waits(topics, new FakeClock());
  const reads: string[] = [];
  const news = new Map<string, string>();
  const read = (topic: string) => async () => {
    reads.push(topic);
    // A change of b while a is read for the first time, which is no news; one of a while b is read again.
    if (reads.length === 1) topics.publish("b");
    if (reads.length === 4) {
      news.set("a", "the news");
      topics.publish("a");
    }
    await Promise.resolve();
    return news.get(topic) ?? null;
  };
  const sources = new Map(["a", "b", "c"].map((topic) => [topic, read(topic)]));
  expect(await waits.readAny(sources, { wait_seconds: 50 })).toEqual(["the news"]);
  expect(reads).toEqual(["a", "b", "c", "b", "a"]);
  expect([waits.waiting, topics.subscriptions]).toEqual([0, 0]);
});

test("a wait whose time is up says so to its call, unless it finds something after all", async () => {
  const clock = new FakeClock();
  const topics = new Topics();
  const waits = new Waits(topics, clock);
  const open = () => ({ signal: new AbortController().signal, follow() {}, timed_out: false });
  const calls = { empty: open(), late: open(), left: open() };
  let news: string | null = null;
  const found = waits.readAny(new Map([["a", () => Promise.resolve(null)]]), {
    wait_seconds: 50,
    open: calls.empty,
  });
  const late = waits.readAny(new Map([["b", () => Promise.resolve(news)]]), {
    wait_seconds: 50,
    open: calls.late,
  });
  await clock.turn();
  news = "the news";
  topics.publish("b");
  clock.advance(51);
  expect([await found, await late]).toEqual([[], ["the news"]]);
  const left = waits.readAny(new Map([["a", () => Promise.resolve(null)]]), {
    wait_seconds: 50,
    open: calls.left,
  });
  waits.close();
  await left;
  expect(Object.values(calls).map(({ timed_out }) => timed_out)).toEqual([true, false, false]);
});

test("counts the callers that wait for a topic: one for a wait, as many as it states for another subscription", async () => {
  const topics = new Topics();
  const waits = new Waits(topics, new FakeClock());
  let streams = 0;
  const leave = topics.subscribe(
    "a",
    () => {},
    () => streams,
  );
  expect(topics.listening("a")).toBe(0);
  streams = 2;
  const wait = waits.watch(["a", "b"], 1_000);
  expect([topics.listening("a"), topics.listening("b"), topics.listening("c")]).toEqual([3, 1, 0]);
  wait.cancel();
  leave();
  expect([topics.listening("a"), topics.listening("b")]).toEqual([0, 0]);
});
