/** Quiet posts: they make no note and end nobody's wait, and every reader gets them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeanNews } from "../../src/api/wait.ts";
import type { LeanRead, LeanSpoken } from "../../src/api/rooms/lean.ts";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { call, get, post } from "../support/http.ts";
import { readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, speak, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { stored } from "../support/stored.ts";
import { callTool, wordsOf } from "../support/tools.ts";

let service: SourceService;
let url: string;
let grace: Holder;
let linus: Holder;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  [grace, linus] = [await claim(url, "grace"), await claim(url, "linus")];
});
afterAll(() => service.stop());

const thank = async (room: Opened, fields: object = {}, who?: Holder): Promise<Post> => {
  const body = { name: who?.name ?? "Bob", body: "Thanks.", quiet: true, ...fields };
  const answer = await post<Post>(`${room.api}/posts`, body, who?.pair);
  expect([answer.status, answer.body.quiet]).toEqual([201, true]);
  return answer.body;
};
const text = async (address: string, accept = "*/*") =>
  (await fetch(address, { headers: { accept } })).text();

describe("a quiet post", () => {
  test("is shown as quiet in every form, and no other post is", async () => {
    const room = await open(url, "Which form?");
    await speak(room, "A question");
    const { id } = await thank(room);
    const answer = await post<Post>(`${room.api}/posts`, { name: "Bob", body: "Loud.", quiet: false });
    expect(answer.body).not.toHaveProperty("quiet");

    const quiet: (boolean | undefined)[] = [undefined, true, undefined];
    for (const query of ["", "?fields=lean", "?since=0", "?limit=1000"]) {
      const { posts } = (await get<RoomRead | LeanRead>(room.api + query)).body;
      expect(posts.map((each) => each.quiet)).toEqual(quiet as true[]);
    }
    const read = await callTool(url, "meet_read", { room: room.slug });
    expect((read.structuredContent as unknown as LeanRead).posts.map((each) => each.quiet)).toEqual(
      quiet as true[],
    );
    const heads = (words: string) => words.split("\n").filter((line) => line.startsWith("#"));
    const shown = [/ \d\d:\d\d:\d\d$/, / \d\d:\d\d:\d\d quiet$/, / \d\d:\d\d:\d\d$/].map((form) =>
      expect.stringMatching(form),
    );
    expect(heads(wordsOf(read))).toEqual(shown);
    const digest = await callTool(url, "meet_read", { room: room.slug, digest: true });
    expect(heads(wordsOf(digest))[1]).toMatch(/ quiet "Thanks\."$/);
    expect(heads(await text(`${room.api}.md`)).slice(1)).toEqual(shown);

    const lines = (await text(`${room.api}/export.jsonl`)).trim().split("\n").slice(1);
    expect(lines.map((line) => (JSON.parse(line) as Post).quiet)).toEqual(quiet);
    const feed = JSON.parse(await text(`${room.api}/feed.json`)) as { items: { tags?: string[] }[] };
    expect(feed.items.map(({ tags }) => tags)).toEqual([undefined, ["quiet"], undefined]);
    expect((await text(`${room.api}/feed.atom`)).match(/<category [^>]*>/g)).toEqual([
      expect.stringContaining('term="quiet"'),
    ]);
    const page = await text(`${url}/meet/r/${room.slug}`, "text/html");
    const item = new RegExp(`id="p-${id}".*?</header>`, "s");
    expect(item.exec(page)![0]).toMatch(/>quiet</);
    expect(page.match(/>quiet</g)).toHaveLength(1);
    expect(await text(`${url}/meet/r/${room.slug}/after/1`)).toMatch(/>quiet</);
  });

  test("is returned as quiet to its author by every form of the call, also by a repetition", async () => {
    const room = await open(url, "What does its author get?");
    const body = { name: "Bob", body: "@grace thanks", quiet: true };
    const once = { "idempotency-key": "0b6b7a52-6b9f-4f0a-9f6e-2f1d6f7d1c42" };
    const first = await post<Post>(`${room.api}/posts`, body, once);
    expect(first.body).toMatchObject({
      quiet: true,
      mentions: [{ name: "grace", claimed: true, notified: false }],
    });
    const again = await post<Post>(`${room.api}/posts`, body, once);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const onward = await post<Post>(`${room.api}/posts`, { ...body, since: 0 });
    expect(onward.body.quiet).toBe(true);
    const lean = await post<LeanSpoken>(`${room.api}/posts?fields=lean`, body);
    expect(lean.body.mentions).toEqual([{ name: "grace", claimed: true, notified: false }]);
    const args = { room: room.slug, name: "Bob", body: "By a tool", quiet: true };
    const { structuredContent } = await callTool(url, "meet_speak", args);
    const { n } = structuredContent as unknown as LeanSpoken;
    const { body: read } = await get<RoomRead>(`${room.api}?since=${n - 1}&limit=1`);
    expect(read.posts[0]).toMatchObject({ n, quiet: true });
  });

  test("makes no note, neither of a mention nor of a reply, and what comes with it does", async () => {
    const room = await open(url, "Who is called?");
    const question = await post<Post>(`${room.api}/posts`, { name: "grace", body: "Who knows?" }, grace.pair);
    const before = (await readMailbox(url, grace)).notes.length;
    const thanks = await thank(room, { body: "@grace thanks", in_reply_to: question.body.n }, linus);
    expect(thanks.mentions).toEqual([{ name: "grace", claimed: true, notified: false }]);
    expect((await thank(room, { body: "@nobody-7", in_reply_to: question.body.n })).mentions).toEqual([
      { name: "nobody-7", claimed: false, notified: false },
    ]);
    expect((await readMailbox(url, grace)).notes).toHaveLength(before);
    // The writer takes calls that come together into one transaction.
    const together = await Promise.all([
      thank(room, { body: "@grace one" }),
      post<Post>(`${room.api}/posts`, { name: "Eve", body: "@grace two" }),
      thank(room, { body: "@grace three" }),
    ]);
    const n = together[1].body.n;
    expect(together[1].body.mentions).toEqual([{ name: "grace", claimed: true, notified: true }]);
    expect((await readMailbox(url, grace)).notes.slice(before)).toMatchObject([{ kind: "room.mention", n }]);
    const rows = await stored(
      service.directory,
      `SELECT quiet FROM posts WHERE room = (SELECT seq FROM rooms WHERE slug = '${room.slug}') ORDER BY n`,
    );
    expect(rows.filter(({ quiet }) => quiet === null)).toHaveLength(2);
    expect(rows.filter(({ quiet }) => quiet === 1)).toHaveLength(4);
  });

  test("stays quiet when it is redacted, is found by a search, and counts in the room", async () => {
    const room = await open(url, "What else?");
    const { id, n, salt } = await thank(room, { body: "quietwort" }, grace);
    const found = await get<{ rooms: { match: { n: number } }[] }>(`${url}/api/meet/rooms?q=quietwort`);
    expect(found.body.rooms.map(({ match }) => match.n)).toEqual([n]);
    expect((await get<RoomRead>(room.api)).body).toMatchObject({ total: 1, room: { posts: 1 } });
    const redacted = await call<Post>("DELETE", `${room.api}/posts/${id}`, undefined, grace.pair);
    expect(redacted.body).toMatchObject({ quiet: true, redacted: "author", body: null });
    expect([salt, redacted.body.commitment]).toEqual([expect.any(String), expect.any(String)]);
  });

  test("comes to streams at once", async () => {
    const room = await open(url, "Who follows?");
    const events = await readEvents(`${room.api}/stream`);
    const { id } = await thank(room);
    expect(await events.next()).toMatchObject({ event: "post", data: { id, quiet: true } });
    await events.close();
  });

  test("is an error if quiet is no boolean", async () => {
    const room = await open(url, "Which value?");
    const refused = await post(`${room.api}/posts`, { name: "Bob", body: "Thanks.", quiet: "very" });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_fields" } });
    const resembling = await post(`${room.api}/posts`, { name: "Bob", body: "Thanks.", quite: true });
    expect(resembling).toMatchObject({ status: 422, body: { code: "unknown_field" } });
  });
});

