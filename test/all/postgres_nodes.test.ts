/** Two nodes on one Postgres: they race, read each other's writes, and are killed; so is the server. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { locker_limits } from "../../src/locker/limits.ts";
import type { Post } from "../../src/rooms/schema.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, postJob } from "../support/jobs.ts";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "../support/load.ts";
import { claim } from "../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { farewell, follow, poll } from "../support/readers.ts";
import { testRandom } from "../support/seed.ts";
import { startBinary } from "../support/service.ts";
import { expectSeenAtOther } from "../support/two_nodes.ts";

const posts = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 2_000);
const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 4);
const crashes = Number(process.env["WHARF_TEST_CUTS"] ?? 2);
const writers = 32;
const racers = 64;

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

  test(`give each job to one of ${racers} who claim it at both, and no name two`, async () => {
    const people = await Promise.all(Array.from({ length: racers }, (_, i) => claim(urlOf(i), `racer ${i}`)));
    const poster = await claim(urlOf(0), "poster");
    const jobs = 10;
    for (let n = 0; n < jobs; n++) {
      const { id } = await postJob(urlOf(n), poster);
      const answers = await Promise.all(people.map((who, i) => callJob(urlOf(i + n), who, id, "claim")));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
    const taken = await Promise.all(
      Array.from({ length: racers }, (_, i) => post(`${urlOf(i)}/api/name`, { name: "the one name" })),
    );
    expect(taken.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("hold a limit together: a name holds at most five jobs", async () => {
    const [poster, holder] = [await claim(urlOf(0), "another poster"), await claim(urlOf(1), "holder")];
    const jobs = await Promise.all(Array.from({ length: 10 }, (_, i) => postJob(urlOf(i), poster)));
    const claims = await Promise.all(jobs.map(({ id }, i) => callJob(urlOf(i), holder, id, "claim")));
    expect(claims.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test(`store no slot beyond the quota of a locker that ${racers} fill at both`, async () => {
    const { pair } = await claim(urlOf(0), "collector");
    const put = (i: number) => call("PUT", `${urlOf(i)}/api/locker/slot-${i}`, { value: "x" }, pair);
    for (let i = 0; i < 10; i++) expect((await put(i)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: racers }, (_, i) => put(10 + i)));
    const stored = locker_limits.slots_per_locker - 10;
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(stored);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(racers - stored);
  });

  test("show what the other has written to whoever reads after its answer, from caches, too", async () => {
    const room = await openRoom(urlOf(0), "Read at once");
    let misses = 0;
    for (let i = 0; i < 500; i++) {
      const written = await post<Post>(`${urlOf(i)}/api/meet/rooms/${room}/posts`, {
        name: "ada",
        body: `${i}`,
      });
      const [read, page] = await Promise.all([
        get<{ posts: Post[] }>(`${urlOf(i + 1)}/api/meet/rooms/${room}`),
        (await fetch(`${urlOf(i + 1)}/meet/r/${room}`)).text(),
      ]);
      if (!read.body.posts.some(({ id }) => id === written.body.id)) misses++;
      if (!page.includes(written.body.id) && !page.includes(`/meet/r/${room}/${i + 1}"`)) misses++;
    }
    expect(misses).toBe(0);
  });

  test.each([true, false])(
    `let readers at one see ${posts} posts at the other once and in order (hints: %p)`,
    async (hints) => {
      schemas++;
      const [a, b] = [await start({ database_hints: hints }), await start({ database_hints: hints })];
      await expectSeenAtOther(a.url, b.url, { posts, writers });
      await Promise.all([a.stop(), b.stop()]);
    },
    600_000,
  );

  test(`lose no acknowledged post when nodes are killed ${kills} times and the server crashes ${crashes} times`, async () => {
    schemas++;
    const { below } = testRandom("nodes and server");
    const sites = [new Site(), new Site()] as const;
    const pair = [await start(), await start()];
    const ports = pair.map(({ url }) => Number(new URL(url).port));
    for (const [i, site] of sites.entries()) site.open(pair[i]!.url);
    const room = await openRoom(pair[0]!.url);
    const ledger = new Ledger();
    const readers = Promise.all(sites.flatMap((site) => [poll(site, room, 5), follow(site, room)]));
    const writing = Array.from({ length: writers }, (_, i) =>
      writeOn(sites[i % 2]!, room, `writer-${i}`, ledger, { body_chars: 40, resend: i % 4 < 2 }),
    );
    for (let round = 0; round < Math.max(kills, crashes); round++) {
      if (round < kills) {
        await ledger.more(1 + below(200));
        const i = round % 2;
        pair[i]!.process.kill("SIGKILL");
        await pair[i]!.process.exited;
        pair[i] = await start({ port: ports[i] });
        sites[i]!.open(pair[i]!.url);
      }
      if (round < crashes) {
        await ledger.more(1 + below(200));
        await server.crash();
        await server.start();
      }
    }
    await ledger.more(200);
    for (const site of sites) site.ended = true;
    await Promise.all(writing);
    await say(sites[0], room, "host", farewell, ledger);
    const stored = await readAll(pair[0]!.url, room);
    expectStored(stored, ledger);
    for (const seen of await readers) expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    console.log(
      `${ledger.acknowledged} acknowledged, ${stored.length} stored, ${kills} kills, ${crashes} crashes`,
    );
    await Promise.all(pair.map((node) => node.stop()));
  }, 600_000);
});
