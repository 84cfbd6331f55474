/**
 * The beacon reveals no seed early and changes no commitment: 200,000 reads of a beacon whose clock is set forward and
 * back by up to a day, whose machine sleeps and restarts, and which is itself restarted at any of these moments.
 */

import { describe, expect, test } from "bun:test";
import { createBeacon, type Beacon } from "../../src/beacon/beacon.ts";
import { guardedTime } from "../../src/beacon/guard.ts";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import { isoTime, type Clock } from "../../src/core/clock.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { newKey } from "../../src/receipts/keys.ts";
import { receiptsWith } from "../../src/receipts/receipts.ts";
import { memoryStorage } from "../support/memory.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { testRandom, type TestRandom } from "../support/seed.ts";

const samples = Number(process.env.WHARF_TEST_OPERATIONS ?? 200_000);
const day_ms = 86_400_000;

/** A machine: true time, its wall clock, and its uptime. */
class Machine implements Clock {
  true_ms = Date.parse("2026-03-01T12:00:00.000Z");
  /** The error of the wall clock. */
  wrong_ms = 0;
  #boot = 0;
  #started_ms = this.true_ms - 60_000;

  now = () => Math.floor(this.true_ms + this.wrong_ms);
  monotonic = () => this.true_ms;
  // Linux reports the uptime in steps of 10 ms, sleep included.
  uptime = () => ({
    boot: String(this.#boot),
    ms: Math.floor((this.true_ms - this.#started_ms) / 10) * 10,
  });
  after = () => () => {};
  turn = () => Promise.resolve();

  /** A machine that restarts gets the time from the network. */
  reboot(): void {
    this.#boot++;
    this.#started_ms = this.true_ms;
    this.wrong_ms = 0;
  }
}

/** A fast generator of random numbers (mulberry32, by Tommy Ettinger): the samples use many millions of them. */
function quick(seed: number): Pick<TestRandom, "below" | "oneOf"> {
  let state = seed;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return { below, oneOf: (choices) => choices[below(choices.length)]! };
}

interface Outcome {
  seeds: number;
  leaks: number;
  changed: number;
  held: number;
  restarts: number;
}

async function simulate(seen: TestRandom, count: number, guard: typeof guardedTime): Promise<Outcome> {
  const machine = new Machine();
  const { below, oneOf } = quick(seen.seed);
  const storage = memoryStorage();
  const random = seededRandom(seen.seed);
  const receipts = receiptsWith(
    [{ ...newKey(random), created: isoTime(machine.true_ms), retired_at: null }],
    () => "https://wharf.example",
  );
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const start = (): Promise<Beacon> =>
    createBeacon({
      storage,
      clock: machine,
      waits: new Waits(new Topics(), machine),
      random,
      log,
      guard,
      round_seconds: 60,
      trust_clock: false,
      sign: receipts.sign,
      issuer: () => "https://wharf.example",
    });
  const commits = new Map<number, string>();
  const outcome: Outcome = { seeds: 0, leaks: 0, changed: 0, held: 0, restarts: 0 };
  let beacon = await start();

  /** Something happens to the machine, sometimes a fault. */
  async function live(): Promise<void> {
    machine.true_ms += below(4_000);
    const event = below(1_000);
    if (event < 4) machine.wrong_ms += below(2 * day_ms) - day_ms;
    else if (event < 8) machine.wrong_ms += below(6_000) - 3_000;
    else if (event < 14) machine.wrong_ms = 0;
    // Asleep: true time and both clocks continue.
    else if (event < 16) machine.true_ms += below(6 * 3_600_000);
    else if (event === 16 || event === 17) {
      if (below(4) === 0) machine.reboot();
      beacon.close();
      beacon = await start();
      outcome.restarts++;
    }
  }

  async function look(): Promise<void> {
    const spread = oneOf([3, 3, 100, 1_500]);
    const number = Math.floor(machine.true_ms / 60_000) + below(2 * spread) - spread;
    try {
      const { seed, commit, now } = await beacon.round(number);
      if (now.held) outcome.held++;
      const before = commits.get(number) ?? commit;
      commits.set(number, commit);
      if (before !== commit) outcome.changed++;
      if (seed === null) return;
      outcome.seeds++;
      if ((number + 1) * 60_000 > machine.true_ms) outcome.leaks++;
      if (Bun.SHA256.hash(seed, "hex") !== commit) outcome.changed++;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === "beacon_held") outcome.held++;
    }
  }

  for (let i = 0; i < count; i++) {
    await live();
    await look();
  }
  beacon.close();
  await storage.close();
  return outcome;
}

describe("the clock guard", () => {
  test(`reveals nothing early and changes nothing in ${samples} samples`, async () => {
    const outcome = await simulate(testRandom("beacon simulation"), samples, guardedTime);
    console.log(JSON.stringify(outcome));
    expect(outcome).toMatchObject({ leaks: 0, changed: 0 });
    // The run must have covered reveals, held clocks and restarts.
    expect(outcome.seeds).toBeGreaterThan(samples / 10);
    expect(outcome.held).toBeGreaterThan(samples / 100);
    expect(outcome.restarts).toBeGreaterThan(samples / 1_000);
  }, 600_000);

  test("control: reveals seeds early with the wall clock alone", async () => {
    const wall: typeof guardedTime = ({ wall_ms }) => ({
      now_ms: wall_ms,
      held: false,
      latest_ms: wall_ms,
    });
    const { leaks } = await simulate(testRandom("beacon control"), samples / 50, wall);
    expect(leaks).toBeGreaterThan(0);
  }, 60_000);
});
