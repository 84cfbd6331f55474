/** The beacon's time and days on a clock that the test moves: holding, restarting, publishing, rotating. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BeaconDay, BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { FakeClock } from "../support/clock.ts";
import { get } from "../support/http.ts";
import { callTool } from "../support/tools.ts";
import {
  newDirectory,
  removeDirectory,
  startSource,
  type SourceService,
  type TestSettings,
} from "../support/service.ts";
import { stored } from "../support/stored.ts";

// A moment after noon: uptime is read in steps of 10 ms, and time is counted from the later end of a step.
const noon = "2026-03-01T12:00:00.500Z";
const noon_round = Date.parse("2026-03-01T12:00:00Z") / 60_000;

let directory: string;
let clock: FakeClock;
let service: SourceService;
const start = async (settings: TestSettings = {}) =>
  (service = await startSource({ data_dir: directory, ...settings }, clock));
const restart = async (settings: TestSettings = {}) => {
  await service.stop();
  await start(settings);
};
const overview = async () => (await get<BeaconOverview>(`${service.url}/api/beacon`)).body;
const round = (number: number, query = "") =>
  get<BeaconRound & { code?: string }>(`${service.url}/api/beacon/${number}${query}`);
const day = (date: string) => get<BeaconDay>(`${service.url}/api/beacon/days/${date}`);

beforeEach(async () => {
  directory = newDirectory();
  clock = new FakeClock(noon);
  await start();
});
afterEach(async () => {
  await service.stop();
  removeDirectory(directory);
});

describe("seeds", () => {
  test("reveals a seed when its round has ended, not before, and permanently", async () => {
    const { commit } = (await round(noon_round)).body;
    clock.advance(59.4);
    expect((await round(noon_round)).body).toMatchObject({ revealed: false, seed: null, commit });
    expect((await round(noon_round, "?label=x")).status).toBe(425);
    expect((await round(noon_round, "?label=x")).headers.get("retry-after")).toBe("1");
    clock.advance(0.2);
    const revealed = await round(noon_round);
    const { seed } = revealed.body;
    expect(Bun.SHA256.hash(seed!, "hex")).toBe(commit);
    expect((await overview()).last_revealed).toMatchObject({ round: noon_round, seed });
    expect(revealed.body).not.toHaveProperty("now_round");
    expect((await round(noon_round + 20)).body.now_round).toBe(noon_round + 1);
    clock.advance(600);
    expect((await round(noon_round + 20)).body.now_round).toBe(noon_round + 11);
    expect((await round(noon_round)).body).toEqual(revealed.body);
  });

  test("reveals the seeds of rounds during which the service was down", async () => {
    const commits = await Promise.all([1, 2, 3].map(async (i) => (await round(noon_round + i)).body.commit));
    await service.stop();
    clock.advance(600);
    await start();
    for (const [i, commit] of commits.entries()) {
      const { body } = await round(noon_round + 1 + i);
      // The beacon began on this day: its root was not published before.
      expect(body).toMatchObject({ revealed: true, commit, proof: { precommitted: false } });
    }
  });
});

describe("a wait for a seed", () => {
  test("ends when the round ends, for all who wait, also for a draw", async () => {
    clock.advance(20);
    const waiting = Promise.all([
      round(noon_round, "?wait_seconds=50"),
      round(noon_round, "?wait_seconds=50&label=lunch"),
      callTool(service.url, "beacon", { round: noon_round, wait_seconds: 50 }),
    ]);
    while (service.open().waits < 3) await clock.turn();
    clock.advance(39.4);
    await clock.turn();
    expect(service.open().waits).toBe(3);
    clock.advance(0.2);
    const [plain, drawn, by_tool] = await waiting;
    expect(plain).toMatchObject({ status: 200, body: { revealed: true, seed: drawn.body.seed } });
    expect(drawn.body.value!.hex).toBe(Bun.SHA256.hash(`${plain.body.seed}:lunch`, "hex"));
    expect(by_tool.structuredContent!.seed).toBe(plain.body.seed);
    expect(plain.headers.get("cache-control")).toContain("immutable");
    expect(service.open().waits).toBe(0);
  });

  test("answers at once for a round that has ended, and after wait_seconds for one that has not", async () => {
    expect((await round(noon_round - 1, "?wait_seconds=50")).body.revealed).toBe(true);
    const waiting = round(noon_round + 5, "?wait_seconds=10");
    await clock.timerAt(10);
    clock.advance(10);
    expect((await waiting).body).toMatchObject({ revealed: false, seed: null, now_round: noon_round });
    const draw = round(noon_round + 5, "?wait_seconds=10&int=1..6");
    await clock.timerAt(10);
    clock.advance(10);
    expect(await draw).toMatchObject({ status: 425, body: { code: "not_yet" } });
  });

  test("is refused at once beyond the published days, and ends when the service stops", async () => {
    expect((await round(noon_round + 100_000, "?wait_seconds=50")).body.code).toBe("not_yet");
    expect((await round(noon_round, "?wait_seconds=281")).status).toBe(422);
    const waiting = round(noon_round, "?wait_seconds=50");
    while (service.open().waits < 1) await clock.turn();
    await restart();
    expect((await waiting).body.revealed).toBe(false);
  });
});

describe("a clock that is set while the service runs", () => {
  test.each(["2026-03-02T12:00:00.500Z", "2026-02-28T12:00:00.500Z", "2026-03-01T12:00:03.000Z"])(
    "holds new seeds when the clock is set to %s, reports and logs it, and keeps revealed seeds revealed",
    async (time) => {
      const { last_revealed } = await overview();
      clock.set(time);
      expect(await overview()).toMatchObject({ clock: "held", now: { round: noon_round }, last_revealed });
      expect(service.output()).toContain('"event":"beacon.held"');
      expect((await round(noon_round - 1)).status).toBe(200);
      expect((await round(noon_round + 2_000)).body).toMatchObject({ clock: "held", seed: null });
      const page = await (await fetch(`${service.url}/beacon`)).text();
      expect(page).toContain("No new value is published until they agree");
      clock.set(noon);
      expect((await overview()).clock).toBe("ok");
      expect(service.output()).toContain('"event":"beacon.released"');
    },
  );

  test("answers 503 with Retry-After for the rounds between when the clock is set forward by an hour", async () => {
    await overview();
    clock.set("2026-03-01T13:00:00.500Z");
    for (const query of ["", "?label=x"]) {
      const affected = await round(noon_round + 30, query);
      expect(affected).toMatchObject({ status: 503, body: { code: "beacon_held", clock: "held" } });
      expect(affected.headers.get("retry-after")).toBe("60");
      expect(affected.headers.get("cache-control")).toBe("no-store");
    }
    expect((await round(noon_round + 90)).body).toMatchObject({ revealed: false, clock: "held" });
    expect((await round(noon_round + 90, "?label=x")).status).toBe(425);
  });

  test("accepts a change of less than 2 s, and is never ahead of either clock", async () => {
    clock.set("2026-03-01T12:00:02.000Z");
    expect((await overview()).clock).toBe("ok");
    clock.advance(58.2);
    // The wall says 12:01:00.2, the uptime 12:00:58.7.
    expect((await round(noon_round)).body).toMatchObject({ revealed: false });
    clock.advance(1.4);
    expect((await round(noon_round)).body).toMatchObject({ revealed: true });
  });

  test("holds seeds after a restart with a wrong clock, unless --trust-clock is given", async () => {
    await overview();
    clock.set("2026-03-01T13:00:00.500Z");
    await restart();
    expect((await overview()).clock).toBe("held");
    expect((await round(noon_round + 30)).status).toBe(503);
    await restart({ trust_clock: true });
    expect(await overview()).toMatchObject({ clock: "ok", now: { round: noon_round + 60 } });
    expect((await round(noon_round + 30)).body).toMatchObject({ revealed: true });
  });
});

describe("a restart of the machine", () => {
  test("holds seeds while the clock is behind the last revealed round, and withdraws none", async () => {
    clock.advance(3_600);
    const { seed } = (await round(noon_round + 59)).body;
    expect(seed).not.toBeNull();
    await service.stop();
    clock.reboot();
    clock.set(noon);
    await start();
    expect(await overview()).toMatchObject({ clock: "held", now: { round: noon_round + 60 } });
    expect((await round(noon_round + 59)).body.seed).toBe(seed);
    clock.advance(3_601);
    expect((await overview()).clock).toBe("ok");
  });

  test("continues if the clock is correct", async () => {
    await service.stop();
    clock.reboot();
    clock.advance(7_200);
    await start();
    expect(await overview()).toMatchObject({ clock: "ok", now: { round: noon_round + 120 } });
  });
});

describe("days", () => {
  test("publishes each day once, without a call, when it begins within 8 days", async () => {
    expect((await overview()).days).toEqual({ first: "2026-03-01", last: "2026-03-09" });
    const before = (await day("2026-03-09")).body;
    expect(before.published).toBe("2026-03-01T12:00:00.490Z");
    expect((await day("2026-03-10")).headers.get("retry-after")).toBe(String(12 * 3_600));
    await restart();
    clock.advance(12 * 3_600);
    // No request: the beacon's own tick publishes.
    while (!(await publishedDays()).includes("2026-03-10")) await clock.turn();
    expect((await day("2026-03-09")).body).toEqual(before);
    expect((await day("2026-03-10")).body.prev).toBe(Bun.SHA256.hash(before.statement, "hex"));
  });

  test("leaves out the days of a long sleep, and continues the chain", async () => {
    await overview();
    await service.stop();
    clock.advance(30 * 86_400);
    await start();
    expect((await overview()).days).toEqual({ first: "2026-03-01", last: "2026-04-08" });
    expect((await day("2026-03-10")).status).toBe(404);
    expect((await round(noon_round + 15 * 1440)).status).toBe(404);
    const { statement } = (await day("2026-03-09")).body;
    expect((await day("2026-03-31")).body.prev).toBe(Bun.SHA256.hash(statement, "hex"));
    expect((await round(noon_round + 1)).body).toMatchObject({ revealed: true });
  });

  test("uses a new secret for unpublished days after 30 days, and the old one for earlier rounds", async () => {
    const commits = (await day("2026-03-09")).body.commits;
    // Down for 5 days at a time: while it runs, it reads the clock once a minute.
    for (let days = 0; days < 40; days += 5) {
      await service.stop();
      clock.advance(5 * 86_400);
      await start();
      await overview();
    }
    expect(
      new Set((await rows("SELECT secret_id FROM beacon_days")).map(({ secret_id }) => secret_id)).size,
    ).toBe(2);
    expect(await rows("SELECT id FROM beacon_secrets")).toHaveLength(2);
    await restart();
    expect((await day("2026-03-09")).body.commits).toEqual(commits);
    const { seed, commit } = (await round(noon_round)).body;
    expect(Bun.SHA256.hash(seed!, "hex")).toBe(commit);
  });

  test("refuses to start with another round length than that of the published days, and says why", async () => {
    await overview();
    await service.stop();
    expect(start({ round_seconds: 1 })).rejects.toThrow("round-seconds must be 60");
    await start();
  });

  const rows = (sql: string) => stored(directory, sql);
  const publishedDays = async () => (await rows("SELECT day FROM beacon_days")).map(({ day }) => day);
});

test("no response, page or log contains the secret or an early seed", async () => {
  const { upcoming_commitments } = await overview();
  for (const { round: number } of upcoming_commitments.slice(0, 5)) {
    await round(number);
    await round(number, "?label=x");
  }
  const [row] = await stored(directory, "SELECT secret FROM beacon_secrets");
  const secret = row!["secret"] as string;
  const seeds = upcoming_commitments.map(({ round }) =>
    new Bun.CryptoHasher("sha256", Uint8Array.fromHex(secret)).update(`round:${round}`).digest("hex"),
  );
  const texts = [service.output()];
  for (const path of [
    "/api/beacon",
    "/api/beacon.md",
    "/beacon",
    `/api/beacon/${noon_round + 3}`,
    "/openapi.json",
  ]) {
    texts.push(await (await fetch(service.url + path)).text());
  }
  texts.push(await (await fetch(`${service.url}/api/beacon/days/2026-03-02`)).text());
  for (const text of texts) for (const hidden of [secret, ...seeds]) expect(text).not.toContain(hidden);
});
