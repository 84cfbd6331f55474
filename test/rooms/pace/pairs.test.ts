/** The count of the same two over all rooms, against a plain one: random posts, openings, times and lifts. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Elsewhere } from "../../../src/rooms/pace/brake.ts";
import { Pairs } from "../../../src/rooms/pace/pairs.ts";
import { testRandom } from "../../support/seed.ts";

const { seed } = testRandom("pairs");

interface Pace {
  posts: number;
  window_seconds: number;
  spacing_seconds: number;
  names: number;
}

interface Counted {
  name: string;
  at: number;
  /** Whether it is counted: not since a third name or a host ended that somebody is over the pace. */
  counts: boolean;
  /** Whether it is an opening without a post. */
  is_bare: boolean;
}

/** The same by going over all posts each time. Groups of one name or two are written `a` and `a b`. */
class Model {
  readonly rooms = new Map<string, Counted[]>();
  readonly over = new Map<string, number>();
  openings: Counted[] = [];

  constructor(readonly pace: Pace) {}

  get names_max(): number {
    return Math.min(this.pace.names, 2);
  }
  get window(): number {
    return this.pace.window_seconds * 1000;
  }

  /** The posts of the run of a room, the oldest first. */
  run(room: string, now: number): Counted[] {
    const posts = this.rooms.get(room) ?? [];
    if (posts.length === 0 || posts.at(-1)!.at < now - this.window) return [];
    for (let from = posts.length - 1; from > 0; from--) {
      if (new Set(posts.slice(from - 1).map(({ name }) => name)).size > this.names_max)
        return posts.slice(from);
    }
    return posts;
  }
  namesIn(room: string, now: number): string[] {
    return [...new Set(this.run(room, now).map(({ name }) => name))].sort();
  }
  posts(group: string[], now: number, but?: string): number {
    let posts = 0;
    for (const room of this.rooms.keys()) {
      if (room === but || !this.isOf(room, group, now)) continue;
      posts += this.run(room, now).filter(({ at, counts }) => counts && at >= now - this.window).length;
    }
    return posts;
  }
  isOf(room: string, group: string[], now: number): boolean {
    const names = this.namesIn(room, now);
    return names.length > 0 && names.every((name) => group.includes(name));
  }
  isOver(group: string[], now: number): boolean {
    const latest = this.over.get(group.join(" "));
    return latest !== undefined && latest >= now - this.window;
  }
  /** One name alone, and with each that it has met. */
  groupsOf(name: string, now: number): string[][] {
    if (this.names_max === 1) return [[name]];
    const met = [...this.rooms.keys()].map((room) => this.namesIn(room, now));
    const over = [...this.over.keys()]
      .map((key) => key.split(" "))
      .filter((group) => this.isOver(group, now));
    const pairs = [...met, ...over].filter((names) => names.length === 2 && names.includes(name));
    return [[name], ...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()];
  }

  before(room: string | null, name: string, now: number): Elsewhere | undefined {
    const { posts } = this.pace;
    const names = room === null ? [] : this.namesIn(room, now);
    const is_third = names.length === this.names_max && !names.includes(name);
    if (is_third) return undefined;
    const together = [...new Set([...names, name])].sort();
    const groups = together.length === 1 ? this.groupsOf(name, now) : [together];
    const over = groups.filter((group) => this.isOver(group, now));
    if (over.length > 0) {
      const last_ms = Math.max(...over.map((group) => this.over.get(group.join(" "))!));
      return names.length === 0 ? { posts, last_ms, is_new_here: true } : { posts, last_ms };
    }
    if (names.length === 0) return undefined;
    const elsewhere = Math.min(Math.max(...groups.map((group) => this.posts(group, now, room!))), posts);
    const latest = this.run(room!, now).slice(-posts);
    const here = latest.filter(({ at, counts }) => counts && at >= now - this.window);
    const with_opening = elsewhere + (here.some(({ is_bare }) => is_bare) ? 1 : 0);
    const is_reached = with_opening > 0 && here.length + elsewhere + 1 >= posts;
    return is_reached ? { posts: with_opening, last_ms: 0 } : undefined;
  }

  restartGroup(group: string[], now: number): void {
    for (const room of this.rooms.keys()) {
      if (this.isOf(room, group, now)) for (const post of this.run(room, now)) post.counts = false;
    }
    this.openings = this.openings.filter(({ name }) => !group.includes(name));
    this.over.delete(group.join(" "));
  }
  restartThose(room: string, now: number, which: (group: string[]) => boolean): void {
    for (const key of [...this.over.keys()]) {
      const group = key.split(" ");
      if (this.isOver(group, now) && this.isOf(room, group, now) && which(group))
        this.restartGroup(group, now);
    }
  }

