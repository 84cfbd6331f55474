/** When leases are settled: at the next end, after a failure again, and once for all who want it meanwhile. */

import { expect, test } from "bun:test";
import { isoTime } from "../../src/core/clock.ts";
import { createLeaseEnds } from "../../src/core/lease_ends.ts";
import { FakeClock } from "../support/clock.ts";

function begin(settleEnded: () => Promise<string | null>) {
  const fake = new FakeClock();
  const moment = () => ({ now_ms: fake.now(), ahead_ms: 0 });
  const clock = Object.assign(fake, { moment, steady: () => fake.now() });
  const warnings: string[] = [];
  const log = { warn: (event: string) => void warnings.push(event) };
  const ends = createLeaseEnds({ clock, log, failure_event: "things.settle_failed", settleEnded });
  return { clock, warnings, ends };
}

test("settles at the end that was found, and not after the service was closed", async () => {
  let settled = 0;
  const { clock, ends } = begin(async () => {
    settled++;
    return isoTime(clock.steady() + 10_000);
  });
  await ends.settle();
  clock.advance(9);
  await clock.turn();
  expect(settled).toBe(1);
  clock.advance(1);
  await clock.turn();
  expect(settled).toBe(2);
  ends.close();
  clock.advance(10);
  await ends.settle();
  expect(settled).toBe(2);
});

test("tries again each second while the storage refuses it, and logs that once", async () => {
  let settled = 0;
  let is_full = true;
  const { clock, warnings, ends } = begin(() => {
    settled++;
    return is_full ? Promise.reject(new Error("full")) : Promise.resolve(null);
  });
  await ends.settle();
  clock.advance(1);
  await clock.turn();
  expect([settled, warnings]).toEqual([2, ["things.settle_failed"]]);
  is_full = false;
  clock.advance(1);
  await clock.turn();
  is_full = true;
  await ends.settle();
  expect(warnings).toHaveLength(2);
});

test("callers that come while one runs share a later one", async () => {
  const runs: (() => void)[] = [];
  const { ends } = begin(() => new Promise((resolve) => void runs.push(() => resolve(null))));
  const first = ends.settle();
  await Promise.resolve();
  const others = [ends.settle(), ends.settle()];
  expect(runs).toHaveLength(1);
  runs[0]!();
  await first;
  await Promise.resolve();
  expect(runs).toHaveLength(2);
  runs[1]!();
  await Promise.all(others);
  expect(runs).toHaveLength(2);
});
