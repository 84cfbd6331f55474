/** The same at two nodes on one Postgres: a member posts at one and then at the other. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { claimCast } from "../../support/private_rooms.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { expectSecret } from "../../support/secrecy.ts";
import { testRandom } from "../../support/seed.ts";
import { startBinary } from "../../support/service.ts";

const count = Number(process.env.WHARF_TEST_OPERATIONS ?? 10_000);

type Node = Awaited<ReturnType<typeof startBinary>>;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  let nodes: [Node, Node];
  beforeAll(async () => {
    server = await startPostgres();
    const start = () =>
      startBinary({ database: `${server.url}?schema=secrecy`, rate_limit: false, log_level: "error" });
    nodes = [await start(), await start()];
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });

  test(`${count} requests of those who are no members learn nothing of a private room`, async () => {
    const urlOf = (i: number): string => nodes[i % 2]!.url;
    const cast = await claimCast(urlOf(0), "secrecy");
    const canary = "zqsecrecy";
    const random = testRandom("secrecy of private rooms at two nodes");
    const made = await expectSecret(urlOf, cast, { count, canary, lanes: 16, random });
    console.log(`MEASURED: ${made}`);
    for (const node of nodes) expect(node.output()).not.toContain(canary);
  });
});
