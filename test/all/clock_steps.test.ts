/**
 * The wall clock is set while the service runs, or between two runs: service time continues, nothing expires or is pruned
 * by the step, and calls wait as long as they request.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { RoomList } from "../../src/api/rooms/rooms.ts";
import { FakeClock } from "../support/clock.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, notesOf, postJob, readJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  type SourceService,
  type TestSettings,
} from "../support/service.ts";
import { stored } from "../support/stored.ts";

const noon = "2026-03-01T12:00:00.000Z";
const day_later = "2026-03-02T12:00:00.000Z";
const year_later = "2027-03-01T12:00:00.000Z";
const steady_seconds = 600;

let directory: string;
let clock: FakeClock;
let service: SourceService;
let room: Opened;
let poster: Holder;
let holder: Holder;
let next: Holder;
let job: string;

const start = async (settings: TestSettings = {}) =>
  (service = await startSource({ data_dir: directory, ...settings }, clock));

beforeEach(async () => {
  directory = newDirectory();
  clock = new FakeClock(noon);
  const { url } = await start();
  room = await open(url, "To be read");
  [poster, holder, next] = [await claim(url, "Poster"), await claim(url, "Holder"), await claim(url, "Next")];
  job = (await postJob(url, poster)).id;
  await callJob(url, holder, job, "claim");
});
afterEach(async () => {
  await service.stop();
  removeDirectory(directory);
});

/** Opens a room with a key; the slug shows whether it is the same answer again. */
const openOnce = async () => {
  const key = { "idempotency-key": "3f0f61a5-9a5c-4d0e-8f6b-1b1f5f0f2f11" };
  return (await post<Opened>(`${service.url}/api/meet/rooms`, { goal: "Once", name: "x" }, key)).body.slug;
};
/** Posts in a room of any run of the service. Returns the post's time. */
const say = async ({ slug, ...rest } = room): Promise<string> => {
  const api = `${service.url}/api/meet/rooms/${slug}`;
  return String((await speak({ ...rest, slug, api }, "hello")).body.ts);
};
const listed = async () =>
  (await get<RoomList>(`${service.url}/api/meet/rooms`)).body.rooms.map(({ slug }) => slug);
const isHeld = async () => (await readJob(service.url, job)).state === "held";
const claimByNext = async () => (await callJob(service.url, next, job, "claim")).status;
const events = () =>
  [...service.output().matchAll(/"event":"(clock\.\w+)"/g)]
    .map(([, event]) => event)
    .filter((e) => e !== "clock.slept");
/** Sets the wall clock. The service reads it at once, not at its next tick. */
const set = async (time: string) => {
  clock.set(time);
  await isHeld();
};
/** Advances time in steps, so that the service reads the clock in between. */
const pass = (seconds: number) => {
  for (let passed = 0; passed < seconds; passed += 60) clock.advance(Math.min(60, seconds - passed));
};

describe("waits", () => {
  test.each(["2026-03-01T11:00:00.000Z", day_later])(
    "answers a wait of 3 seconds after 3, although the clock was set to %s and a change came in between",
    async (time) => {
      const spoken = (await speak(room, "to be taken away")).body;
      const wait = get<{ posts: unknown[] }>(`${room.api}?since=${String(spoken.ts)}&wait_seconds=3`);
      await clock.timerAt(3);
      clock.advance(1);
      clock.set(time);
      const redacted = await call("DELETE", `${room.api}/posts/${String(spoken.id)}`, undefined, {
        "x-meet-key": room.host_key,
      });
      expect(redacted.status).toBe(200);
      await clock.timerAt(2);
      clock.advance(2);
      expect((await wait).body.posts).toEqual([]);
    },
  );
});

