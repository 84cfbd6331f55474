/** The pace of a room over two nodes with one database: both count all posts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { repeatedWhileBusy } from "../../support/busy.ts";
import { post } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";
import { startSource, type SourceService } from "../../support/service.ts";

const random = testRandom("pace of nodes");
/** By numbers and names alone: all posts come within the window, and none after the spacing. */
const pace = { posts: 5, window_seconds: 86_400, spacing_seconds: 86_400, names: 2 };

describe.skipIf(lacks_postgres)("the pace of a room over two nodes", () => {
  let server: PostgresServer;
  let nodes: SourceService[];
  let alone: SourceService;
  beforeAll(async () => {
    server = await startPostgres();
    const database = `${server.url}?schema=pace`;
    nodes = [await startSource({ database }), await startSource({ database }, undefined, 2)];
    alone = await startSource({});
  });
  afterAll(async () => {
    await Promise.all([...nodes, alone].map((service) => service.stop()));
    await server.stop();
  });

  const open = async (goal: string, url: string) =>
    (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal, name: "host", pace })).body.slug;
  const say = async (url: string, slug: string, name: string) =>
    (await repeatedWhileBusy(() => post(`${url}/api/meet/rooms/${slug}/posts`, { name, body: "a text" })))
      .status;

  test("lets as many posts through as one node, when they come to both at once", async () => {
    const slug = await open("At once?", nodes[0]!.url);
    const racing = Array.from({ length: 40 }, (_, i) =>
      say(nodes[i % 2]!.url, slug, i % 3 === 0 ? "a" : "b"),
    );
    const statuses = await Promise.all(racing);
    expect(statuses.filter((status) => status === 201)).toHaveLength(pace.posts);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - pace.posts);
  });

  test("makes the decisions of one node, whichever gets the next post", async () => {
    const names = ["a", "a", "a", "b", "b", "b", "c"];
    const [shared, single] = [await open("In turn?", nodes[0]!.url), await open("In turn?", alone.url)];
    let refused = 0;
    for (let i = 0; i < 300; i++) {
      const name = random.oneOf(names);
      const [at_nodes, at_one] = [
        await say(random.oneOf(nodes).url, shared, name),
        await say(alone.url, single, name),
      ];
      expect([i, at_nodes]).toEqual([i, at_one]);
      if (at_nodes === 429) refused++;
    }
    expect(refused).toBeGreaterThan(30);
  });
});