/** The numbers of the posts that a wait returned, and the number from which the next call reads on. */
type Waited = [posts: number[], next: number | string];
const leanly = ({ posts = [], next_since }: Partial<LeanRead>): Waited => [
  posts.map(({ n }) => n),
  next_since!,
];
const tool = async (name: string, args: object, who?: Holder) =>
  (await callTool(url, name, args, who?.pair)).structuredContent as unknown;

/** Each way to wait for posts after #1 in a room: begins, and resolves to what came. */
const ways: Record<string, (room: Opened) => Promise<Waited>> = {
  "a long poll": async ({ api }) =>
    leanly((await get<LeanRead>(`${api}?since=1&wait_seconds=50&fields=lean`)).body),
  "a long poll for two posts": async ({ api }) =>
    leanly((await get<LeanRead>(`${api}?since=1&wait_seconds=50&fields=lean&limit=3`)).body),
  "a long poll of a name": async ({ api }) =>
    leanly((await get<LeanRead>(`${api}?since=1&wait_seconds=50&fields=lean`, grace.pair)).body),
  meet_read: async ({ slug }) =>
    leanly((await tool("meet_read", { room: slug, since: 1, wait_seconds: 50 })) as LeanRead),
  "meet_read by a name": async ({ slug }) =>
    leanly((await tool("meet_read", { room: slug, since: 1, wait_seconds: 50 }, grace)) as LeanRead),
  "one wait": async ({ slug }) =>
    news((await get<LeanNews>(`${url}/api/wait?room=${slug}:1&wait_seconds=50`)).body, slug),
  "one wait of a name, for its mailbox, too": async ({ slug }) => {
    const query = `room=${slug}:1&mailbox=now&wait_seconds=50`;
    return news((await get<LeanNews>(`${url}/api/wait?${query}`, grace.pair)).body, slug);
  },
  "the tool wait": async ({ slug }) =>
    news((await tool("wait", { rooms: { [slug]: 1 }, wait_seconds: 50 })) as LeanNews, slug),
};
const news = ({ posts = {}, cursors }: LeanNews, slug: string): Waited => [
  ((posts[slug] ?? []) as { n: number }[]).map(({ n }) => n),
  cursors.rooms?.[slug] ?? "closed",
];

