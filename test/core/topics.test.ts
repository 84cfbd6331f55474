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
  const changed = waits.watch("a", 1_000);
  const late = waits.watch("b", 1_000);
  const left = waits.watch("b", 9_000, leaving.signal);
  const stopped = waits.watch("b", 9_000);
  expect([waits.waiting, topics.subscriptions]).toEqual([4, 4]);
  topics.publish("a");
  expect(await changed.next).toBe(true);
  clock.advance(1);
  expect(await late.next).toBe(false);
  leaving.abort();
  expect(await left.next).toBe(false);
  waits.close();
  expect(await stopped.next).toBe(false);
  expect(await waits.watch("a", 1_000).next).toBe(false);
  expect([waits.waiting, topics.subscriptions, clock.timers]).toEqual([0, 0, 0]);
});
