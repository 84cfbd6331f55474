/** What became of a mention, over two nodes with one database: all of it is the same at both but what one of them has answered. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/core/limits.ts";
import type { Delivered, PostDelivery } from "../../../src/api/rooms/delivery.ts";
import type { Post } from "../../../src/api/rooms/rooms.ts";
import { FakeClock } from "../../support/clock.ts";
import { get, post } from "../../support/http.ts";
import { readMailbox } from "../../support/jobs.ts";
import { claim } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { open } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";

describe.skipIf(lacks_postgres)("what became of a mention", () => {
  let server: PostgresServer;
  const nodes: SourceService[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    for (const seed of [1, 2]) {
      const clock = new FakeClock();
      const database = `${server.url}?schema=delivery`;
      nodes.push(await startSource({ database }, clock, seed, undefined, undefined, clock));
    }
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });

  test("is the same at both nodes, but for what was fetched from one", async () => {
    const [a, b] = nodes as [SourceService, SourceService];
    const author = await claim(a.url, "author");
    const reader = await claim(b.url, "reader");
    const { slug } = await open(a.url, "Two nodes");
    const api = ({ url }: SourceService) => `${url}/api/meet/rooms/${slug}`;
    const ask = { name: "author", body: "@reader, please look" };
    const { n } = (await post<Post>(`${api(a)}/posts`, ask, author.pair)).body;
    const fateAt = async (node: SourceService): Promise<Delivered> =>
      (await get<PostDelivery>(`${api(node)}/posts/${n}?fields=delivery`, author.pair)).body.delivery[0]!;
    const fates = async () => [await fateAt(a), await fateAt(b)].map(({ state }) => state);
    /** Resolves when both nodes show these states, while they send and read who waits. */
    async function shown(...states: string[]): Promise<void> {
      while (!Bun.deepEquals(await fates(), states))
        for (const { clock } of nodes) clock.advance(limits.presence_exchange_seconds);
    }

    expect(await fates()).toEqual(["stored", "stored"]);
    const { next_since } = await readMailbox(b.url, reader);
    expect(await fates()).toEqual(["stored", "fetched"]);
    for (const path of [`/api/meet/rooms/${slug}/stream`, "/api/mailbox/stream"]) {
      const stream = await readEvents(b.url + path, reader.pair);
      await shown("waiting", "waiting");
      await stream.close();
      await shown("stored", "fetched");
    }
    await post(`${b.url}/api/mailbox/ack`, { through: next_since }, reader.pair);
    expect(await fates()).toEqual(["read", "read"]);
    const reply = { name: "reader", body: "Yes", in_reply_to: n };
    const { n: answered_by } = (await post<Post>(`${api(b)}/posts`, reply, reader.pair)).body;
    for (const node of nodes)
      expect(await fateAt(node)).toEqual({ name: "reader", state: "answered", answered_by });
  });
});
