/** Two nodes on one Postgres: they race, read each other's writes, and are killed; so is the server. */

import { afterAll, beforeAll, describe, test } from "bun:test";
import { expectOneWinner, expectQuotas } from "../../support/node_races.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { startBinary } from "../../support/service.ts";
import { open } from "../../support/rooms.ts";
import { expectClosedUnread, expectOneSpeaks, expectReplayed } from "../../support/speaking_races.ts";
import { expectNothingLost, expectReadAtOnce, expectSeenAtOther } from "../../support/two_nodes.ts";

const posts = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 2_000);
const writes_read = Math.max(200, posts / 10);
const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 2);
const crashes = Number(process.env["WHARF_TEST_CUTS"] ?? 1);
const writers = 64;

type Node = Awaited<ReturnType<typeof startBinary>>;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  let schemas = 0;
  let nodes: [Node, Node];
  beforeAll(async () => {
    server = await startPostgres();
    nodes = [await start(), await start()];
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });

  const start = (settings: object = {}) =>
    startBinary({ database: `${server.url}?schema=nodes${schemas}`, ...settings });
  const urlOf = (i: number): string => nodes[i % 2]!.url;

  test("give each job, name and version of a slot to one of 64 racers", () => expectOneWinner(urlOf));

  test("let one of 64 racers post whose number of the latest post is the same, and give its post to the others", async () => {
    const { slug } = await open(urlOf(0), "Who speaks?");
    const apiOf = (i: number) => `${urlOf(i)}/api/meet/rooms/${slug}`;
    for (let latest = 0; latest < 10; latest++) await expectOneSpeaks(apiOf, latest);
    await expectReplayed(apiOf, 10);
  });

  test("close no room on condition in which somebody has posted", async () => {
    for (let n = 0; n < 10; n++) {
      await expectClosedUnread((i) => urlOf(i + n), await open(urlOf(0), `Shall we end? ${n}`));
    }
  });

  test("hold the quotas of a name together", () => expectQuotas(urlOf));

  test(`show ${writes_read} posts of the other to readers after its answer, from caches, too`, () =>
    expectReadAtOnce(urlOf, writes_read));

  test.each([true, false])(
    `let readers at one see ${posts} posts at the other once and in order (hints: %p)`,
    async (hints) => {
      schemas++;
      const [a, b] = [await start({ database_hints: hints }), await start({ database_hints: hints })];
      await expectSeenAtOther(a.url, b.url, { posts, writers });
      await Promise.all([a.stop(), b.stop()]);
    },
    3_600_000,
  );

  test(`lose no acknowledged post when nodes are killed ${kills} times and the server crashes ${crashes} times`, async () => {
    schemas++;
    const crash = async () => {
      await server.crash();
      await server.start();
    };
    console.log(await expectNothingLost(start, { writers, kills, crashes, crash }));
  }, 3_600_000);
});
