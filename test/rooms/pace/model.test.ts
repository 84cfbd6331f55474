/** The brake of a room makes the decisions of a plain model that counts all posts each time, whatever is still in memory. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { commands } from "../../../src/app/commands.ts";
import type { Pace } from "../../../src/api/rooms/pace.ts";
import { isoTime, systemClock } from "../../../src/core/clock.ts";
import { canonicalName } from "../../../src/names/canonical.ts";
import { lookKey } from "../../../src/names/imitation.ts";
import { insertName } from "../../../src/names/store.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { TransactionRunner, type WriteRequest } from "../../../src/storage/sqlite/group_commit.ts";
import { testRandom } from "../../support/seed.ts";

const random = testRandom("pace");
const steps = Number(process.env.WHARF_TEST_OPERATIONS ?? 4_000);
const start_ms = Date.parse("2026-03-01T12:00:00.000Z");
const between = (least: number, most: number): number => least + random.below(most - least + 1);

interface Said {
  name: string;
  now_ms: number;
  elsewhere?: { posts: number; last_ms: number };
}

/** A room as the contract describes it. */
class Model {
  chosen: Pace | "none" | undefined;
  after = 0;
  slowed: Set<string> | null = null;
  until_ms: number | null = null;
  posts: { name: string; ts_ms: number }[] = [];
  notes = 0;
  changed_ms = start_ms;

  constructor(private readonly instance: Pace | undefined) {}

  get pace(): Pace | undefined {
    return this.chosen === "none" ? undefined : (this.chosen ?? this.instance);
  }

  /** The names of the longest run of latest posts, each post once. */
  run({ names, window_seconds, posts: most }: Pace, at_ms: number, with_name?: string): string[] {
    const counted = this.posts.slice(this.after).slice(-most);
    for (let from = 0; from < counted.length; from++) {
      const run = counted.slice(from);
      const speakers = new Set(run.map(({ name }) => name));
      if (with_name !== undefined) speakers.add(with_name);
      if (speakers.size <= names && at_ms - run[0]!.ts_ms <= window_seconds * 1000)
        return run.map(({ name }) => name);
    }
    return [];
  }

  /** Posts; false if it is refused. */
  say({ name: spelled, now_ms, elsewhere: in_others }: Said): boolean {
    const name = canonicalName(spelled);
    const { pace } = this;
    // A room with a pace of its own counts its own posts only.
    const elsewhere = this.chosen === undefined ? in_others : undefined;
    if (pace && this.isEarly(pace, name, now_ms, elsewhere)) return false;
    const ts_ms = this.next(now_ms);
    this.posts.push({ name, ts_ms });
    if (!pace) {
      if (this.until_ms !== null) this.lift();
      return true;
    }
    const was_slowed = this.slowed !== null;
    if (this.slowed) {
      const latest = this.posts.slice(this.after).slice(-pace.posts);
      if (new Set([...this.slowed, ...latest.map((post) => post.name)]).size > pace.names) {
        this.lift();
        return true;
      }
      if (this.slowed.has(name)) this.until_ms = ts_ms + pace.spacing_seconds * 1000;
    }
    const run = this.run(pace, ts_ms);
    if (run.length + (elsewhere?.posts ?? 0) < pace.posts) return true;
    this.slowed = new Set([...(this.slowed ?? []), ...run]);
    this.until_ms = ts_ms + pace.spacing_seconds * 1000;
    this.after = this.posts.length;
    if (!was_slowed) this.notes++;
    return true;
  }

  isEarly(pace: Pace, name: string, now_ms: number, elsewhere: Said["elsewhere"]): boolean {
    const spacing_ms = pace.spacing_seconds * 1000;
    let until_ms = 0;
    if (this.slowed?.has(name)) until_ms = this.until_ms!;
    const counts =
      elsewhere && (until_ms > 0 || this.run(pace, now_ms, name).length + elsewhere.posts >= pace.posts);
    if (counts) {
      const has_run = until_ms === 0 && this.run(pace, now_ms, name).length > 0;
      const here_ms = has_run ? this.posts.at(-1)!.ts_ms + spacing_ms : until_ms;
      until_ms = Math.max(here_ms, elsewhere.last_ms + spacing_ms);
    }
    return until_ms > now_ms && until_ms - now_ms <= spacing_ms + 60_000;
  }

  lift(): void {
    this.after = this.posts.length;
    this.slowed = null;
    this.until_ms = null;
  }

  /** The time of the next change: times of a room rise strictly. */
  next(now_ms: number): number {
    return (this.changed_ms = Math.max(now_ms, this.changed_ms + 1));
  }