describe("steps of the wall clock", () => {
  test.each(["2026-03-02T12:00:10.000Z", "2026-02-28T12:00:00.000Z"])(
    "changes no time, prunes no answer and ends no lease when the clock is set to %s for 2 seconds",
    async (time) => {
      const slug = await openOnce();
      const before = await say();
      await set(time);
      const during = await say();
      expect(await openOnce()).toBe(slug);
      // A new key prunes answers older than a day.
      await post(
        `${service.url}/api/meet/rooms`,
        { goal: "Other", name: "x" },
        { "idempotency-key": "b".repeat(32) },
      );
      expect(await claimByNext()).toBe(409);
      clock.advance(2);
      await set("2026-03-01T12:00:02.000Z");
      const after = await say();
      expect([before, during, after]).toEqual([before, during, after].sort());
      expect(after).toBe("2026-03-01T12:00:02.000Z");
      expect(await openOnce()).toBe(slug);
      expect(await isHeld()).toBe(true);
      expect(events()).toEqual(["clock.held", "clock.released"]);
    },
  );

  test("keeps no room at the top of the list after a step of a year", async () => {
    await set(year_later);
    const wrong = await say();
    clock.advance(60);
    await set("2026-03-01T12:01:00.000Z");
    const other = await open(service.url, "Opened later");
    expect(wrong < noon.replace("12:00", "12:01")).toBe(true);
    expect((await listed())[0]).toBe(other.slug);
  });

  test("follows a step of up to 2 seconds, and time does not go back", async () => {
    await set("2026-03-01T12:00:01.500Z");
    expect(await say()).toBe("2026-03-01T12:00:01.500Z");
    await set(noon);
    expect(await say()).toBe("2026-03-01T12:00:01.501Z");
    clock.advance(1);
    // Half the speed, until the wall clock has caught up.
    expect(await say()).toBe("2026-03-01T12:00:02.000Z");
    clock.advance(9);
    expect(await say()).toBe("2026-03-01T12:00:10.000Z");
    expect(events()).toEqual([]);
  });

  test("adopts a step after ten minutes; leases and answers keep their time", async () => {
    const slug = await openOnce();
    await set(day_later);
    pass(steady_seconds - 60);
    expect(await say()).toStartWith("2026-03-01T12:09");
    pass(60);
    expect(await say()).toBe("2026-03-02T12:10:00.000Z");
    expect(events()).toEqual(["clock.held", "clock.adopted"]);
    expect(await openOnce()).toBe(slug);
    expect(await readJob(service.url, job)).toMatchObject({
      state: "held",
      until: "2026-03-02T13:00:00.000Z",
    });
    expect((await callJob(service.url, next, job, "claim")).body).toMatchObject({
      until: "2026-03-02T13:00:00.000Z",
    });
    clock.pass(3_000 - 0.001);
    expect(await isHeld()).toBe(true);
    clock.pass(0.001);
    expect(await isHeld()).toBe(false);
    const [, expired] = await notesOf(service.url, poster);
    expect(expired).toMatchObject({ kind: "job.lapsed", at: "2026-03-02T13:00:00.000Z" });
    clock.pass(23 * 3_600 - 1);
    expect(await openOnce()).toBe(slug);
  });

  test("does not adopt a clock that continues to move", async () => {
    for (let minute = 0; minute < 30; minute++) {
      clock.set(new Date(Date.parse(day_later) + minute * 90_000).toISOString());
      clock.advance(60);
    }
    expect(await say()).toBe("2026-03-01T12:30:00.000Z");
    expect(events()).toEqual(["clock.held"]);
  });

  test("runs slow after adopting a step back by a minute", async () => {
    await set("2026-03-01T11:59:00.000Z");
    pass(steady_seconds);
    expect(await say()).toBe("2026-03-01T12:10:00.000Z");
    pass(60);
    expect(await say()).toBe("2026-03-01T12:10:30.000Z");
    pass(60);
    expect(await say()).toBe("2026-03-01T12:11:00.000Z");
    pass(60);
    expect(await say()).toBe("2026-03-01T12:12:00.000Z");
  });

  test("follows a step back by a year; a room of that year stays usable, and is not at the top of the list", async () => {
    await service.stop();
    clock.set(year_later);
    await start();
    const of_that_year = await open(service.url, "Opened in 2027");
    const spoken = await say(of_that_year);
    expect(spoken).toStartWith("2027-03-01T12:00:00");
    await set(noon);
    pass(steady_seconds);
    expect(await say()).toBe("2026-03-01T12:10:00.000Z");
    clock.advance(1);
    await say();
    expect((await listed())[0]).toBe(room.slug);
    clock.advance(1);
    expect(await say(of_that_year)).toBe(new Date(Date.parse(spoken) + 1).toISOString());
    expect((await listed())[0]).toBe(of_that_year.slug);
    clock.advance(1);
    await say();
    expect((await listed())[0]).toBe(room.slug);
    expect(await isHeld()).toBe(true);
    expect(events()).toEqual(["clock.adopted", "clock.held", "clock.adopted"]);
  });
});

