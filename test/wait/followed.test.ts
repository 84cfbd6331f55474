/** What a wait follows besides rooms: the unread notes of a mailbox, a round of the beacon; posts and their notes once; and what the next call repeats. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { LeanNews } from "../../src/api/wait.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

type News = Omit<LeanNews, "posts" | "notes"> & {
  next?: string;
  posts?: Record<string, { n: number; body: string }[]>;
  notes?: { seq: number; kind: string; room?: string; n?: number; count?: number }[];
  code?: string;
};

let service: SourceService;
let url: string;
let linus: Holder;
/** A name without notes, another one in each test. */
let ada: Holder;
let names = 0;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  linus = await claim(url, "linus");
});
beforeEach(async () => {
  ada = await claim(url, `ada-${names++}`);
});
afterAll(() => service.stop());

const say = (room: Opened, body: string, who = linus.name) =>
  post<{ id: string }>(`${room.api}/posts`, { name: who, body }, who === linus.name ? linus.pair : {});
const mention = (room: Opened, body = "look", who?: string) => say(room, `@${ada.name} ${body}`, who);
const wait = async (query: string): Promise<News> =>
  (await get<News>(query.startsWith("/") ? url + query : `${url}/api/wait?${query}`, ada.pair)).body;
const look = (query: string) => wait(`${query}&wait_seconds=0`);
const tool = (args: object) => callTool(url, "wait", args, ada.pair);
/** Whether so many waits are open and stay so. */
async function held(count: number): Promise<boolean> {
  while (service.open().waits < count) await service.clock.turn();
  for (let i = 0; i < 5; i++) await service.clock.turn();
  return service.open().waits === count;
}

describe("unread notes", () => {
  test("are news of a wait from unread, which then waits for later ones", async () => {
    const room = await open(url, "Unread");
    await mention(room);
    const first = await wait("mailbox=unread");
    expect(first).toMatchObject({ notes: [{ seq: 1, kind: "room.mention", n: 1 }], cursors: { mailbox: 1 } });
    expect(first).not.toHaveProperty("unread_before");
    const next = wait(first.next!);
    expect(await held(1)).toBe(true);
    await mention(room);
    expect((await next).notes).toMatchObject([{ seq: 2, count: 2 }]);
    await post(`${url}/api/mailbox/ack`, { through: 1 }, ada.pair);
    expect((await look("mailbox=unread")).notes).toMatchObject([{ seq: 2 }]);
    await post(`${url}/api/mailbox/ack`, { through: 2 }, ada.pair);
    expect(await look("mailbox=unread")).toEqual({ cursors: { mailbox: 2 }, next: "/api/wait?mailbox=2" });
  });

  test("are news of the tool, too", async () => {
    await mention(await open(url, "Unread by a tool"));
    const { structuredContent, content } = await tool({ mailbox: "unread" });
    expect(structuredContent).toMatchObject({ notes: [{ seq: 1 }], cursors: { mailbox: 1 } });
    expect(content[0]!.text).toEndWith('\nNext: wait {"mailbox":1}');
  });

  test("are counted by a wait from now, over HTTP and by the tool", async () => {
    expect(await look("mailbox=now")).not.toHaveProperty("unread_before");
    await mention(await open(url, "Before one"));
    await mention(await open(url, "Before two"));
    const now = await look("mailbox=now");
    expect(now).toMatchObject({ unread_before: 2, cursors: { mailbox: 2 } });
    expect(await look(now.next!.slice("/api/wait?".length))).not.toHaveProperty("unread_before");
    const { structuredContent, content } = await tool({ mailbox: "now", wait_seconds: 0 });
    expect(structuredContent).toEqual({ cursors: { mailbox: 2 }, unread_before: 2 });
    expect(content[0]!.text).toBe('unread_before: 2 (mailbox "unread" has them)\nNext: wait {"mailbox":2}');
  });
});

