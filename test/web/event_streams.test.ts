/** Event streams against a simple model. */

import { expect, test } from "bun:test";
import { Topics } from "../../src/core/topics.ts";
import { OpenCalls } from "../../src/core/open_calls.ts";
import { EventStreams } from "../../src/web/sse/streams.ts";
import type { EventSource, StreamEvent } from "../../src/web/sse/topic.ts";
import { FakeClock } from "../support/clock.ts";
import { eventsOf } from "../support/sse.ts";
import { testRandom, type TestRandom } from "../support/seed.ts";

const runs = Number(process.env.WHARF_TEST_RUNS ?? 40);
const idAt = (place: number): string => String(place).padStart(8, "0");

/** A topic with its events in memory: each read takes some time, returns a few events, and may fail. */
class MemorySource implements EventSource {
  readonly topic = "room:model";
  readonly events: StreamEvent[] = [];
  ended = false;
  readonly #random: TestRandom;
  readonly #is_reliable: boolean;

  constructor(random: TestRandom, is_reliable: boolean) {
    this.#random = random;
    this.#is_reliable = is_reliable;
  }

  /** Adds an event. Ids rise, with gaps. */
  add(bytes: number): void {
    const place = Number(this.latest) + 1 + this.#random.below(3);
    this.events.push({ id: idAt(place), event: "post", data: "x".repeat(bytes) });
  }

  get latest(): string {
    return this.events.at(-1)?.id ?? idAt(0);
  }

  async next(position: string) {
    await someTurns(this.#random);
    if (!this.#is_reliable && this.#random.below(50) === 0) throw new Error("the source failed");
    const limit = 1 + this.#random.below(5);
    const later = this.events.filter(({ id }) => id > position);
    const answer = { events: later.slice(0, limit), more: later.length > limit };
    const ended = this.ended && !answer.more;
    await someTurns(this.#random);
    return { ...answer, ended };
  }
}

/** Yields to the event loop for a few turns, sometimes for many. */
async function someTurns({ below }: TestRandom): Promise<void> {
  const turns = below(10) === 0 ? below(20) : below(2);
  for (let i = 0; i < turns; i++) await (below(2) === 0 ? Promise.resolve() : new Promise(setImmediate));
}

/** Follows from a random position, and resumes after each disconnection, until it leaves or the source ends. */
async function follow(streams: EventStreams, source: MemorySource, random: TestRandom): Promise<void> {
  // The position may be after all events.
  const begin = idAt(random.below(Number(source.latest) + 5));
  const leaves_after = random.below(4) === 0 ? random.below(50) : Infinity;
  let position = begin;
  const seen: string[] = [];
  while (!(source.ended && position >= source.latest) && seen.length < leaves_after) {
    const entry = { position, latest: source.latest };
    await someTurns(random);
    const call = new OpenCalls().add(
      { address: "127.0.0.1", name: null, session: null, grant: null },
      () => {},
    );
    const response = streams.open(source, entry, call);
    for await (const { id } of eventsOf(response)) {
      seen.push(id);
      position = id;
      if (seen.length >= leaves_after) break;
      if (random.below(20) === 0) await someTurns(random);
    }
  }
  const expected = source.events.map(({ id }) => id).filter((id) => id > begin);
  expect(seen).toEqual(expected.slice(0, seen.length));
  if (leaves_after === Infinity) expect(seen.length).toBe(expected.length);
}

for (const is_reliable of [true, false]) {
  test(`delivers each event once and in order in ${runs} random histories, ${is_reliable ? "with a reliable source" : "with a source that fails"}`, async () => {
    const random = testRandom("event streams");
    for (let run = 0; run < runs; run++) {
      const source = new MemorySource(random, is_reliable);
      const topics = new Topics();
      const streams = new EventStreams(topics, new FakeClock(), () => {});
      const followers: Promise<void>[] = [];
      for (let step = 0; step < 120; step++) {
        const action = random.below(10);
        if (action < 3) followers.push(follow(streams, source, random));
        else if (action < 9) {
          source.add(random.below(30) === 0 ? 100_000 : random.below(50));
          topics.publish(source.topic);
        }
        if (random.below(2) === 0) await someTurns(random);
        expect(topics.listening(source.topic)).toBe(streams.open_streams);
      }
      source.add(1);
      source.ended = true;
      topics.publish(source.topic);
      await Promise.all(followers);
      expect(streams.open_streams).toBe(0);
      expect(topics.subscriptions).toBe(0);
    }
  }, 60_000);
}
