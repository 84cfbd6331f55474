/** Pages of a long room: the newest one begins with the first post, and the whole thread is on one page. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

const say = async ({ api }: OpenedRoom, body: string, more = {}): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: "Ada", body, ...more })).body;
/** A room with posts of the texts `post 1`, `post 2` and so on, or of `text`. */
async function roomOf(count: number, text?: string): Promise<OpenedRoom & { said: Post[] }> {
  const { body } = await post<OpenedRoom>(`${service.url}/api/meet/rooms`, {
    goal: `A room of ${count}`,
    name: "Ada",
  });
  const said: Post[] = [];
  for (let n = 1; n <= count; n++) said.push(await say(body, text ?? `post ${n}`));
  return { ...body, said };
}
const redact = ({ api, host_key }: OpenedRoom, n: number) =>
  fetch(`${api}/posts/${n}`, { method: "DELETE", headers: { "x-meet-key": host_key! } });
const textOf = async (url: string): Promise<string> =>
  (await fetch(url.replaceAll("&amp;", "&"), { headers: { accept: "text/html" } })).text();
/** The numbers of the posts in the order of the page. */
const numbers = (page: string): number[] =>
  Array.from(page.matchAll(/ data-n="(\d+)"/g), ([, n]) => Number(n));
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const linkIn = (page: string, text: string): string | undefined =>
  new RegExp(`<a[^>]* href="([^"]*)"[^>]*>${text}</a>`).exec(page)?.[1];

describe("the newest page of a long room", () => {
  test("has the first post, a line for the posts between, and the newest posts", async () => {
    const room = await roomOf(68);
    const page = await textOf(room.url);
    expect(numbers(page)).toEqual([1, ...from(19, 68)]);
    const places = ["<h1", 'id="opening"', `id="p-${room.said[0]!.id}"`, "17 posts between", 'id="posts"'];
    expect(places.map((part) => page.indexOf(part))).toEqual(
      places.map((part) => page.indexOf(part)).toSorted((a, b) => a - b),
    );
    expect(page).toContain('<ol class="posts" id="posts" data-last="68">');
    const between = await textOf(linkIn(page, "17 posts between")!);
    expect(numbers(between)).toEqual(from(1, 18));
  });

  test("has the first post only where it is the newest page", async () => {
    const room = await roomOf(120);
    for (const [before, first] of [
      [71, 21],
      [21, 1],
    ] as const) {
      const page = await textOf(`${room.url}?before=${before}`);
      expect(numbers(page)).toEqual(from(first, before - 1));
      expect(page).not.toContain('id="opening"');
      expect(page).not.toContain("between");
    }
    expect(numbers(await textOf(`${room.url}?before=121`))).toEqual([1, ...from(71, 120)]);
    expect(await textOf(room.url)).toContain("69 posts between");
  });

  test("of 51 posts has all of them in one thread", async () => {
    const room = await roomOf(50);
    await say(room, "to the first", { in_reply_to: 1 });
    const page = await textOf(room.url);
    expect(numbers(page).toSorted((a, b) => a - b)).toEqual(from(1, 51));
    expect(numbers(page)[1]).toBe(51);
    for (const part of ['id="opening"', "between", "Earlier posts", "Whole thread"]) {
      expect(page).not.toContain(part);
    }
    expect(page).toContain('data-last="51"');
  });

  test("leads from a reply to the first post on the same page", async () => {
    const room = await roomOf(60);
    await say(room, "to the first", { in_reply_to: 1 });
    const page = await textOf(room.url);
    expect(page).toContain(`<a class="number" href="#p-${room.said[0]!.id}">#1</a> <q dir="auto">post 1</q>`);
    expect((await fetch(`${room.url}/1`, { redirect: "manual" })).headers.get("location")).toBe(
      `${room.url}?before=51#p-${room.said[0]!.id}`,
    );
  });

  test("says in the place of the first post that it is redacted, also in a cached page", async () => {
    const room = await roomOf(60);
    await say(room, "to the first", { in_reply_to: 1 });
    expect(await textOf(room.url)).toContain("post 1</");
    await redact(room, 1);
    const page = await textOf(room.url);
    expect(numbers(page)[0]).toBe(1);
    expect(page.slice(page.indexOf('id="opening"'), page.indexOf('id="posts"'))).toContain(
      "Redacted by the host.",
    );
    expect(page).not.toContain(">post 1<");
  });

  test("without the first post, which was removed, says how many posts are earlier", async () => {
    const room = await roomOf(70);
    expect(numbers(await textOf(room.url))[0]).toBe(1);
    await asOwner(service, "POST", "/api/admin/retention?posts_by_room=60");
    const page = await textOf(room.url);
    expect(numbers(page)).toEqual(from(21, 70));
    expect(page).toMatch(/Posts 1 to 10 were removed/);
    expect(page).not.toContain('id="opening"');
    expect(numbers(await textOf(linkIn(page, "10 earlier posts")!))).toEqual(from(11, 20));
    expect(numbers(await textOf(linkIn(page, "Whole thread")!))).toEqual(from(11, 70));
  });

  test("takes at most 30 KB gzipped with 50 posts of ordinary prose after a long first one", async () => {
    const words = (await Bun.file("docs/contract.md").text()).replaceAll(/[^A-Za-z ,.\n]/g, "");
    const room = await roomOf(1, words.slice(60_000, 63_999));
    for (let n = 0; n < 60; n++) await say(room, words.slice(n * 900, n * 900 + 900).trim() || "end");
    const page = await textOf(room.url);
    expect(numbers(page)).toHaveLength(51);
    expect(gzipSync(page).length).toBeLessThanOrEqual(30_000);
  });

  test("says in words where its posts are only if it is an older page", async () => {
    const room = await roomOf(60);
    const heading = (page: string) => /<h2 id="thread" class="(\w+)">([^<]*)/.exec(page)?.slice(1);
    expect(heading(await textOf(room.url))).toEqual(["unseen", "Posts"]);
    expect(heading(await textOf(`${room.url}?before=51`))).toEqual(["range", "Posts 1 to 50 of 60"]);
    expect(heading(await textOf((await roomOf(2)).url))).toEqual(["unseen", "Posts"]);
  });
});

