/** Turns of the event loop: how much begins in one, in all and by key. */

import { expect, test } from "bun:test";
import { TurnsByKey } from "../../src/core/turns.ts";
import { FakeClock } from "../support/clock.ts";

test("lets a limited number of calls of a key begin in a turn, in order of arrival, and holds no other key up", async () => {
  const clock = new FakeClock();
  const turns = new TurnsByKey(clock, 2);
  const begun: string[] = [];
  const call = (key: string, n: number) => {
    const turn = turns.next(key);
    const begin = () => void begun.push(`${key}${n}`);
    if (turn) void turn.then(begin);
    else begin();
  };
  for (let n = 1; n <= 5; n++) call("a", n);
  call("b", 1);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await clock.turn();
  await clock.turn();
  expect(begun.slice(3, 5)).toEqual(["a3", "a4"]);
  for (let n = 2; n <= 3; n++) call("b", n);
  for (let i = 0; i < 4; i++) await clock.turn();
  expect(begun.toSorted()).toEqual(["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3"]);
  call("a", 6);
  expect(begun.at(-1)).toBe("a6");
});
