/**
 * Whether the time of an answer differs between a private room of others and none: requests of strangers about each in turn, which differ in
 * nothing but the slug. Prints medians, means and the test of Mann and Whitney; fails only on a gross difference.
 */

import { describe, expect, test } from "bun:test";
import { post } from "../support/http.ts";
import { message } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { lacks_postgres, startPostgres } from "../support/postgres_server.ts";
import { missingLike } from "../support/private_rooms.ts";
import { testRandom } from "../support/seed.ts";
import { startBinary } from "../support/service.ts";

const tries = Number(process.env.WHARF_TEST_OPERATIONS ?? 2_000);
const rooms_count = 100;
/** The medians differ by this part at most. */
const difference_max = 0.05;

const ways: [what: string, requestOf: (url: string, slug: string, by: Holder) => [string, RequestInit]][] = [
  ["GET room", (url, slug, { pair }) => [`${url}/api/meet/rooms/${slug}`, { headers: pair }]],
  ["stream", (url, slug, { pair }) => [`${url}/api/meet/rooms/${slug}/stream`, { headers: pair }]],
  [
    "speak",
    (url, slug, { name, pair }) => [
      `${url}/api/meet/rooms/${slug}/posts`,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...pair },
        body: JSON.stringify({ name, body: "Hello?" }),
      },
    ],
  ],
  [
    "meet_read",
    (url, slug, { pair }) => [
      `${url}/mcp`,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...pair },
        body: JSON.stringify(message("tools/call", { name: "meet_read", arguments: { room: slug } })),
      },
    ],
  ],
];

const median = (sorted: Float64Array): number => sorted[sorted.length >> 1]!;
const mean = (times: Float64Array): number => times.reduce((sum, time) => sum + time, 0) / times.length;

/**
 * The test of Mann and Whitney: how often a time of `one` is longer than a time of `other` (0.5 if neither is), and z, which is
 * beyond ±1.96 in one of twenty cases if there is no difference.
 */
function mannWhitney(one: Float64Array, other: Float64Array): { longer: number; z: number } {
  const all = [...Array.from(one, (time) => [time, 1]), ...Array.from(other, (time) => [time, 0])] as [
    number,
    number,
  ][];
  all.sort(([a], [b]) => a - b);
  let rank_sum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]![0] === all[from]![0]) to++;
    const rank = (from + to + 1) / 2;
    for (let i = from; i < to; i++) rank_sum += rank * all[i]![1];
    from = to;
  }
  const [m, n] = [one.length, other.length];
  const u = rank_sum - (m * (m + 1)) / 2;
  return { longer: u / (m * n), z: (u - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12) };
}

async function timed([url, init]: [string, RequestInit]): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  const ms = performance.now() - began;
  expect(text).toContain("room_not_found");
  return ms;
}

async function measure(engine: string, settings: object): Promise<void> {
  const { below, oneOf: _oneOf, ...seed } = testRandom(`times of ${engine}`);
  const service = await startBinary({ rate_limit: false, log_level: "error", ...settings });
  const { url } = service;
  const host = await claim(url, "Hana");
  const opening = { goal: "Which room?", name: host.name, visibility: "private" };
  const there: string[] = [];
  for (let i = 0; i < rooms_count; i++) {
    const { slug } = (await post<{ slug: string }>(`${url}/api/meet/rooms`, opening, host.pair)).body;
    for (let n = 0; n < 5; n++)
      await post(`${url}/api/meet/rooms/${slug}/posts`, { name: host.name, body: "Said" }, host.pair);
    there.push(slug);
  }
  const missing = there.map((slug) => missingLike({ slug }, { below, oneOf: _oneOf }));
  const differences: [string, number][] = [];
  for (const [what, requestOf] of ways) {
    // Of each name and room the first request reads the database, and the others do not.
    for (const is_first of [true, false]) {
      const times = [new Float64Array(tries), new Float64Array(tries)] as const;
      let by!: Holder;
      for (let i = -200; i < tries; i++) {
        const room = (i + 200) % rooms_count;
        if (i === -200 || (is_first && room === 0))
          by = await claim(url, `Sten ${what} ${is_first} ${i + 200}`);
        const lists = [there, missing];
        const order = below(2) === 0 ? [0, 1] : [1, 0];
        for (const which of order) {
          const slug = lists[which]![is_first ? room : 0]!;
          const ms = await timed(requestOf(url, slug, by));
          if (i >= 0) times[which]![i] = ms;
        }
      }
      const { longer, z } = mannWhitney(...times);
      const [a, b] = times.map((list) => list.toSorted()) as [Float64Array, Float64Array];
      const [private_ms, missing_ms] = [median(a), median(b)];
      const us = (ms: number) => (ms * 1000).toFixed(0);
      console.log(
        `MEASURED: ${engine}, ${what}${is_first ? ", first of a name" : ""}: median ${us(private_ms)} µs private, ${us(missing_ms)} µs missing; ` +
          `mean ${us(mean(a))} and ${us(mean(b))} µs; private longer in ${(100 * longer).toFixed(1)} %, z ${z.toFixed(2)}`,
      );
      differences.push([`${what} ${is_first}`, Math.abs(private_ms / missing_ms - 1)]);
    }
  }
  await service.stop();
  expect({ seed, gross: differences.filter(([, part]) => part > difference_max) }).toEqual({
    seed,
    gross: [],
  });
}

describe("the time of an answer", () => {
  test("is the same for a private room and for none", () => measure("SQLite", {}));

  test.skipIf(lacks_postgres)("is the same for a private room and for none on Postgres", async () => {
    const server = await startPostgres();
    await measure("Postgres", { database: `${server.url}?schema=times` });
    await server.stop();
  });
});