  set(chosen: Pace | "none" | undefined, now_ms: number): void {
    this.next(now_ms);
    this.chosen = chosen;
    this.lift();
  }
}

const anyPace = (): Pace => ({
  posts: between(2, 7),
  window_seconds: between(1, 40),
  spacing_seconds: between(1, 20),
  names: between(1, 3),
});
const textOf = ({ posts, window_seconds, spacing_seconds, names }: Pace): string =>
  [posts, window_seconds, spacing_seconds, names].join("/");

test(`makes the decisions of the model, in ${steps} random steps`, async () => {
  let id = 0;
  const seen = { posts: 0, refusals: 0, onsets: 0, forgotten: 0 };
  const newId = () => `019ca945-0a00-7000-8000-${String(++id).padStart(12, "0")}`;
  for (let step = 0; step < steps;) {
    const instance = random.below(4) === 0 ? undefined : anyPace();
    const instance_pace = instance && textOf(instance);
    let database = new Database(":memory:");
    const connection = new Connection(database, { busy_ms: 0 });
    let runner = TransactionRunner.over(connection, commands, systemClock);
    const identity = { name: "host", canonical: "host", key_sha256: "host" };
    await insertName(connection, {
      ...identity,
      look: lookKey("host"),
      looks_ascii: 0,
      created: isoTime(start_ms),
      recovery_sha256: "host",
    });
    const rooms = ["one", "two"];
    const models = new Map(rooms.map((slug) => [slug, new Model(instance)]));
    let now_ms = start_ms;
    const open = (slug: string): WriteRequest => ({
      name: "rooms.open",
      input: {
        ...{ identity, goal: slug, name: "host", visibility: "public" },
        slugs: [slug],
        host_key_sha256: "key",
        now_ms,
      },
      call: undefined,
    });
    await runner.commit(rooms.map(open));
    for (let i = 0; i < 200 && step < steps; i++, step++) {
      now_ms += random.below(12) === 0 ? between(-20_000, 60_000) : between(0, 5) * between(0, 1_000);
      const slug = random.oneOf(rooms);
      const model = models.get(slug)!;
      if (random.below(40) === 0) {
        const pace = random.oneOf(["none", "default", anyPace(), anyPace(), anyPace()] as const);
        const input = { room: slug, by: { host_key_sha256: "key" }, pace, now_ms, instance_pace };
        await runner.commit([{ name: "rooms.set_pace", input, call: undefined }]);
        model.set(pace === "default" ? undefined : pace, now_ms);
        continue;
      }
      if (random.below(30) === 0) {
        // Another process opens the database.
        seen.forgotten++;
        database = Database.deserialize(database.serialize());
        runner = TransactionRunner.over(new Connection(database, { busy_ms: 0 }), commands, systemClock);
      }
      const said = Array.from({ length: random.oneOf([1, 1, 1, 2, 5]) }, () => ({
        room: random.below(4) === 0 ? random.oneOf(rooms) : slug,
        name: random.oneOf(["ada", "ada", "Bob", "bob", "BOB", "carol", "dan"].slice(0, between(2, 7))),
        now_ms,
        ...(random.below(15) === 0 && {
          elsewhere: { posts: between(1, 7), last_ms: now_ms - between(0, 20_000) },
        }),
      }));
      const requests = said.map((one) => ({
        name: "rooms.speak",
        input: {
          ...one,
          identity: null,
          id: newId(),
          body: "a text",
          salt: "00".repeat(16),
          in_reply_to: null,
          instance_pace,
        },
        call: undefined,
      }));
      const { replies } = await runner.commit(requests);
      const decided = replies.map(({ failure }) => failure?.definition?.code ?? "posted");
      const expected = said.map((one) => (models.get(one.room)!.say(one) ? "posted" : "slow_down"));
      expect([step, decided]).toEqual([step, expected]);
      for (const decision of decided) seen[decision === "posted" ? "posts" : "refusals"]++;
      for (const [room, { until_ms, posts, notes }] of models) {
        const row = database.query("SELECT posts, slowed_until FROM rooms WHERE slug = ?").get(room);
        const until = until_ms === null ? null : isoTime(until_ms);
        expect([step, room, row]).toEqual([step, room, { posts: posts.length, slowed_until: until }]);
        const put = database
          .query("SELECT COUNT(*) AS notes FROM notes WHERE json_extract(content, '$.room') = ?")
          .get(room);
        expect([step, room, put]).toEqual([step, room, { notes }]);
      }
    }
    for (const model of models.values()) seen.onsets += model.notes;
    database.close();
  }
  // Each of these has to occur for the test to say anything.
  for (const [what, count] of Object.entries(seen)) expect([what, count > steps / 200]).toEqual([what, true]);
});