describe("the next call", () => {
  test("waits as long as this one, and leaves out the same posts", async () => {
    const room = await open(url, "As long");
    const query = `room=${room.slug}:now&not_by=Eve`;
    const call = wait(`${query}&wait_seconds=280`);
    expect(await held(1)).toBe(true);
    await say(room, "news");
    const { next } = await call;
    expect(next).toBe(`/api/wait?room=${room.slug}:1&not_by=Eve&wait_seconds=280`);
    const again = wait(next!);
    await service.clock.timerAt(280);
    await closeRoom(room);
    await again;
    // Without a time, and after a look, the next call waits for the default.
    expect((await look(`${query}&rooms=now`)).next).not.toContain("wait_seconds");
  });

  test("takes another length", async () => {
    const { next } = (await get<News>(`${url}/api/wait?jobs=now&wait_seconds=0`)).body;
    const call = wait(`${next!}&wait_seconds=70&wait_seconds=20`);
    await service.clock.timerAt(20);
    service.clock.advance(20);
    expect((await call).next).toBe(`${next!}&wait_seconds=20`);
  });

  test("waits as long as the caller preferred", async () => {
    const call = get<News>(`${url}/api/wait?jobs=now`, { prefer: "wait=90" });
    await service.clock.timerAt(90);
    service.clock.advance(90);
    expect((await call).body.next).toEndWith("&wait_seconds=90");
  });

  test("of the tool does the same", async () => {
    const room = await open(url, "As long by a tool");
    await say(room, "news");
    const { content } = await tool({ rooms: { [room.slug]: 0 }, not_by: "Eve", wait_seconds: 40 });
    const args = { rooms: { [room.slug]: 1 }, not_by: "Eve", wait_seconds: 40 };
    expect(content[0]!.text).toEndWith(`\nNext: wait ${JSON.stringify(args)}`);
  });
});

describe("a round of the beacon", () => {
  const running = async () => (await get<{ now: { round: number } }>(`${url}/api/beacon`)).body.now.round;
  const seedOf = async (round: number) =>
    (await get<{ seed: string; commit: string }>(`${url}/api/beacon/${round}`)).body;

  test.each(["next", "its number"])("ends a wait for %s when it ends", async (which) => {
    const room = await open(url, `A round by ${which}`);
    const round = await running();
    const call = wait(`beacon=${which === "next" ? which : round}&room=${room.slug}:now&wait_seconds=280`);
    expect(await held(1)).toBe(true);
    service.clock.advance(60);
    expect(await running()).toBe(round + 1);
    const news = await call;
    const { seed, commit } = await seedOf(round);
    expect(seed).toBeString();
    expect(news).toMatchObject({ beacon: { round, seed, commit }, cursors: { rooms: { [room.slug]: 0 } } });
    expect(news.next).toBe(`/api/wait?room=${room.slug}:0&wait_seconds=280`);
  });

  test("is waited for again if something else came first", async () => {
    const room = await open(url, "Before the round");
    const round = await running();
    const begun = await look(`beacon=next&room=${room.slug}:now`);
    expect(begun).toMatchObject({ cursors: { beacon: round } });
    const call = wait(begun.next!);
    expect(await held(1)).toBe(true);
    await say(room, "first");
    const news = await call;
    expect(news).not.toHaveProperty("beacon");
    expect(news.next).toBe(`/api/wait?room=${room.slug}:1&beacon=${round}`);
  });

  test("that has ended is returned at once, by the tool as well", async () => {
    const round = (await running()) - 1;
    const { seed, commit } = await seedOf(round);
    expect(await wait(`beacon=${round}`)).toEqual({ beacon: { round, seed, commit }, cursors: {} });
    const { structuredContent, content } = await tool({ beacon: round });
    expect(structuredContent).toEqual({ beacon: { round, seed, commit }, cursors: {} });
    expect(content[0]!.text).toBe(
      `Round ${round} of the beacon: seed ${seed}, commit ${commit}\nNothing is left to wait for.`,
    );
    const call = tool({ beacon: "next", wait_seconds: 1 });
    expect(await held(1)).toBe(true);
    service.clock.advance(1);
    expect((await call).structuredContent).toEqual({ cursors: { beacon: round + 1 } });
  });

  test("is refused if it is no round, and if its day is not published", async () => {
    const { code, errors } = (await wait("beacon=soon")) as { code?: string; errors?: { path: string }[] };
    expect([code, errors?.[0]?.path]).toEqual(["invalid_fields", "beacon"]);
    expect((await wait(`beacon=${(await running()) + 100_000}`)).code).toBe("not_yet");
    expect((await wait("beacon=1")).code).toBe("round_not_found");
    expect(service.open().waits).toBe(0);
  });
});

