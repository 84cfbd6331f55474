/** Simulates the durations that callers rely on, on a machine with unreliable clocks. */

import { expect } from "bun:test";
import { isoTime } from "../../src/core/clock.ts";
import { readJob } from "../../src/jobs/queries.ts";
import type { Log } from "../../src/core/log.ts";
import type { Identity } from "../../src/core/caller.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { createServiceClock, type RunningClock } from "../../src/timekeeping/service_clock.ts";
import { SimulatedWaits } from "./clock_waits.ts";
import type { Machine } from "./machine.ts";
import { memoryStorage } from "./memory.ts";
import type { TestRandom } from "./seed.ts";
import { lookKey } from "../../src/names/imitation.ts";

const [second_ms, minute_ms, hour_ms] = [1_000, 60_000, 3_600_000];
const year_ms = 365 * 24 * hour_ms;

/** The allowed differences between a reading and the elapsed time. */
interface Slack {
  /** Steady time may be ahead by this: the uptime's steps at a start, or the wall clock's tolerance if only that counts. */
  ahead_ms: number;
  /** Steady time may be behind by this: sleeps too short to detect, and time after the last mark before a power failure. */
  behind_ms: number;
}

/** The start of a duration. */
interface Since {
  true_ms: number;
  counted_ms: number;
  slack: Slack;
}

const identityOf = (name: string): Identity => ({ name, canonical: name, key_sha256: sha256Hex(name) });
const [poster, holder] = [identityOf("poster"), identityOf("holder")];

/** One service on one machine. Each step causes an event and checks the result. */
export class Simulation {
  readonly #machine: Machine;
  readonly #random: TestRandom;
  readonly #storage = memoryStorage();
  #clock!: RunningClock;
  #log: Log;
  readonly #slack: Slack = { ahead_ms: 0, behind_ms: 3 * second_ms };
  #ids = 0;
  /** The latest service time, and how far it may step back. */
  #latest_ms = 0;
  #latest_steady_ms = 0;
  readonly #latest_ts = new Map<string, string>();
  readonly #held = new Map<string, Since>();
  readonly #answered = new Map<string, Since>();
  readonly #waits: SimulatedWaits;
  /** When the wall clock is set right after the machine has started. */
  #right_at_ms = Infinity;
  readonly seen: Record<string, number> = {};

  readonly #createClock: typeof createServiceClock;

  constructor(machine: Machine, drawn: TestRandom, createClock = createServiceClock) {
    this.#machine = machine;
    this.#random = drawn;
    this.#createClock = createClock;
    this.#waits = new SimulatedWaits(machine, drawn, (what) => this.#count(what));
    const note = (event: string, fields: Record<string, unknown> = {}) => {
      this.#count(event);
      if (event === "clock.mark_failed") throw new Error(String(fields.error));
      if (event !== "clock.adopted") return;
      // The only case in which service time steps back, and only by ten minutes or more.
      const [from_ms, to_ms] = [Date.parse(String(fields.from)), Date.parse(String(fields.to))];
      if (from_ms - to_ms > 10 * minute_ms) this.#latest_ms = Math.min(this.#latest_ms, to_ms);
    };
    this.#log = { debug: note, info: note, warn: note, error: note };
  }

  #count(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }

