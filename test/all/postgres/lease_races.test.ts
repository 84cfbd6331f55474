/** Racers for leases at two nodes that are killed in turn: no two hold conflicting paths at the same time. */

import { afterAll, beforeAll, describe, test } from "bun:test";
import { freePort } from "../../support/free_port.ts";
import { expectOneHolder } from "../../support/lease_races.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { startBinary } from "../../support/service.ts";

const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 5);
const grants = Number(process.env["WHARF_TEST_GRANTS"] ?? 100);

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());

  const start = (settings: object = {}) =>
    startBinary({ database: `${server.url}?schema=leases`, ...settings });

  test(`give conflicting paths to one of 64 racers at a time, though they are killed ${kills} times`, async () => {
    const ports = [await freePort(), await freePort()];
    const nodes = [await start({ port: ports[0]! }), await start({ port: ports[1]! })];
    let killed = 0;
    const kill = async () => {
      const i = killed++ % 2;
      nodes[i]!.process.kill("SIGKILL");
      await nodes[i]!.process.exited;
      nodes[i] = await start({ port: ports[i]! });
    };
    const urlOf = (racer: number) => nodes[racer % 2]!.url;
    console.log(`MEASURED: Postgres: ${await expectOneHolder({ urlOf, kill }, { kills, grants })}`);
    await Promise.all(nodes.map((node) => node.stop()));
  }, 3_600_000);
});