  posted(room: string, name: string, now: number, is_opening: boolean, has_post: boolean): void {
    this.restartThose(room, now, (group) => group.length === this.names_max && !group.includes(name));
    if (this.run(room, now).length === 0) this.rooms.delete(room);
    this.rooms.set(room, [
      ...(this.rooms.get(room) ?? []),
      { name, at: now, counts: true, is_bare: !has_post },
    ]);
    if (is_opening) this.opened(name, now);
    const names = this.namesIn(room, now);
    for (const group of names.length === 1 ? this.groupsOf(name, now) : [names]) {
      const is_over = this.isOver(group, now) || this.posts(group, now) >= this.pace.posts;
      if (is_over) this.over.set(group.join(" "), now);
      else this.over.delete(group.join(" "));
    }
  }
  opened(name: string, now: number): void {
    this.openings = [...this.openings, { name, at: now, counts: true, is_bare: true }].filter(
      ({ at }) => at >= now - this.window,
    );
    const other = this.openings.findLast((opening) => opening.name !== name)?.name;
    if (other === undefined || this.names_max === 1) return;
    const theirs = this.openings.filter((opening) => [name, other].includes(opening.name));
    if (theirs.length >= this.pace.posts) this.over.set([name, other].sort().join(" "), now);
  }

  restart(room: string, now: number): void {
    this.restartThose(room, now, () => true);
    for (const post of this.run(room, now)) post.counts = false;
  }
}

const names = ["a", "b", "c", "d"];
const steps = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "a", "b", "a", "b", "a", "b", "c", "d"),
    room: fc.constantFrom("r1", "r2", "r3", "r1", "r2", "new", "new-1", "new-2", "new"),
    lift: fc.constantFrom(...Array.from({ length: 40 }, () => ""), "restart", "leave"),
    waits: fc.constantFrom(0, 0, 0, 1, 2, 3, 5, 10, 21),
    obeys: fc.boolean(),
  }),
  { maxLength: 150, size: "max" },
);
const paces = fc.record({
  posts: fc.integer({ min: 2, max: 8 }),
  window_seconds: fc.constantFrom(5, 20),
  spacing_seconds: fc.constantFrom(1, 4, 30),
  names: fc.constantFrom(1, 2, 2, 2, 3),
});

/** How many steps had which effect: a test of random steps says nothing of what they never reach. */
const seen = { counted: 0, waited: 0, delayed: 0, lifted: 0 };

test("counts as a plain count of all posts does, in random steps", () => {
  fc.assert(
    fc.property(paces, steps, (pace, taken) => {
      const pairs = new Pairs(pace);
      const model = new Model(pace);
      let now = 1_000_000;
      let rooms = 0;
      for (const { name, room: given, lift, waits, obeys } of taken) {
        const is_there = !given.startsWith("new-") || Number(given.slice(4)) <= rooms;
        const chosen = is_there ? given : "r1";
        now += waits * 1000;
        const over_before = model.over.size;
        if (lift !== "") {
          pairs[lift as "restart" | "leave"](chosen, now);
          model.restart(chosen, now);
          if (lift === "leave") model.rooms.delete(chosen);
          if (model.over.size < over_before) seen.lifted++;
          continue;
        }
        for (const each of names) {
          for (const room of [null, "r1", "r2", "r3", "new-1", "new-2"]) {
            const [found, expected] = [pairs.before(room, each, now), model.before(room, each, now)];
            if (!Bun.deepEquals(found, expected))
              expect({ room, each, ...found }).toEqual({ room, each, ...expected });
          }
        }
        const is_opening = chosen === "new";
        const room = is_opening ? `new-${++rooms}` : chosen;
        const found = pairs.before(is_opening ? null : room, name, now);
        if (found) seen[found.last_ms === 0 ? "counted" : "waited"]++;
        if (obeys && found && found.last_ms + pace.spacing_seconds * 1000 > now) {
          seen.delayed++;
          continue;
        }
        const has_post = !is_opening || obeys;
        pairs.posted(room, name, now, is_opening, has_post);
        model.posted(room, name, now, is_opening, has_post);
      }
      expect(pairs.before("r1", "a", now)).toEqual(model.before("r1", "a", now));
    }),
    { seed, numRuns: 300 },
  );
  for (const [effect, times] of Object.entries(seen)) expect([effect, times > 20]).toEqual([effect, true]);
});

test("remembers a bounded number of posts and forgets rooms that are silent", () => {
  const pace = { posts: 60, window_seconds: 300, spacing_seconds: 60, names: 2 };
  const pairs = new Pairs(pace, 5_000);
  let now = 0;
  for (let i = 0; i < 50_000; i++) {
    now += 10;
    pairs.posted(`room-${i % 20_000}`, `name-${i % 7_001}`, now, i < 2_000);
    expect(pairs.size).toBeLessThanOrEqual(5_000);
  }
  now += 301_000;
  for (let i = 0; i < 500; i++) pairs.posted(`new-${i}`, `name-${i % 3}`, now);
  expect(pairs.size).toBeLessThanOrEqual(1_000);
});