  async start(): Promise<void> {
    this.#clock = await this.#createClock({
      clock: this.#machine,
      storage: this.#storage,
      log: this.#log,
      trust_clock: false,
    });
    this.#waits.restart(this.#clock);
    this.#clock.start();
  }

  async prepare(): Promise<void> {
    await this.start();
    for (const { name, key_sha256 } of [poster, holder]) {
      const given = {
        name,
        look: lookKey(name),
        key_sha256,
        recovery_sha256: sha256Hex(`code of ${name}`),
        claims: "open" as const,
        now_ms: this.#clock.now(),
      };
      await this.#storage.write("names.claim", given);
    }
    for (const slug of ["one", "two", "three"]) {
      const input = { identity: null, goal: slug, name: "Ada", visibility: "public" as const };
      const keys = { slugs: [slug], host_key_sha256: sha256Hex(slug), now_ms: this.#clock.now() };
      await this.#storage.write("rooms.open", { ...input, ...keys });
      this.#latest_ts.set(slug, "");
    }
  }

  #since = (): Since => ({
    true_ms: this.#machine.true_ms,
    counted_ms: this.#machine.counted_ms,
    slack: { ...this.#slack },
  });

  /** Checks that something that lasts `ms` of steady time from `since` ended neither too early nor too late. */
  #check(what: string, since: Since, ms: number, has_ended: boolean): void {
    const { true_ms, counted_ms } = this.#machine;
    if (has_ended) {
      const shortest_ms = ms - (this.#slack.ahead_ms - since.slack.ahead_ms);
      expect(true_ms - since.true_ms, `${what} ended too early`).toBeGreaterThanOrEqual(shortest_ms);
    } else {
      const longest_ms = ms + 3 * second_ms + this.#slack.behind_ms - since.slack.behind_ms;
      expect(counted_ms - since.counted_ms, `${what} lasts too long`).toBeLessThanOrEqual(longest_ms);
    }
    this.#count(`${what} ${has_ended ? "ended" : "lasts"}`);
  }

  /** Reads the clock: service time and steady time never decrease. */
  #look(): void {
    const { now_ms, ahead_ms } = this.#clock.moment();
    const steady_ms = now_ms - ahead_ms;
    expect(now_ms, "service time").toBeGreaterThanOrEqual(this.#latest_ms);
    expect(steady_ms, "steady time").toBeGreaterThanOrEqual(this.#latest_steady_ms);
    this.#latest_ms = now_ms;
    this.#latest_steady_ms = steady_ms;
  }

  async #speak(room: string, key_hash?: string): Promise<boolean> {
    const once = key_hash !== undefined && {
      key_hash,
      fingerprint: "same",
      at: isoTime(this.#clock.steady()),
    };
    const now_ms = this.#clock.now();
    const id = Bun.randomUUIDv7("hex", now_ms);
    const said = { room, id, name: "Ada", body: "hello", in_reply_to: null, salt: "00".repeat(16) };
    const input = { ...said, identity: null, now_ms };
    const { result, repeated } = await this.#storage.write("rooms.speak", input, once || undefined);
    if (repeated) return true;
    expect(result.ts > this.#latest_ts.get(room)!, `${room}: ${result.ts}`).toBe(true);
    this.#latest_ts.set(room, result.ts);
    return false;
  }

  async #repeat(key_hash: string, since: Since): Promise<void> {
    const is_stored = await this.#speak("one", key_hash);
    this.#check("an answer", since, 24 * hour_ms, !is_stored);
    if (!is_stored) this.#answered.set(key_hash, this.#since());
  }

  async #claimJob(): Promise<void> {
    const id = `job-${++this.#ids}`;
    const input = () => ({ ...this.#clock.moment(), id, note_id: `note ${id}` });
    const text = { title: id, detail: "d", tags: [] };
    await this.#storage.write("jobs.post", { ...input(), identity: poster, ...text });
    await this.#storage.write("jobs.claim", { ...input(), identity: holder, held_jobs_max: 1_000 });
    this.#held.set(id, this.#since());
  }

  async #readJob(id: string, since: Since): Promise<void> {
    const { state } = await this.#storage.read((tx) => readJob(tx, id, this.#clock.moment()));
    this.#check("a lease", since, hour_ms, state === "open");
    if (state !== "open") return;
    this.#held.delete(id);
    await this.#storage.write("jobs.withdraw", {
      ...this.#clock.moment(),
      identity: poster,
      id,
      note_id: `note ${++this.#ids}`,
    });
  }

  /** Ends the service, in order or not, and starts it again: at once, or after the machine was off. */
  async #restart(): Promise<void> {
    const machine = this.#machine;
    const { below } = this.#random;
    const is_kill = below(2) === 0;
    const is_power_cycle = below(3) === 0;
    const is_counted = machine.has_uptime && !is_power_cycle;
    // Only the wall clock counts a downtime, with its error before the downtime and after it.
    const is_right = machine.wrong_ms === 0 && this.#clock.now() > machine.true_ms - 2 * second_ms;
    if (!is_counted && !is_right) return;
    if (!is_kill) this.#clock.close();
    await machine.turn();
    const down_ms = 100 + below(is_power_cycle ? 20 * hour_ms : 10 * minute_ms);
    if (is_power_cycle) machine.powerCycle(down_ms);
    else machine.restart(down_ms);
    // Without a battery, a machine's clock is behind until it has the time of the network.
    if (is_power_cycle && below(4) === 0) {
      machine.wrong_ms = -below(year_ms);
      this.#right_at_ms = machine.true_ms + below(20 * minute_ms);
    }
    this.#slack.ahead_ms += is_counted ? 25 : 2_050;
    if (is_kill && !is_counted) {
      this.#slack.behind_ms += minute_ms;
      this.#latest_steady_ms -= minute_ms;
      this.#latest_ms -= minute_ms;
    }
    // The steps of the uptime, and what the wall clock gained in the minute since the mark.
    this.#latest_steady_ms -= 25;
    this.#latest_ms -= is_kill ? 2_050 : 25;
    this.#count(`${is_kill ? "kill" : "stop"}, ${is_power_cycle ? "machine off" : "machine on"}`);
    await this.start();
  }

  async #live(): Promise<void> {
    const machine = this.#machine;
    const { below } = this.#random;
    const event = below(1_000);
    if (event < 8) machine.wrong_ms += below(2 * year_ms) - year_ms;
    else if (event < 16) machine.wrong_ms += below(2 * 24 * hour_ms) - 24 * hour_ms;
    else if (event < 24) machine.wrong_ms += below(6 * second_ms) - 3 * second_ms;
    else if (event < 30) machine.wrong_ms += below(40 * minute_ms) - 20 * minute_ms;
    else if (event < 50) machine.wrong_ms = 0;
    else if (event < 54) machine.sleep(below(10 * hour_ms));
    else if (event < 58) await machine.run(below(3 * hour_ms));
    else if (event < 70) await this.#restart();
    if (machine.true_ms > this.#right_at_ms) [machine.wrong_ms, this.#right_at_ms] = [0, Infinity];
    await machine.run(below(30 * second_ms));
    await machine.turn();
  }

  async step(): Promise<void> {
    const { below, oneOf } = this.#random;
    await this.#live();
    this.#waits.check();
    this.#look();
    const room = oneOf(["one", "two", "three"]);
    const what = below(8);
    const jobs = [...this.#held];
    const keys = [...this.#answered];
    if (what === 0 && jobs.length < 10) await this.#claimJob();
    else if (what <= 2 && jobs.length > 0) await this.#readJob(...oneOf(jobs));
    else if (what === 3 && keys.length > 0) await this.#repeat(...oneOf(keys));
    else if (what === 4 && keys.length < 10) {
      const key_hash = `key ${++this.#ids}`;
      expect(await this.#speak(room, key_hash)).toBe(false);
      this.#answered.set(key_hash, this.#since());
    } else if (what === 5) this.#waits.begin(room);
    else if (what === 6) await this.#waits.change(room);
    else await this.#speak(room);
    this.#look();
  }
}