describe("sleep of the machine", () => {
  test("has the correct time at once if the uptime counts sleep", async () => {
    clock.sleep(8 * 3_600);
    expect(await say()).toBe("2026-03-01T20:00:00.000Z");
    expect(await isHeld()).toBe(false);
    expect(events()).toEqual([]);
  });
});

describe("starts", () => {
  test("starts at the time of a later clock; a lease of the same boot counts the uptime", async () => {
    await service.stop();
    clock.set(day_later);
    await start();
    expect(await say()).toBe(day_later);
    expect(await isHeld()).toBe(true);
    clock.pass(3_600);
    expect(await isHeld()).toBe(false);
    expect(events()).toEqual(["clock.adopted"]);
  });

  test("continues from the stored time with an earlier clock, and adopts the clock after ten minutes", async () => {
    clock.advance(120);
    await service.stop();
    clock.set("2026-02-28T12:00:00.000Z");
    clock.pass(60);
    await start();
    expect(service.output()).toContain(
      '"event":"clock.held","wall":"2026-02-28T12:01:00.000Z","service":"2026-03-01T12:03:00.000Z"',
    );
    expect(await say()).toBe("2026-03-01T12:03:00.000Z");
    pass(steady_seconds);
    expect(await open(service.url, "Opened now")).toMatchObject({ created: "2026-02-28T12:11:00.000Z" });
    expect(await isHeld()).toBe(true);
  });

  test("starts at the time of an earlier clock with --trust-clock", async () => {
    await service.stop();
    clock.set("2026-02-28T12:00:00.000Z");
    await start({ trust_clock: true });
    expect(await open(service.url, "Opened now")).toMatchObject({ created: "2026-02-28T12:00:00.000Z" });
    expect(await isHeld()).toBe(true);
    expect(events()).toEqual(["clock.adopted"]);
  });

  test("counts the time that the machine was off", async () => {
    await service.stop();
    clock.set("2026-03-01T12:50:00.000Z");
    clock.reboot();
    await start();
    expect(await say()).toBe("2026-03-01T12:50:00.000Z");
    expect(await readJob(service.url, job)).toMatchObject({
      state: "held",
      until: "2026-03-01T13:00:00.000Z",
    });
    clock.pass(600);
    expect(await isHeld()).toBe(false);
    expect(events()).toEqual([]);
  });

  test("ends no lease when the machine starts with an unset clock, and adopts the clock when it has been set", async () => {
    await service.stop();
    clock.set("1970-01-01T00:00:00.000Z");
    clock.reboot();
    await start();
    expect(await say()).toStartWith("2026-03-01T12:00:00");
    await set("2026-03-01T12:30:00.000Z");
    pass(steady_seconds);
    expect(await say()).toBe("2026-03-01T12:40:00.000Z");
    expect(await isHeld()).toBe(true);
  });

  test("sorts the private rooms whose activity is a year ahead by the time of the service", async () => {
    const who = await claim(service.url, "private-keeper");
    const path = `${service.url}/api/meet/rooms`;
    const openOne = async (goal: string) =>
      (await post<Opened>(path, { goal, name: who.name, visibility: "private" }, who.pair)).body;
    const [ahead, other] = [await openOne("Ahead"), await openOne("Opened now")];
    const second = year_later.slice(0, 19);
    await stored(
      directory,
      `UPDATE rooms SET last_active = '${year_later}', active_second = '${second}' WHERE slug = '${ahead.slug}'`,
    );
    const listedForMember = async () =>
      (await get<RoomList>(`${path}?visibility=private`, who.pair)).body.rooms.map(({ slug }) => slug);
    expect(await listedForMember()).toEqual([ahead.slug, other.slug]);
    // It is corrected within a minute, and a later post comes after that.
    pass(120);
    await isHeld();
    await post(`${other.api}/posts`, { name: who.name, body: "now" }, who.pair);
    expect(await listedForMember()).toEqual([other.slug, ahead.slug]);
  });

  test("sorts the rooms of an earlier release whose clock was a year ahead correctly", async () => {
    await service.stop();
    const second = year_later.slice(0, 19);
    const times = `last_active = '${year_later}', active_second = '${second}', changed = '${year_later}'`;
    await stored(directory, `UPDATE rooms SET ${times}`);
    clock.advance(60);
    await start();
    const other = await open(service.url, "Opened now");
    expect((await listed())[0]).toBe(room.slug);
    clock.advance(60);
    expect(await say()).toStartWith("2027");
    await say(other);
    clock.advance(1);
    await say(other);
    expect((await listed())[0]).toBe(other.slug);
  });
});