describe("a post and the note about it", () => {
  const both = (room: Opened, more = "") => `room=${room.slug}:now&mailbox=now${more}`;
  const unread = async () =>
    (await get<{ unread: number }>(`${url}/api/mailbox?count`, ada.pair)).body.unread;

  test("come once: the note is left out, its position is passed, and it stays unread", async () => {
    const room = await open(url, "Once");
    let call = wait(both(room));
    for (let n = 1; n <= 4; n++) {
      expect(await held(1)).toBe(true);
      await mention(room, `${n}`);
      const news = await call;
      expect(news).toMatchObject({ posts: { [room.slug]: [{ n }] }, cursors: { mailbox: n } });
      expect(news).not.toHaveProperty("notes");
      call = wait(news.next!);
    }
    expect(await held(1)).toBe(true);
    expect(await unread()).toBe(1);
    await say(room, "the end");
    expect((await call).posts![room.slug]).toMatchObject([{ n: 5 }]);
  });

  test("come once by the tool, and for a reply", async () => {
    const room = await open(url, "Once by a tool");
    const { id } = (await post<{ id: string }>(`${room.api}/posts`, { name: ada.name, body: "?" }, ada.pair))
      .body;
    const call = tool({ rooms: { [room.slug]: 1 }, mailbox: "now" });
    expect(await held(1)).toBe(true);
    await post(`${room.api}/posts`, { name: "linus", body: "!", in_reply_to: id }, linus.pair);
    const { structuredContent, content } = await call;
    expect(structuredContent).toMatchObject({ posts: { [room.slug]: [{ n: 2, body: "!" }] } });
    expect(structuredContent).not.toHaveProperty("notes");
    expect(content[0]!.text).not.toContain("Notes:");
    expect(await unread()).toBe(1);
  });

  test("come both if the post is not in the answer: another room, an older post, a post that is left out", async () => {
    const [room, other] = [await open(url, "Watched"), await open(url, "Not watched")];
    await mention(room, "before");
    const older = await wait(`room=${room.slug}:now&mailbox=unread`);
    expect(older).toMatchObject({ notes: [{ room: room.slug, n: 1 }] });
    await mention(other);
    expect(await wait(older.next!)).toMatchObject({ notes: [{ room: other.slug }], cursors: { mailbox: 2 } });
    const { next } = await look(both(room, "&not_by=Eve"));
    await mention(room, "by a name without a key", "Eve");
    const left_out = await wait(next!);
    expect(left_out).toMatchObject({ notes: [{ room: room.slug, n: 2, count: 2 }] });
    expect(left_out).not.toHaveProperty("posts");
  });

  test("come once also if the posts fill several answers: the notes wait for their posts", async () => {
    const room = await open(url, "Several answers");
    const start = await look(`room=${room.slug}:0&mailbox=0`);
    for (let n = 1; n <= 55; n++) await say(room, `${n}`);
    await mention(room);
    const first = await wait(start.next!);
    expect(first).toMatchObject({ more: { [room.slug]: 6 }, cursors: { mailbox: 0 } });
    expect(first).not.toHaveProperty("notes");
    const second = await wait(first.next!);
    expect(second.posts![room.slug]).toHaveLength(6);
    expect(second).toMatchObject({ cursors: { mailbox: 1 } });
    expect(second).not.toHaveProperty("notes");
  });
});