describe("the whole thread", () => {
  test("has all posts in one thread, without forms, and is reached from each page of a long room", async () => {
    const room = await roomOf(120);
    await say(room, "to the first", { in_reply_to: 1 });
    const newest = await textOf(room.url);
    const older = await textOf(linkIn(newest, "Earlier posts")!);
    const whole = linkIn(newest, "Whole thread")!;
    expect([whole, linkIn(older, "Whole thread")]).toEqual([`${room.url}?all=1`, whole]);
    const page = await textOf(whole);
    expect(numbers(page)).toEqual([1, 121, ...from(2, 120)]);
    expect(page).toContain("All 121 posts");
    expect(page).not.toContain("<form");
    expect(page).not.toContain("room.js");
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(linkIn(page, "Newest posts")).toBe(room.url);
    expect(await textOf((await roomOf(3)).url)).not.toContain("Whole thread");
    expect((await fetch(`${room.url}?all=2`)).status).toBe(422);
  });

  test("changes with its room", async () => {
    const room = await roomOf(60);
    const whole = `${room.url}?all=1`;
    expect(await textOf(whole)).toContain("All 60 posts");
    await say(room, "one more");
    await redact(room, 1);
    const page = await textOf(whole);
    expect(page).toContain("one more");
    expect(page).toContain("Redacted by the host.");
    expect(page).not.toContain(">post 1<");
  });

  test.each([
    ["more than 300 posts", 310, undefined, 300],
    ["more than 144,000 bytes", 60, "ü".repeat(2_000), 36],
  ])("of %s ends with a sentence that says so, and leads to the others", async (_why, count, text, last) => {
    const room = await roomOf(count, text);
    const page = await textOf(`${room.url}?all=1`);
    expect(numbers(page)).toEqual(from(1, last));
    expect(page).toContain(`Posts 1 to ${last} of ${count}`);
    expect(page).toContain(`The whole thread is too long for one page. This page ends with #${last}.`);
    const next = await textOf(linkIn(page, `Posts after #${last}`)!);
    expect(numbers(next)).toContain(last + 1);
    const markdown = await textOf(linkIn(page, "the rest as Markdown")!);
    for (const n of [last + 1, count]) expect(markdown).toContain(`#${n} `);
    expect(markdown).not.toContain(`#${last} `);
  });
});
