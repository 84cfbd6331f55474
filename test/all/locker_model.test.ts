/** The locker against a plain map: any sequence of calls and clock moves has the same results as the map. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Locker } from "../../src/api/locker/locker.ts";
import { call, get } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { testRandom } from "../support/seed.ts";
import { readIndex } from "../support/lockers.ts";
import { startSource, type SourceService } from "../support/service.ts";

interface ModelSlot {
  value: string;
  public: boolean;
  version: number;
  ends_ms: number;
}
/** The expected slots. Expired slots are removed before each step. */
class Model {
  slots = new Map<string, ModelSlot>();

  dropEnded(now_ms: number): void {
    for (const [slot, { ends_ms }] of this.slots) if (ends_ms <= now_ms) this.slots.delete(slot);
  }
  get used_bytes(): number {
    return this.slots.values().reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0);
  }
}
interface Real {
  who: Holder;
}
type Step = fc.AsyncCommand<Model, Real>;

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

const slotUrl = (slot: string) => `${service.url}/api/locker/${slot}`;

/** A step, printed as `name(...)` when a run fails. */
const step = (name: string, args: unknown, run: (model: Model, who: Holder) => Promise<void>): Step => ({
  check: () => true,
  async run(model, { who }) {
    model.dropEnded(service.clock.now());
    await run(model, who);
  },
  toString: () => `${name}(${JSON.stringify(args)})`,
});

interface Put {
  slot: string;
  size: number;
  char: string;
  public: boolean;
  expires_in?: number | undefined;
  expected_version?: number | undefined;
}

/** The expected status of a PUT. */
function outcomeOf(model: Model, put: Put, value: string): number {
  const found = model.slots.get(put.slot);
  const bytes = Buffer.byteLength(value);
  if (put.expected_version !== undefined && put.expected_version !== (found?.version ?? 0)) return 412;
  if (bytes > 32_768) return 413;
  if (!found && model.slots.size === 64) return 409;
  if (model.used_bytes - Buffer.byteLength(found?.value ?? "") + bytes > 262_144) return 413;
  return found ? 200 : 201;
}

async function putAndCompare(model: Model, who: Holder, put: Put): Promise<void> {
  const { slot, size, char, ...rest } = put;
  const value = char.repeat(size);
  const expected = outcomeOf(model, put, value);
  const { status, body } = await call("PUT", slotUrl(slot), { ...rest, value }, who.pair);
  expect(status).toBe(expected);
  if (status >= 300) return;
  const version = (model.slots.get(slot)?.version ?? 0) + 1;
  const ends_ms = put.expires_in ? service.clock.now() + put.expires_in * 1000 : Infinity;
  model.slots.set(slot, { value, public: put.public, version, ends_ms });
  expect(body).toMatchObject({ version, slots_used: model.slots.size, used_bytes: model.used_bytes });
}

const slots = fc.constantFrom("a", "b", "c/d", "E", "e");
const sizes = fc.constantFrom(0, 1, 7, 16_384, 32_767, 32_768, 32_769);

const puts = fc
  .record(
    {
      slot: slots,
      size: sizes,
      char: fc.constantFrom("x", "é", "\n"),
      public: fc.boolean(),
      expires_in: fc.constantFrom(1, 30, 60),
      expected_version: fc.nat(3),
    },
    { requiredKeys: ["slot", "size", "char", "public"] },
  )
  .map((put) => step("put", put, (model, who) => putAndCompare(model, who, put)));

/** Enough slots to reach either quota. */
const fills = fc
  .record({ first: fc.nat(4), count: fc.constantFrom(1, 9, 62), size: fc.constantFrom(1, 30_000) })
  .map((fill) =>
    step("fill", fill, async (model, who) => {
      for (let i = fill.first; i < fill.first + fill.count; i++) {
        await putAndCompare(model, who, { slot: `f${i}`, size: fill.size, char: "x", public: false });
      }
    }),
  );

const removals = slots.map((slot) =>
  step("remove", slot, async (model, who) => {
    const { status } = await call("DELETE", slotUrl(slot), undefined, who.pair);
    expect(status).toBe(model.slots.delete(slot) ? 200 : 404);
  }),
);

const reads = slots.map((slot) =>
  step("read", slot, async (model, who) => {
    const expected = model.slots.get(slot);
    const own = await get(slotUrl(slot), who.pair);
    expect(own.status).toBe(expected ? 200 : 404);
    if (expected)
      expect(own.body).toMatchObject({
        value: expected.value,
        version: expected.version,
        public: expected.public,
      });
    const open = await get(`${service.url}/locker/${encodeURIComponent(who.name)}/${slot}`);
    expect(open.status).toBe(expected?.public ? 200 : 404);
    if (expected?.public) expect(open.body.value).toBe(expected.value);
  }),
);

const lists = fc.constant(null).map(() =>
  step("list", null, async (model, who) => {
    const { body } = await get<Locker>(`${service.url}/api/locker`, who.pair);
    expect(body).toMatchObject({ slots_used: model.slots.size, used_bytes: model.used_bytes });
    const expected = [...model.slots].map(([slot, { value, version, public: is_public }]) => [
      slot,
      Buffer.byteLength(value),
      version,
      is_public,
    ]);
    const listed = body.slots.map(({ slot, bytes, version, public: is_public }) => [
      slot,
      bytes,
      version,
      is_public,
    ]);
    expect(listed).toEqual(expected.toSorted(([a], [b]) => (a! < b! ? -1 : 1)));
    // The totals of all lockers are counters that the writes update.
    const { count, slots_total, counted } = await readIndex(service.url);
    expect({ count, slots_total }).toEqual(counted);
  }),
);

const clock_moves = fc.constantFrom(0.999, 1, 29, 30, 60).map((seconds) =>
  step("advance", seconds, async () => {
    service.clock.advance(seconds);
  }),
);

const sequences = 25;
const steps_max = 60;
/** A step is up to 62 commits, on a disk that may be slow, but few are. */
const limit_ms = sequences * steps_max * 600;

test(
  "behaves like a map with quotas, versions, visibility and expiry",
  async () => {
    const { seed } = testRandom("locker model");
    const steps = fc.commands([puts, puts, puts, fills, removals, reads, lists, clock_moves], {
      maxCommands: steps_max,
      size: "max",
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const who = await claim(service.url, `Run ${++runs}`);
        await fc.asyncModelRun(() => ({ model: new Model(), real: { who } }), commands);
      }),
      { seed, numRuns: sequences },
    );
  },
  limit_ms,
);
