/** The beacon of several nodes with one database: one value for each round, and each day published once. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openPostgresOf } from "../../../src/app/postgres.ts";
import type { PublishInput } from "../../../src/beacon/commands.ts";
import type { BeaconDay, BeaconOverview, BeaconRound } from "../../../src/api/beacon/beacon.ts";
import type { SecretRow } from "../../../src/beacon/store.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { default_config } from "../../../src/core/settings.ts";
import { FakeClock } from "../../support/clock.ts";
import { startForwarder } from "../../support/forwarder.ts";
import { get } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";

const day_seconds = 86_400;
const base_url = "https://wharf.example";

describe.skipIf(lacks_postgres)("the beacon of several nodes", () => {
  let server: PostgresServer;
  let schemas = 0;
  let seeds = 0;
  const running = new Set<SourceService>();
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await Promise.all([...running].map(stop));
    schemas++;
  });

  /** Starts a node with a data directory of its own: by default on another machine, ten seconds before midnight. */
  async function start(clock = machine(), server_url = server.url): Promise<SourceService> {
    const database = `${server_url}?schema=beacon${schemas}`;
    const node = await startSource({ database, base_url, database_connections: 4 }, clock, ++seeds);
    running.add(node);
    return node;
  }
  async function stop(node: SourceService): Promise<void> {
    running.delete(node);
    await node.stop();
  }
  let machines = 0;
  function machine(start = "2026-03-01T23:59:50.000Z"): FakeClock {
    const clock = new FakeClock(start);
    machines++;
    for (let i = 0; i < machines; i++) clock.reboot();
    return clock;
  }
  const overview = ({ url }: SourceService) => get<BeaconOverview>(`${url}/api/beacon`);
  const round = ({ url }: SourceService, number: number) => get<BeaconRound>(`${url}/api/beacon/${number}`);
  const day = ({ url }: SourceService, name: string) => get<BeaconDay>(`${url}/api/beacon/days/${name}`);

  /** Expects the same chain of days at all nodes, without a gap. Returns how many days it has. */
  async function expectOneChain(nodes: SourceService[]): Promise<number> {
    const { first, last } = (await overview(nodes[0]!)).body.days;
    let prev: string | null = null;
    let count = 0;
    for (let at = Date.parse(first); at <= Date.parse(last); at += day_seconds * 1000) {
      const name = new Date(at).toISOString().slice(0, 10);
      const [one, ...others] = await Promise.all(nodes.map((node) => day(node, name)));
      expect(one!.body.prev).toBe(prev);
      for (const { body } of others) expect(body).toEqual(one!.body);
      prev = Bun.SHA256.hash(one!.body.statement, "hex");
      count++;
    }
    return count;
  }

  test("publish each day once, when all begin at the same moment and when all come to it", async () => {
    const nodes = await Promise.all([start(), start(), start()]);
    await Promise.all(nodes.map(overview));
    expect(await expectOneChain(nodes)).toBe(9);
    for (let days = 0; days < 3; days++) {
      for (const { clock } of nodes) clock.advance(day_seconds);
      await Promise.all(nodes.map(overview));
    }
    expect(await expectOneChain(nodes)).toBe(12);
    const sql = new Bun.SQL(server.url, { max: 1 });
    const [{ count }] = await sql.unsafe(`SELECT count(*)::int FROM beacon${schemas}.beacon_secrets`);
    await sql.close();
    expect(count).toBe(1);
  });

  test("continue the chain with one day, when one node has skipped a day and the other has not", async () => {
    const data_dir = newDirectory();
    const config = { ...default_config, data_dir, database: `${server.url}?schema=beacon${schemas}` };
    const log = createLog(systemClock, "warn", () => undefined);
    const open = () => openPostgresOf({ ...config, database_connections: 4 }, log);
    const [a, b] = [await open(), await open()] as const;
    let new_secret: SecretRow | null = { id: "secret", secret: "00".repeat(32), created: "2026-03-01" };
    let prev: string | null = null;
    for (let i = 0; i < 30; i++) {
      const input = (days: number, secret: SecretRow | null): PublishInput => {
        const day = new Date(Date.UTC(2026, 2, 1 + 2 * i + days)).toISOString().slice(0, 10);
        const fixed = { first_round: 0, rounds: 1440, secret_id: "secret", root: "", published: day };
        return { day: { ...fixed, day, prev, statement: `statement of ${day}` }, new_secret: secret };
      };
      const inputs = [input(0, new_secret), input(1, new_secret)] as const;
      const written = await Promise.all([
        a.write("beacon.publish", inputs[0]),
        b.write("beacon.publish", inputs[1]),
      ]);
      const published = inputs.filter((_, n) => written[n]!.result.published);
      expect(published).toHaveLength(1);
      prev = Bun.SHA256.hash(published[0]!.day.statement, "hex");
      new_secret = null;
    }
    await Promise.all([a.close(), b.close()]);
    removeDirectory(data_dir);
  });

  test("return a seed as soon as one of them has, and a day", async () => {
    const ahead = await start();
    const behind = await start(machine("2026-03-01T23:59:49.600Z"));
    const number = (await overview(ahead)).body.now.round;
    expect((await round(behind, number)).body.seed).toBeNull();
    for (const { clock } of [ahead, behind]) clock.advance(10.1);
    const [out, same] = [await round(ahead, number), await round(behind, number)];
    expect(out.body.seed).toMatch(/^[0-9a-f]{64}$/);
    expect(same.body.seed).toBe(out.body.seed);
    const { last } = (await overview(ahead)).body.days;
    expect(last).toBe("2026-03-10");
    expect((await day(behind, last)).body.statement).toBe((await day(ahead, last)).body.statement);
    expect((await overview(behind)).body.last_revealed).toEqual((await overview(ahead)).body.last_revealed);
  });

  test("agree after nodes were cut off while they published, and began again", async () => {
    const { below } = testRandom("beacon of nodes");
    const stays = await start();
    const clock = machine();
    for (let i = 0; i < 6; i++) {
      const line = await startForwarder(server.url);
      const dies = await start(clock, `postgres://wharf@${new URL(line.url).host}/postgres`);
      stays.clock.advance(day_seconds);
      clock.advance(day_seconds);
      const both = (i % 2 ? [dies, stays] : [dies]).map(overview);
      for (let turns = below(400); turns > 0; turns--) await clock.turn();
      line.stop();
      await Promise.all(both);
      await stop(dies);
      clock.reboot();
    }
    const again = await start(clock);
    expect(await expectOneChain([stays, again])).toBe(15);
  });

  test("return what others have published while their own clock is wrong, and nothing else", async () => {
    const [right, wrong] = [await start(), await start()];
    const number = (await overview(right)).body.now.round;
    wrong.clock.set("2026-03-05T00:00:00.000Z");
    wrong.clock.advance(10.1);
    expect(await round(wrong, number)).toMatchObject({ status: 503, body: { code: "beacon_held" } });
    // Only now, because a tick of this one publishes what the other then returns.
    right.clock.advance(10.1);
    const out = await round(right, number);
    expect((await round(wrong, number)).body).toMatchObject({ seed: out.body.seed });
    expect((await round(wrong, number + 1)).body.seed ?? null).toBeNull();
    // It had an anchor, so a new start believes the clock no more than before.
    await stop(wrong);
    const again = await start(wrong.clock);
    expect((await overview(again)).body.clock).toBe("held");
    expect(await expectOneChain([right, again])).toBe(10);
  });
});
