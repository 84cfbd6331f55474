/**
 * The service's clock on machines whose wall clock is set forward and back by up to a year, which sleep and are turned
 * off, while the service is stopped, killed and restarted: the durations that callers rely on stay correct.
 */

import { expect, test } from "bun:test";
import { createLog } from "../../src/core/log.ts";
import { createServiceClock } from "../../src/timekeeping/service_clock.ts";
import { Simulation } from "../support/clock_simulation.ts";
import { Machine } from "../support/machine.ts";
import { memoryStorage } from "../support/memory.ts";
import { testRandom } from "../support/seed.ts";

const steps = Number(process.env.WHARF_TEST_OPERATIONS ?? 20_000);

async function play(simulation: Simulation): Promise<void> {
  await simulation.prepare();
  for (let step = 0; step < steps; step++) await simulation.step();
}

test.each([
  ["reports its uptime", true],
  ["reports no uptime", false],
])(
  `${steps} steps on a machine that %s`,
  async (_, has_uptime) => {
    const simulation = new Simulation(new Machine(has_uptime), testRandom("clock simulation"));
    await play(simulation);
    console.log(JSON.stringify(simulation.seen));
    // A run that never reached some of these cases would prove nothing about them.
    expect(Object.keys(simulation.seen)).toHaveLength(has_uptime ? 14 : 13);
  },
  180_000,
);

test("control: fails with the wall clock alone", async () => {
  const wall: typeof createServiceClock = async ({ clock }) => ({
    ...clock,
    steady: clock.now,
    moment: () => ({ now_ms: clock.now(), ahead_ms: 0 }),
    health: () => ({ status: "ok" }),
    start() {},
    close() {},
  });
  const simulation = new Simulation(new Machine(true), testRandom("clock control"), wall);
  // Not `rejects`: it runs the event loop itself, where the simulation's turns were seen to wait for minutes.
  const failure: unknown = await play(simulation).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/service time|too early|too long/);
});

test("counts a sleep also if the power fails right after it and the wall clock is wrong then", async () => {
  const machine = new Machine(true);
  const storage = memoryStorage();
  const log = createLog(machine, "error", () => {});
  const start = () => createServiceClock({ clock: machine, storage, log, trust_clock: false });
  const clock = await start();
  clock.start();
  machine.sleep(5 * 3_600_000);
  const woken_ms = clock.now();
  await machine.turn();
  await machine.turn();
  machine.powerCycle(1_000);
  machine.wrong_ms = -365 * 24 * 3_600_000;
  expect((await start()).now()).toBeGreaterThanOrEqual(woken_ms);
});
