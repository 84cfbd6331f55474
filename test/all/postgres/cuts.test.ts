/**
 * A network between a node and its database that breaks: connections are reset, or what is sent disappears without a sign for
 * some seconds, and for good in connections of before.
 */

import { afterAll, beforeAll, describe, test } from "bun:test";
import { startForwarder, type Forwarder } from "../../support/forwarder.ts";
import { Ledger, openRoom, Site, writeOn } from "../../support/load.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { follow, poll } from "../../support/readers.ts";
import { testRandom } from "../../support/seed.ts";
import { startBinary } from "../../support/service.ts";
import { expectAllRead, sayFarewell } from "../../support/two_nodes.ts";

const cuts = Number(process.env["WHARF_TEST_CUTS"] ?? 1);
const writers = 32;

describe.skipIf(lacks_postgres)("a network that breaks", () => {
  let server: PostgresServer;
  let network: Forwarder;
  beforeAll(async () => {
    server = await startPostgres();
    network = await startForwarder(server.url);
  });
  afterAll(async () => {
    network.stop();
    await server.stop();
  });

  test(`loses no acknowledged post and stores none twice, ${cuts} times reset and ${cuts} times silent`, async () => {
    const { below } = testRandom("network");
    // The first node has the network in between, the second has none.
    const nodes = [await startBinary({ database: network.url }), await startBinary({ database: server.url })];
    const sites = nodes.map(({ url }) => {
      const site = new Site();
      site.open(url);
      return site;
    }) as [Site, Site];
    const room = await openRoom(nodes[0]!.url);
    const ledger = new Ledger();
    const readers = Promise.all(sites.flatMap((site) => [poll(site, room, 5), follow(site, room)]));
    const writing = Array.from({ length: writers }, (_, i) =>
      writeOn(sites[i % 2]!, room, `writer-${i}`, ledger, { body_chars: 40, resend: true, persists: true }),
    );
    for (let round = 0; round < 2 * cuts; round++) {
      await ledger.more(1 + below(200));
      if (round % 2 === 0) {
        network.cut();
        continue;
      }
      network.swallow();
      // The node that the network cut off refuses, and the other continues.
      await ledger.refusal();
      await ledger.more(50);
      network.heal();
    }
    await ledger.more(200);
    for (const site of sites) site.ended = true;
    await Promise.all(writing);
    await sayFarewell(sites[0], room, ledger);
    const stored = await expectAllRead(nodes[1]!.url, room, ledger, readers);
    console.log(
      `${ledger.acknowledged} acknowledged, ${stored} stored, ${JSON.stringify([...ledger.refused])} refused`,
    );
    await Promise.all(nodes.map((node) => node.stop()));
  }, 600_000);
});
