/** Waits for changes on a machine of a simulation: each ends when its time has passed, and none misses a change. */

import { expect } from "bun:test";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { Machine } from "./machine.ts";
import type { TestRandom } from "./seed.ts";

interface Wait {
  topic: string;
  begun_version: number;
  ends_ms: number;
  /** The version that was found; undefined while it waits. */
  found?: number;
}

export class SimulatedWaits {
  readonly #machine: Machine;
  readonly #random: TestRandom;
  readonly #count: (what: string) => void;
  readonly #versions = new Map<string, number>();
  readonly #topics = new Topics();
  #service: Waits;
  #waits: Wait[] = [];

  constructor(machine: Machine, drawn: TestRandom, count: (what: string) => void) {
    this.#machine = machine;
    this.#random = drawn;
    this.#count = count;
    this.#service = new Waits(this.#topics, machine);
  }

  /** Ends all waits with the service, which then restarts with `clock`. */
  restart(clock: Clock): void {
    this.#service.close();
    this.#service = new Waits(this.#topics, clock);
    this.#waits = [];
  }

  #version = (topic: string): number => this.#versions.get(topic) ?? 0;

  begin(topic: string): void {
    const wait_seconds = 1 + this.#random.below(50);
    const begun_version = this.#version(topic);
    const wait: Wait = { topic, begun_version, ends_ms: this.#machine.monotonic() + wait_seconds * 1000 };
    this.#waits.push(wait);
    void this.#service
      .readUntil(
        topic,
        { wait_seconds },
        () => Promise.resolve(this.#version(topic)),
        (version) => version > begun_version,
      )
      .then((version) => (wait.found = version));
  }

  /** Publishes a change that ends the waits for it, or an unrelated one, after which they continue. */
  async change(topic: string): Promise<void> {
    const is_change = this.#random.below(2) === 0;
    if (is_change) this.#versions.set(topic, this.#version(topic) + 1);
    this.#topics.publish(topic);
    await this.#machine.turn();
    if (!is_change) return;
    for (const wait of this.#waits) {
      if (wait.topic !== topic) continue;
      expect(wait.found, "a wait after a change").toBe(wait.begun_version + 1);
      this.#count("a wait that found a change");
    }
    this.#waits = this.#waits.filter((wait) => wait.topic !== topic);
  }

  /** Checks that waits end when their time has passed, and not before. */
  check(): void {
    const now_ms = this.#machine.monotonic();
    for (const { found, begun_version, ends_ms } of this.#waits) {
      if (ends_ms > now_ms) expect(found, "a wait before its time").toBeUndefined();
      else expect(found, "a wait after its time").toBe(begun_version);
      if (ends_ms <= now_ms) this.#count("a wait that ended");
    }
    this.#waits = this.#waits.filter(({ ends_ms }) => ends_ms > now_ms);
  }
}
