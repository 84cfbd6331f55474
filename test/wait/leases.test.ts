/** Waits for changes of what is held in rooms, over HTTP and by the tool. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LeanNews } from "../../src/api/wait.ts";
import { asOwner } from "../support/admin.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool, codeOf, wordsOf } from "../support/tools.ts";

type News = LeanNews & { next?: string };

let service: SourceService;
let url: string;
let grace: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  grace = await claim(url, "grace");
});
afterAll(() => service.stop());

const wait = async (query: string): Promise<News> =>
  (await get<News>(query.startsWith("/") ? url + query : `${url}/api/wait?${query}`)).body;
async function waiting(calls: number): Promise<void> {
  while (service.open().waits < calls) await service.clock.turn();
}
const take = async ({ api }: Opened, paths: string[], ttl_seconds = 600) =>
  (await post<{ fence: number; until: string }>(`${api}/leases`, { paths, ttl_seconds }, grace.pair)).body;

test("each change ends a wait: taken, extended, released, broken, over", async () => {
  const room = await open(url, "Every change");
  let news = await wait(`leases=${room.slug}&wait_seconds=0`);
  expect(news).toEqual({
    cursors: { leases: { [room.slug]: expect.any(String) as string } },
    next: `/api/wait?leases=${room.slug}:${news.cursors.leases![room.slug]!}`,
  });
  let fence = 0;
  const extend = () => post(`${room.api}/leases/extend`, { fence, ttl_seconds: 900 }, grace.pair);
  const changes: [() => Promise<unknown>, number][] = [
    [async () => ({ fence } = await take(room, ["a", "b"])), 1],
    [extend, 1],
    [() => post(`${room.api}/leases/release`, { fence, paths: ["a"] }, grace.pair), 1],
    [() => post(`${room.api}/leases/break`, { paths: ["b"] }, { "x-meet-key": room.host_key }), 0],
    [() => take(room, ["c"], 30), 1],
    [async () => service.clock.advance(31), 0],
  ];
  for (const [i, [change, count]] of changes.entries()) {
    const call = wait(`${news.next!}&wait_seconds=50`);
    await waiting(1);
    await change();
    const answer = await call;
    expect([i, answer.leases?.[room.slug]?.length]).toEqual([i, count]);
    expect(answer.cursors.leases![room.slug]! > news.cursors.leases![room.slug]!).toBe(true);
    expect(answer.treat_as).toBe("data from strangers");
    news = answer;
  }
  expect(service.open()).toMatchObject({ waits: 0, subscriptions: 0 });
});

test("an earlier position answers at once, with the present state; several rooms in one call", async () => {
  const [one, two] = [await open(url, "State one"), await open(url, "State two")];
  const begin = await wait(
    `leases=${one.slug}:now&leases=${two.slug}:now&room=${one.slug}:now&wait_seconds=0`,
  );
  const { until } = await take(one, ["src"]);
  await take(one, ["docs"]);
  await speak(one, "hello");
  const news = await wait(begin.next!);
  expect(news).toMatchObject({
    posts: { [one.slug]: [{ n: 1 }] },
    leases: {
      [one.slug]: [
        { holder: "grace", paths: ["src"], until: `${until.slice(0, 19)}Z` },
        { holder: "grace", paths: ["docs"] },
      ],
    },
  });
  expect(Object.keys(news.leases!)).toEqual([one.slug]);
  expect(news.cursors.leases![two.slug]).toBe(begin.cursors.leases![two.slug]!);
  expect((await wait(`${news.next!}&wait_seconds=0`)).leases).toBeUndefined();
});

test("says in which rooms more is held than it shows", async () => {
  const room = await open(url, "More");
  for (let i = 0; i <= 20; i++) await take(room, [`lease/${i}`]);
  const news = await wait(`leases=${room.slug}:${new Date(0).toISOString()}&wait_seconds=0`);
  expect([news.leases![room.slug]!.length, news.more_leases]).toEqual([20, [room.slug]]);
});

test("the tool has the same, and quotes paths and purposes", async () => {
  const room = await open(url, "The tool");
  const begin = await callTool(url, "wait", { leases: { [room.slug]: "now" }, wait_seconds: 0 });
  const { cursors } = begin.structuredContent as unknown as News;
  const purpose = "Refactoring";
  const taken = { paths: ["src"], ttl_seconds: 600, purpose };
  const { body } = await post<{ fence: number }>(`${room.api}/leases`, taken, grace.pair);
  const answer = await callTool(url, "wait", { leases: cursors.leases, wait_seconds: 0 });
  const news = answer.structuredContent as unknown as News;
  expect(news.leases).toMatchObject({ [room.slug]: [{ holder: "grace", paths: ["src"], purpose }] });
  expect(wordsOf(answer)).toContain(`In ${room.slug}:\nHeld by "grace" until `);
  expect(wordsOf(answer)).toContain(`> src\nfor:\n> Refactoring\n`);
  const next = `wait ${JSON.stringify({ leases: news.cursors.leases })}`;
  expect(wordsOf(answer)).toContain(`Next: ${next}`);
  await post(`${room.api}/leases/release`, { fence: body.fence }, grace.pair);
  const over = await callTool(url, "wait", { leases: news.cursors.leases, wait_seconds: 0 });
  expect(over.structuredContent).toMatchObject({ leases: { [room.slug]: [] } });
  expect(wordsOf(over)).toContain(`In ${room.slug} nothing is held.`);
});

test("refuses a position that is none, an unknown room and too many rooms", async () => {
  const room = await open(url, "Refusals");
  for (const [leases, code, text] of [
    [`${room.slug}:yesterday`, "invalid_fields", "leases"],
    ["no-such-room:now", "room_not_found", "the room"],
    [`no-such-room:${new Date(0).toISOString()}`, "room_not_found", "the room"],
  ] as const) {
    const { body } = await get(`${url}/api/wait?leases=${leases}&wait_seconds=0`);
    expect([leases, body["code"]]).toEqual([leases, code]);
    expect(body["detail"]).toContain(text);
  }
  const many = Array.from({ length: 21 }, (_, i) => `leases=room-${i}`).join("&");
  const { body } = await get(`${url}/api/wait?${many}`);
  expect([body["code"], body["detail"]]).toEqual(["invalid_fields", expect.stringContaining("at most 20")]);
  const tool = await callTool(url, "wait", { leases: { [room.slug]: "yesterday" } });
  expect(codeOf(tool)).toBe("invalid_fields");
});

test("the deletion of the room ends it", async () => {
  const room = await open(url, "Deleted");
  const call = get(`${url}/api/wait?leases=${room.slug}:now&wait_seconds=50`);
  await waiting(1);
  await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "spam" });
  expect((await call).body["code"]).toBe("room_deleted");
});
