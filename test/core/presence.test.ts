/** Who is at a topic: nothing of a visit remains that is over, and those who have left are remembered up to a number. */

import { expect, test } from "bun:test";
import type { Identity } from "../../src/core/caller.ts";
import { limits } from "../../src/core/limits.ts";
import { Presence } from "../../src/core/presence.ts";
import { FakeClock } from "../support/clock.ts";

const named = (name: string): Identity => ({ name, canonical: name.toLowerCase(), key_sha256: "" });
const isRoom = (topic: string): boolean => topic.startsWith("room:");

test("knows of rooms, by name once, until the last call of the name has ended; a visit that is over adds nothing", () => {
  const presence = new Presence(new FakeClock(), isRoom);
  const [one, two, nobody] = [
    presence.arrive(named("Ada")),
    presence.arrive(named("Ada")),
    presence.arrive(null),
  ];
  for (const visit of [one, two, nobody]) visit.follow(["room:a", "room:a", "jobs"]);
  expect(presence.here("room:a")).toEqual({ names: [["ada", "Ada"]], others: 1 });
  expect(presence.here("jobs")).toEqual({ names: [], others: 0 });
  expect([...presence.occupied()].sort()).toEqual(["name:ada", "room:a"]);
  one.leave();
  nobody.leave();
  expect(presence.here("room:a")).toEqual({ names: [["ada", "Ada"]], others: 0 });
  two.leave();
  two.follow(["room:a", "room:b"]);
  two.leave();
  expect([...presence.occupied()]).toEqual([]);
  expect(presence.at("room:a").names.get("ada")).toMatchObject({ name: "Ada", waiting: false });
});

test("remembers those who left last", () => {
  const presence = new Presence(new FakeClock(), isRoom);
  // Each is at the place of its name, too.
  for (let i = 0; i <= limits.left_names_max / 2; i++) {
    const visit = presence.arrive(named(`name-${i}`));
    visit.follow(["room:a"]);
    visit.leave();
  }
  const { names } = presence.at("room:a");
  expect([names.size, names.has("name-0"), names.has("name-1")]).toEqual([
    limits.left_names_max / 2,
    false,
    true,
  ]);
});