describe.each(Object.entries(ways))("%s", (_way, wait) => {
  /** A room with one post, and a wait in it that has begun. */
  async function waitingIn(goal: string): Promise<[Opened, Promise<Waited>]> {
    const room = await open(url, goal);
    await speak(room, "The first");
    const { waits } = service.open();
    const waited = wait(room);
    while (service.open().waits === waits) await service.clock.turn();
    return [room, waited];
  }
  /** Expects that all waits go on. */
  async function expectWaiting(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await service.clock.turn();
    expect(service.open().waits).toBe(1);
  }

  test("waits on over quiet posts, and returns them with the next post", async () => {
    const [room, waited] = await waitingIn("With the next");
    await thank(room);
    await expectWaiting();
    await thank(room, { name: "Eve" });
    await expectWaiting();
    await speak(room, "Loud");
    expect(await waited).toEqual([[2, 3, 4], 4]);
  });

  test("returns quiet posts at its end", async () => {
    const [room, waited] = await waitingIn("At its end");
    await thank(room);
    await expectWaiting();
    service.clock.advance(50);
    expect(await waited).toEqual([[2], 2]);
  });

  test("begins with a quiet post that is there, and ends with the room", async () => {
    const room = await open(url, "With the room");
    await speak(room, "The first");
    await thank(room);
    const waited = wait(room);
    while (service.open().waits === 0) await service.clock.turn();
    await expectWaiting();
    await closeRoom(room);
    const [posts] = await waited;
    expect(posts).toEqual([2]);
  });
});

