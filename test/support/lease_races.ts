/**
 * Racers for paths that conflict, at services that are killed between. Each racer writes down when it certainly held what: from the
 * answer that grants a lease until it sends its release. No two such times of conflicting paths may overlap.
 */

import { expect } from "bun:test";
import { conflicting } from "./lease_model.ts";
import { claim, type Holder } from "./names.ts";
import { open } from "./rooms.ts";
import { testRandom, type TestRandom } from "./seed.ts";

const racers = 64;
const ttl_seconds = 600;

/** What racers want in a room: each draws one of these sets, and asks until it gets it. */
const contests: { name: string; sets: string[][]; wait_seconds: number }[] = [
  { name: "one path", sets: [["src"]], wait_seconds: 0 },
  {
    name: "paths that overlap, in line",
    sets: [["src"], ["src/a"], ["src/a/b"], ["src/b"], ["src.ts"], ["src/a/b/c"]],
    wait_seconds: 5,
  },
  {
    name: "sets, all or none",
    sets: [["x", "y"], ["y", "z"], ["x", "z"], ["x/1", "y/1", "z/1"], ["z/1"]],
    wait_seconds: 0,
  },
  {
    name: "sets, in line",
    sets: [
      ["x", "y"],
      ["y", "z"],
      ["x", "z"],
      ["x/1", "y/1", "z/1"],
    ],
    wait_seconds: 5,
  },
];

/** A lease as its holder knows it. Times in ms. */
interface Grant {
  who: string;
  room: string;
  paths: string[];
  fence: number;
  /** When the call was sent, and the time in which it was certainly held. */
  sent: number;
  from: number;
  to: number;
}

interface Service {
  urlOf(racer: number): string;
  /** Kills a node and starts it again. */
  kill(): Promise<unknown>;
}

class Race {
  readonly grants: Grant[] = [];
  readonly faults: string[] = [];
  /** Calls whose answer is unknown, and refused calls. */
  unknown = 0;
  refused = 0;
  ended = false;
  #more: { count: number; resolve(): void } | undefined;

  constructor(
    private readonly service: Service,
    private readonly random: TestRandom,
  ) {}

  /** Resolves when so many more leases were granted. */
  more(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#more = { count: this.grants.length + count, resolve };
    return promise;
  }

  #granted(grant: Grant): void {
    this.grants.push(grant);
    if (this.#more && this.grants.length >= this.#more.count) this.#more.resolve();
  }

  /** The answer; null if it is unknown whether the call has done anything. */
  async #call(i: number, { pair }: Holder, path: string, body: object) {
    try {
      const response = await fetch(`${this.service.urlOf(i)}/api/meet/rooms/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", connection: "close", ...pair },
      });
      const { status } = response;
      const answer = (await response.json()) as { fence?: number; code?: string; yours?: boolean };
      if (status < 500) return { status, ...answer };
    } catch {
      // The service was killed.
    }
    this.unknown++;
    await Bun.sleep(20);
    return null;
  }

  /** Takes and releases, again and again; at the end nobody holds anything or is in line. */
  async run(i: number, who: Holder, room: string, { sets, wait_seconds }: (typeof contests)[number]) {
    while (!this.ended) {
      const paths = this.random.oneOf(sets);
      const grant = await this.#take(i, who, room, paths, wait_seconds);
      if (!grant) return;
      await Bun.sleep(this.random.below(4));
      grant.to = performance.now();
      await this.#release(i, who, grant);
    }
  }

  async #take(
    i: number,
    who: Holder,
    room: string,
    paths: string[],
    wait_seconds: number,
  ): Promise<Grant | null> {
    // A place in line would hold up the others, and so would a lease that nobody knows of.
    let must_have_it = wait_seconds > 0;
    let may_have_it = false;
    while (!this.ended || must_have_it) {
      const sent = performance.now();
      const answer = await this.#call(i, who, `${room}/leases`, { paths, ttl_seconds, wait_seconds });
      if (!answer) {
        may_have_it = true;
        must_have_it = true;
        continue;
      }
      const { status, fence, code, yours } = answer;
      if (status === 201 || yours) {
        if (yours && !may_have_it) this.faults.push(`${who.name} holds ${String(paths)} without a call`);
        // A lease that was found may have been granted long before the last call.
        const since = yours ? -Infinity : sent;
        const times = { sent: since, from: performance.now(), to: Infinity };
        const grant = { who: who.name, room, paths, fence: fence!, ...times };
        this.#granted(grant);
        return grant;
      }
      if (code !== "lease_held") this.faults.push(`take: ${status} ${code}`);
      this.refused++;
      if (wait_seconds === 0) await Bun.sleep(1 + this.random.below(20));
    }
    return null;
  }

  async #release(i: number, who: Holder, { room, fence }: Grant): Promise<void> {
    for (let is_first = true; ; is_first = false) {
      const answer = await this.#call(i, who, `${room}/leases/release`, { fence });
      if (!answer) continue;
      const is_done = answer.status === 200 || (answer.code === "lease_lost" && !is_first);
      if (!is_done) this.faults.push(`release of ${fence}: ${answer.status} ${answer.code}`);
      return;
    }
  }

  /** Finds two that held conflicting paths at the same time, and numbers that do not rise. */
  check(): string[] {
    const faults = [...this.faults];
    for (const room of new Set(this.grants.map((grant) => grant.room))) {
      const grants = this.grants.filter((grant) => grant.room === room).sort((a, b) => a.from - b.from);
      const fences = new Set(grants.map(({ fence }) => fence));
      if (fences.size !== grants.length) faults.push(`a number came twice in ${room}`);
      for (const [i, a] of grants.entries()) {
        for (const b of grants.slice(i + 1)) {
          if (b.from < a.to && conflicting(a.paths, b.paths))
            faults.push(`${a.who} and ${b.who} held ${String(a.paths)} and ${String(b.paths)}`);
          if (b.sent > a.from && b.fence < a.fence) faults.push(`${b.fence} came after ${a.fence}`);
        }
      }
    }
    return faults;
  }
}

/** Lets 64 racers take leases in each contest while nodes are killed `kills` times. Expects no fault. Returns what it saw. */
export async function expectOneHolder(
  service: Service,
  { kills, grants: granted_min }: { kills: number; grants: number },
): Promise<string> {
  const random = testRandom("lease races");
  const race = new Race(service, random);
  const people = await Promise.all(
    Array.from({ length: racers }, (_, i) => claim(service.urlOf(i), `racer ${i}`)),
  );
  const running: Promise<void>[] = [];
  for (const contest of contests) {
    const { slug } = await open(service.urlOf(0), contest.name);
    // A name that is in several contests would hold nothing in common there.
    for (const [i, who] of people.entries()) running.push(race.run(i, who, slug, contest));
  }
  for (let kill = 0; kill < kills; kill++) {
    await race.more(1 + random.below(Math.ceil(granted_min / (kills + 1))));
    await service.kill();
  }
  const left = granted_min - race.grants.length;
  await race.more(Math.max(left, 200));
  race.ended = true;
  await Promise.all(running);
  expect(race.check()).toEqual([]);
  const { grants, unknown, refused } = race;
  return `${grants.length} leases of ${racers} racers in ${contests.length} rooms, ${refused} refusals, ${unknown} unknown answers, ${kills} kills`;
}
