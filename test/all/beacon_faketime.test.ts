/** The compiled binary under libfaketime: its clock is set forward and back by a day while it runs and while it does not. */

import { expect } from "bun:test";
import type { BeaconOverview, BeaconRound } from "../../src/api/beacon/beacon.ts";
import { fakeWall, lacksFaketime } from "../support/faketime.ts";
import { get } from "../support/http.ts";
import { lacks_binary } from "../support/binary.ts";
import { testOfSqlite } from "../support/postgres.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const cannot_run = lacksFaketime("the beacon under a clock that is set") || lacks_binary;

testOfSqlite(
  "reveals no seed early whatever the clock says, and keeps revealed seeds revealed",
  "a node corrects its clock by that of the database: test/storage/postgres/server_time.test.ts",
  async () => {
    const data_dir = newDirectory();
    const wall = fakeWall(data_dir);
    const setClock = wall.set;
    const start = () => startBinary({ data_dir, round_seconds: 1 }, wall.environment);
    const trueRound = () => Math.floor(Date.now() / 1000);
    let service = await start();
    const overview = async () => (await get<BeaconOverview>(`${service.url}/api/beacon`)).body;
    const round = (number: number) => get<BeaconRound>(`${service.url}/api/beacon/${number}`);
    // A first start hashes the rounds of a week, 600,000 with this length. A wait takes however long that takes.
    await get(`${service.url}/api/beacon/${trueRound() + 1}?wait_seconds=50`);
    const commits = new Map(
      (await overview()).upcoming_commitments.map(({ round, commit }) => [round, commit]),
    );

    const began_in = trueRound();
    const first = await overview();
    expect(first).toMatchObject({ clock: "ok", round_seconds: 1 });
    // Its time is never early, and at most a step of the uptime late.
    expect(first.now.round).toBeGreaterThanOrEqual(began_in - 1);
    expect(first.now.round).toBeLessThanOrEqual(trueRound());
    const known = first.last_revealed!;

    for (const offset of ["+1d", "-1d", "+5s", "-5s"] as const) {
      setClock(offset);
      // The beacon is held, which shows that the binary's clock has moved.
      const held = await overview();
      expect(held.clock).toBe("held");
      expect(held.now.round).toBeLessThanOrEqual(trueRound());
      const affected = await round(trueRound() + { "+1d": 3_600, "+5s": 2, "-1d": 0, "-5s": 0 }[offset]);
      expect(affected.body.seed ?? null).toBeNull();
      if (offset.startsWith("+")) {
        expect(affected).toMatchObject({ status: 503, body: { code: "beacon_held", clock: "held" } });
        expect(affected.headers.get("retry-after")).toBe("60");
      }
      expect((await round(known.round)).body.seed).toBe(known.seed);

      // A restart with a wrong clock does not adopt it either.
      await service.stop();
      expect(service.output()).toContain("beacon.held");
      service = await start();
      expect((await overview()).clock).toBe("held");
      expect((await round(trueRound() + 3_600)).body.seed ?? null).toBeNull();
      expect((await round(known.round)).body.seed).toBe(known.seed);

      setClock("+0");
      const released = await overview();
      expect(released.clock).toBe("ok");
      expect(released.now.round).toBeLessThanOrEqual(trueRound());
      for (const [number, commit] of commits) expect((await round(number)).body.commit).toBe(commit);
    }
    await service.stop();
    removeDirectory(data_dir);
  },
  cannot_run,
);