describe("a wait", () => {
  const until = async (waits: number) => {
    while (service.open().waits !== waits) await service.clock.turn();
  };

  test("ends with a page that is full of quiet posts: more follow", async () => {
    const room = await open(url, "A full page");
    for (const _ of [1, 2, 3]) await thank(room);
    const { body } = await get<LeanRead>(`${room.api}?since=0&wait_seconds=50&limit=2&fields=lean`);
    expect([leanly(body), body.more]).toEqual([[[1, 2], 2], 1]);
    const by_tool = await tool("meet_read", { room: room.slug, since: 0, wait_seconds: 50, limit: 2 });
    expect(leanly(by_tool as LeanRead)).toEqual([[1, 2], 2]);
    const rest = get<LeanRead>(`${room.api}?since=2&wait_seconds=50&limit=2&fields=lean`);
    await until(1);
    service.clock.advance(50);
    expect(leanly((await rest).body)).toEqual([[3], 3]);
  });

  test("skips no quiet post of others between posts of one's own", async () => {
    const room = await open(url, "Between one's own");
    const own = () => post(`${room.api}/posts`, { name: "grace", body: "Mine" }, grace.pair);
    const waited = get<LeanNews>(`${url}/api/wait?room=${room.slug}:0&wait_seconds=50`, grace.pair);
    await until(1);
    await own();
    await thank(room);
    await own();
    await thank(room, {}, linus);
    await own();
    for (let turns = 0; turns < 20; turns++) await service.clock.turn();
    expect(service.open().waits).toBe(1);
    await speak(room, "Loud");
    expect(news((await waited).body, room.slug)).toEqual([[2, 4, 6], 6]);
  });

  test("brings quiet posts with a note about a later post, once, and with other news", async () => {
    const [room, other] = [await open(url, "Noted"), await open(url, "Elsewhere")];
    const query = `room=${room.slug}:0&mailbox=now&jobs=now&wait_seconds=50`;
    const first = get<LeanNews & { next: string }>(`${url}/api/wait?${query}`, grace.pair);
    await until(1);
    await thank(room);
    await post(`${room.api}/posts`, { name: "Eve", body: "@grace look" });
    const noted = (await first).body;
    expect([news(noted, room.slug), noted.notes]).toEqual([[[1, 2], 2], undefined]);
    const second = get<LeanNews & { next: string }>(url + noted.next, grace.pair);
    await until(1);
    await thank(room);
    await post(`${other.api}/posts`, { name: "Eve", body: "@grace elsewhere" });
    const elsewhere = (await second).body;
    expect([news(elsewhere, room.slug), elsewhere.notes]).toMatchObject([[[3], 3], [{ room: other.slug }]]);
    const third = await get<LeanNews>(`${url}${elsewhere.next}&wait_seconds=0`, grace.pair);
    expect(third.body.posts).toBeUndefined();
  });

  test("of the author of a post goes on over quiet replies", async () => {
    const room = await open(url, "Replies");
    const args = { room: room.slug, name: "Ada", body: "Who knows?", wait_seconds: 50 };
    const spoken = tool("meet_speak", args);
    await until(1);
    await thank(room, { body: "I have seen it." });
    for (let turns = 0; turns < 20; turns++) await service.clock.turn();
    expect(service.open().waits).toBe(1);
    await speak(room, "I know.");
    expect((await spoken) as LeanSpoken).toMatchObject({
      replies: [{ n: 2, quiet: true }, { n: 3 }],
      next_since: 3,
    });
  });

  test("gets every post once and in order, whatever is quiet", async () => {
    const random = seededRandom(42);
    const room = await open(url, "In order");
    const [seen, count]: [number[], number] = [[], 120];
    const reader = (async () => {
      for (let since = 0; since < count;) {
        const query = `${room.api}?since=${since}&wait_seconds=50&limit=7&fields=lean&not_by=Own`;
        const { posts, next_since } = (await get<LeanRead>(query)).body;
        seen.push(...posts.map(({ n }) => n));
        since = next_since;
      }
    })();
    const own: number[] = [];
    for (let n = 1; n < count; n++) {
      const [is_own, quiet] = [random.bytes(1)[0]! < 60, random.bytes(1)[0]! < 160];
      if (is_own) own.push(n);
      await post(`${room.api}/posts`, { name: is_own ? "Own" : "Bob", body: "x", quiet });
    }
    await speak(room, "The last");
    await reader;
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => i + 1).filter((n) => !own.includes(n)));
  });
});
