/** Steady time of nodes that follow the clock of one database: it stays the same on machines whose clocks run differently. */

import { expect, test } from "bun:test";
import { ClockDiscipline } from "../../src/timekeeping/discipline.ts";
import { FakeClock } from "../support/clock.ts";

const start = "2026-03-01T12:00:00.000Z";
const hour = 3_600;

/** A node whose machine runs faster than the database by `drift`; its wall clock is corrected to that of the database. */
class Node {
  readonly #machine = new FakeClock(start);
  readonly discipline: ClockDiscipline;

  constructor(
    readonly drift: number,
    is_shared: boolean,
  ) {
    this.discipline = new ClockDiscipline(this.#machine, undefined, false, () => undefined, is_shared);
  }

  /** `seconds` pass at the database, where it is `now_ms` then. */
  pass(seconds: number, now_ms: number): void {
    this.#machine.advance(seconds * (1 + this.drift));
    this.#machine.set(new Date(now_ms).toISOString());
    this.discipline.check();
  }
}

/** How far two nodes with a drift of 100 ppm in both directions are apart after a day, in steady time. */
function apartAfterDay(is_shared: boolean): number {
  const nodes = [new Node(1e-4, is_shared), new Node(-1e-4, is_shared)] as const;
  const latest = nodes.map(({ discipline }) => discipline.steady());
  for (let minutes = 1; minutes <= 24 * 60; minutes++) {
    for (const [i, node] of nodes.entries()) {
      node.pass(60, Date.parse(start) + minutes * 60_000);
      expect(node.discipline.steady()).toBeGreaterThanOrEqual(latest[i]!);
      latest[i] = node.discipline.steady();
    }
  }
  for (const { discipline } of nodes)
    expect(Math.abs(discipline.now() - Date.parse(start) - 24 * hour * 1000)).toBeLessThan(50);
  return Math.abs(latest[0]! - latest[1]!);
}

test("follows the clock of the database, and does not run apart on different machines", () => {
  expect(apartAfterDay(true)).toBeLessThan(50);
  // As a control: one instance alone counts by its own machine.
  expect(apartAfterDay(false)).toBeGreaterThan(15_000);
});

test("does not follow a step of the clock of the database", () => {
  const node = new Node(0, true);
  const steady_ms = node.discipline.steady();
  node.pass(60, Date.parse(start) + 2 * hour * 1000);
  expect(node.discipline.steady() - steady_ms).toBe(60_000);
  expect(node.discipline.is_held).toBe(true);
});
