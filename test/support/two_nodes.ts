/** What holds between two nodes of one database. */

import { expect } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { repeatedWhileBusy } from "./busy.ts";
import { freePort } from "./free_port.ts";
import { get, post } from "./http.ts";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "./load.ts";
import { farewell, follow, poll } from "./readers.ts";
import { testRandom } from "./seed.ts";
import type { startBinary } from "./service.ts";

/**
 * Writes at least `posts` posts at one node with `writers` writers, while others read at the other with `since`, wait and
 * stream. Expects that each of them sees every post once and in order.
 */
export async function expectSeenAtOther(
  writing_url: string,
  reading_url: string,
  { posts, writers }: { posts: number; writers: number },
): Promise<void> {
  const [writing_site, reading_site] = [new Site(), new Site()];
  writing_site.open(writing_url);
  reading_site.open(reading_url);
  const room = await openRoom(writing_url);
  const ledger = new Ledger();
  const readers = Promise.all([
    poll(reading_site, room, 0),
    poll(reading_site, room, 5),
    follow(reading_site, room),
  ]);
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(writing_site, room, `writer-${i}`, ledger, { body_chars: 40, resend: false }),
  );
  await ledger.more(posts);
  writing_site.ended = true;
  await Promise.all(writing);
  await say(writing_site, room, "host", farewell, ledger);
  await expectAllRead(reading_url, room, ledger, readers);
}

/**
 * Expects what is stored of a room to be what was acknowledged, and each reader to have seen all of it once and in order. Returns
 * the number of posts that are stored.
 */
export async function expectAllRead(
  url: string,
  room: string,
  ledger: Ledger,
  readers: Promise<{ id: string }[][]>,
): Promise<number> {
  const stored = await readAll(url, room);
  expectStored(stored, ledger);
  for (const seen of await readers) expect(seen.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  return stored.length;
}

/**
 * Posts `posts` times at one of two nodes, and reads at the other as soon as the post is acknowledged: as JSON and as a page, each
 * of which the node had in its cache. Expects each post to be there.
 */
export async function expectReadAtOnce(urlOf: (i: number) => string, posts: number): Promise<void> {
  let misses = 0;
  for (let i = 0, room = ""; i < posts; i++) {
    // A page shows the latest posts; a new room, so that each page stays short.
    if (i % 100 === 0) room = await openRoom(urlOf(i), `Read at once ${i}`);
    const written = await repeatedWhileBusy(() =>
      post<Post>(`${urlOf(i)}/api/meet/rooms/${room}/posts`, { name: "ada", body: `${i}` }),
    );
    expect(written.status).toBe(201);
    const [read, page] = await Promise.all([
      get<{ posts: Post[] }>(`${urlOf(i + 1)}/api/meet/rooms/${room}`),
      (await fetch(`${urlOf(i + 1)}/meet/r/${room}`)).text(),
    ]);
    if (!read.body.posts.some(({ id }) => id === written.body.id)) misses++;
    if (!page.includes(`/meet/r/${room}/${(i % 100) + 1}"`)) misses++;
  }
  expect(misses).toBe(0);
}

/** Posts the farewell, again as long as the node refuses it because it does not reach its database yet. */
export async function sayFarewell(site: Site, room: string, ledger: Ledger): Promise<void> {
  const headers = { "idempotency-key": "farewell" };
  while ((await say(site, room, "host", farewell, ledger, headers)) === 503) await Bun.sleep(20);
}

/**
 * Kills nodes in turn `kills` times, and calls `crash` `crashes` times, while writers and readers work at both. `start` starts a
 * node. Expects every acknowledged post to be stored once, and readers to see each once and in order. Returns what it saw.
 */
export async function expectNothingLost(
  start: (settings?: { port: number }) => ReturnType<typeof startBinary>,
  {
    writers,
    kills,
    crashes = 0,
    crash,
  }: { writers: number; kills: number; crashes?: number; crash?: () => Promise<void> },
): Promise<string> {
  const { below } = testRandom("nodes and server");
  const sites = [new Site(), new Site()] as const;
  const ports = [await freePort(), await freePort()];
  const pair = [await start({ port: ports[0]! }), await start({ port: ports[1]! })];
  for (const [i, site] of sites.entries()) site.open(pair[i]!.url);
  const room = await openRoom(pair[0]!.url);
  const ledger = new Ledger();
  const readers = Promise.all(sites.flatMap((site) => [poll(site, room, 5), follow(site, room)]));
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(sites[i % 2]!, room, `writer-${i}`, ledger, {
      body_chars: 40,
      resend: i % 4 < 2,
      ...(i % 8 < 2 && { persists: true }),
    }),
  );
  for (let round = 0; round < Math.max(kills, crashes); round++) {
    if (round < kills) {
      await ledger.more(1 + below(200));
      const i = round % 2;
      pair[i]!.process.kill("SIGKILL");
      await pair[i]!.process.exited;
      pair[i] = await start({ port: ports[i]! });
      sites[i]!.open(pair[i]!.url);
    }
    if (round < crashes) {
      await ledger.more(1 + below(200));
      await crash!();
    }
  }
  await ledger.more(200);
  for (const site of sites) site.ended = true;
  await Promise.all(writing);
  await sayFarewell(sites[0], room, ledger);
  const stored = await expectAllRead(pair[0]!.url, room, ledger, readers);
  await Promise.all(pair.map((node) => node.stop()));
  return `${ledger.acknowledged} acknowledged, ${stored} stored, ${kills} kills, ${crashes} crashes`;
}
