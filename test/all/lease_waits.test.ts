/** Calls that wait in line for leases, while others release them, leave, and time passes: none waits for paths that are free. */

import { expect, test } from "bun:test";
import { command_definitions } from "../../src/app/commands.ts";
import type { TakenLease } from "../../src/api/leases.ts";
import { openStorage } from "../../src/app/storage.ts";
import type { Caller, Identity } from "../../src/core/caller.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createCommandRunner } from "../../src/core/commands.ts";
import type { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { OpenCalls } from "../../src/core/open_calls.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import { createLeases } from "../../src/rooms/leases/leases.ts";
import { obstaclesFor } from "../../src/rooms/leases/obstacles.ts";
import { FakeClock } from "../support/clock.ts";
import { conflicting } from "../support/lease_model.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { lookKey } from "../../src/names/imitation.ts";

const steps = Number(process.env["WHARF_TEST_STEPS"] ?? 1_000);
/** How often the state is looked at before a call counts as forgotten. */
const looks_max = 2_000;

const universe = ["src", "src/a", "src/a/b", "src/b", "src.ts", "docs", "docs/x", "port/1"];
const room = "the-room";
const host_key_sha256 = sha256Hex("host");

interface Waiting {
  identity: Identity;
  paths: string[];
  left: AbortController;
  is_settled: boolean;
}

test(`lets no call wait for paths that are free in ${steps} steps`, async () => {
  const random = testRandom("waits for leases");
  const { below, oneOf } = random;
  const directory = newDirectory();
  const fake = new FakeClock();
  const moment = () => ({ now_ms: fake.now(), ahead_ms: 0 });
  const clock = Object.assign(fake, { moment, steady: () => fake.now() });
  const log = createLog(clock, "warn", (line) => console.log(line));
  const storage = await openStorage(directory, systemClock, log);
  const topics = new Topics();
  storage.onChange("notify", (topic) => topics.publish(topic));
  const deps = {
    storage,
    clock,
    log,
    commands: createCommandRunner(command_definitions, storage, { take: () => {} } as never),
    waits: new Waits(topics, clock),
    identityOf: ({ identity }: Caller) => identity!,
    admission: { admit: (_: Caller, slug: string) => slug },
  };
  const leases = createLeases(deps as unknown as Parameters<typeof createLeases>[0]);
  const opening = { goal: "g", name: "host", visibility: "unlisted", identity: null } as const;
  const opened = await storage.write("rooms.open", {
    ...opening,
    slugs: [room],
    host_key_sha256,
    now_ms: fake.now(),
  });
  expect(opened.result.room.slug).toBe(room);
  const people: Identity[] = [];
  for (const name of Array.from("abcdefghij", (letter) => `person${letter}`)) {
    const key_sha256 = sha256Hex(name);
    const claim = {
      name,
      look: lookKey(name),
      key_sha256,
      recovery_sha256: key_sha256,
      claims: "open",
      now_ms: fake.now(),
    } as const;
    people.push({
      name,
      canonical: (await storage.write("names.claim", claim)).result.canonical,
      key_sha256,
    });
  }
  const callerOf = (identity: Identity) => ({ identity }) as unknown as Caller;
  const waiting = new Set<Waiting>();
  const held: { identity: Identity; fence: number }[] = [];
  const outcomes = { granted: 0, refused: 0 };

  function take(): void {
    const identity = oneOf(people);
    const drawn = Array.from({ length: 1 + below(2) }, () => oneOf(universe));
    const paths = drawn.filter((path) => !drawn.some((one) => path.startsWith(`${one}/`))).sort();
    const open = new OpenCalls();
    const left = new AbortController();
    const caller = { address: "", name: null, session: null, grant: null };
    const call = open.add(caller, () => {}, left.signal);
    const one: Waiting = { identity, paths: [...new Set(paths)], left, is_settled: false };
    waiting.add(one);
    const wait = { wait_seconds: 1 + below(280), open: call };
    const taking = leases.take(callerOf(identity), { room, paths, ttl_seconds: 30 + below(3_000) }, wait);
    void settled(taking, one);
  }

  async function settled(taking: Promise<TakenLease>, one: Waiting): Promise<void> {
    try {
      const { fence } = await taking;
      outcomes.granted++;
      held.push({ identity: one.identity, fence });
    } catch (error) {
      expect((error as ServiceError).code).toBe("lease_held");
      outcomes.refused++;
    }
    one.is_settled = true;
    waiting.delete(one);
  }

  /** The paths that are leased, by lease; and the calls that wait although nothing is in their way. */
  const look = () =>
    storage.read(async (tx) => {
      const { seq } = (await tx.get<{ seq: number }>("SELECT seq FROM rooms WHERE slug = $1", room))!;
      const rows = await tx.all<{ fence: number; path: string }>(
        "SELECT fence, path FROM leased_paths WHERE room = $1 LIMIT 1000",
        seq,
      );
      const forgotten: Waiting[] = [];
      for (const one of waiting) {
        const { obstacles } = await obstaclesFor(tx, seq, { ...moment(), ...one });
        if (obstacles.length === 0) forgotten.push(one);
      }
      return { rows, forgotten };
    });

  async function expectNobodyForgotten(): Promise<void> {
    for (let looks = 0; ; looks++) {
      const { rows, forgotten } = await look();
      const two = rows.find((a) => rows.some((b) => a.fence < b.fence && conflicting([a.path], [b.path])));
      expect(two).toBeUndefined();
      const still = forgotten.filter(({ is_settled, left }) => !is_settled && !left.signal.aborted);
      if (still.length === 0) return;
      if (looks === looks_max) throw new Error(`waits for what is free: ${Bun.inspect(still)}`);
      await clock.turn();
    }
  }

  for (let step = 0; step < steps; step++) {
    const roll = below(10);
    if (roll < 4) take();
    else if (roll < 5 && held.length > 0) {
      const [{ identity, fence }] = held.splice(below(held.length), 1) as [(typeof held)[number]];
      await leases.release(callerOf(identity), { room, fence }).catch((error: unknown) => {
        expect((error as ServiceError).code).toBe("lease_lost");
      });
    } else if (roll < 7 && waiting.size > 0) oneOf([...waiting]).left.abort();
    else fake.advance(below(4) === 0 ? below(60) : below(5));
    await expectNobodyForgotten();
  }
  // Every wait ends. One that has just been sent begins a little later.
  for (let looks = 0; waiting.size > 0 && looks < 10 * looks_max; looks++) {
    if (looks % 10 === 0) fake.advance(1);
    await expectNobodyForgotten();
    await clock.turn();
  }
  expect(waiting.size).toBe(0);
  console.log(
    `MEASURED: ${steps} steps with waits: ${outcomes.granted} granted, ${outcomes.refused} refused`,
  );
  leases.close();
  await storage.close();
  removeDirectory(directory);
}, 3_600_000);
