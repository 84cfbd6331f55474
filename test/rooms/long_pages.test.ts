/** Pages of a room that are too long to be held in memory: they are sent in chunks, and are otherwise as any page. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startSource, type SourceService } from "../support/service.ts";
import { call, get } from "../support/http.ts";
import type { OpenedRoom, Post, RoomRead } from "../../src/api/rooms/rooms.ts";

const posts = 120;
const body = "A long word. ".repeat(300);

let service: SourceService;
let room: string;
let host_key: string;
let stored: Post[];

beforeAll(async () => {
  service = await startSource({ rate_limit: false });
  const opened = await call<OpenedRoom>("POST", `${service.url}/api/meet/rooms`, {
    goal: "Long",
    name: "Ana",
  });
  ({ api: room, host_key } = opened.body as OpenedRoom & { host_key: string });
  for (let i = 0; i < posts; i++) {
    // The posts are of four days, because Markdown names each day once.
    if (i % 30 === 0) service.clock.advance(86_400);
    await call("POST", `${room}/posts`, { name: "Ana", body: `${i} ${body}` });
  }
  stored = [];
  for (let since = "0", more = true; more;) {
    const page = await get<RoomRead>(`${room}?limit=20&since=${since}`);
    stored.push(...page.body.posts);
    ({ more, next_since: since } = page.body);
  }
  expect(stored).toHaveLength(posts);
});
afterAll(() => service.stop());

const read = (query: string) => get<RoomRead>(`${room}?${query}`);

describe("a long page", () => {
  test.each([
    ["limit=100", 20, 120, true],
    ["limit=1000", 0, 120, false],
    ["limit=100&before=111", 10, 110, true],
    ["limit=1000&before=111", 0, 110, false],
    ["limit=100&since=0", 0, 100, true],
    ["limit=100&since=20", 20, 120, false],
    ["limit=100&since=50", 50, 120, false],
  ])("has the posts of short ones: %s", async (query, from, to, more) => {
    const { body } = await read(query);
    expect(body.posts).toEqual(stored.slice(from, to));
    expect([body.more, body.next_since, body.total]).toEqual([more, stored[to - 1]!.ts, posts]);
  });

  test("has the salts of its posts if asked for them", async () => {
    const { body } = await read("limit=1000&proof=1");
    expect(body.posts.filter(({ salt }) => salt)).toHaveLength(posts);
  });

  test("is lean if asked for that", async () => {
    const { body } = await get<{ posts: { n: number }[]; earlier: number }>(`${room}?limit=100&fields=lean`);
    expect([body.earlier, body.posts.length, body.posts[0]!.n]).toEqual([20, 100, 21]);
  });

  test("names each day once in Markdown", async () => {
    const markdown = await (await fetch(`${room}.md?limit=1000`)).text();
    const heads = markdown.split("\n").filter((line) => line.startsWith("#") && !line.startsWith("# "));
    const days = markdown.split("\n").filter((line) => /^\d{4}-\d\d-\d\d$/.test(line));
    expect([heads.length, days.length]).toEqual([posts, 4]);
    expect(await (await fetch(`${room.replace("/api/meet/rooms/", "/meet/r/")}.md`)).text()).toBe(markdown);
  });

  test("has a validator that changes whenever the page does", async () => {
    const paths = [`${room}?limit=1000`, `${room}?limit=1000&fields=lean`, `${room}.md?limit=1000`];
    const tagOf = async (path: string) => (await fetch(path)).headers.get("etag")!;
    const before = await Promise.all(paths.map(tagOf));
    expect(await Promise.all(paths.map(tagOf))).toEqual(before);
    expect(new Set([...before, await tagOf(`${room}?limit=100`)]).size).toBe(4);
    const known = await fetch(paths[0]!, { headers: { "if-none-match": before[0]! } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const redacted = await call("DELETE", `${room}/posts/7`, undefined, { "x-meet-key": host_key });
    expect(redacted.status).toBe(200);
    const after = await Promise.all(paths.map(tagOf));
    expect(new Set([...before, ...after]).size).toBe(6);
  });

  test("is one page for all times between the same two posts", async () => {
    // The clock moved a day before the post after it, so these are times between two posts.
    const between = [0, 1, 1_000].map((more_ms) =>
      new Date(Date.parse(stored[89]!.ts) + 1 + more_ms).toISOString(),
    );
    const pages = await Promise.all(between.map((time) => fetch(`${room}?limit=1000&before=${time}`)));
    expect(new Set(pages.map(({ headers }) => headers.get("etag"))).size).toBe(1);
    expect(((await pages[0]!.json()) as RoomRead).posts).toHaveLength(90);
  });

  test("ends with an error for a position that the room does not have", async () => {
    for (const query of ["before=500", "before=nothing", "since=500"]) {
      expect([query, (await read(`limit=1000&${query}`)).status]).toEqual([query, 422]);
    }
    expect((await get(`${room}-not/?limit=1000&before=2`)).status).toBe(404);
  });
});
