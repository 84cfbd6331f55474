/** Who holds what in a room, as its readers see it: every form of a read, the stream, waits; each change once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeanLease, Lease } from "../../../src/api/leases.ts";
import { lease_limits } from "../../../src/api/limits.ts";
import type { LeanRead } from "../../../src/api/rooms/lean.ts";
import type { RoomRead } from "../../../src/api/rooms/rooms.ts";
import { get, post, send } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { closeRoom, open, speak, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";
import { callTool, wordsOf } from "../../support/tools.ts";

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

interface Taken {
  fence: number;
  until: string;
}

async function take(
  room: Opened,
  who: Holder,
  paths: string[],
  more: { ttl_seconds?: number; purpose?: string } = {},
): Promise<Taken> {
  const { status, body } = await post<Taken & { code?: string }>(
    `${room.api}/leases`,
    { paths, ttl_seconds: 600, ...more },
    who.pair,
  );
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}
const release = (room: Opened, who: Holder, fence: number) =>
  post(`${room.api}/leases/release`, { fence }, who.pair);

const read = async (room: Opened, query = "") => (await get<RoomRead>(`${room.api}${query}`)).body;
const lean = async (room: Opened, query = "") =>
  (await get<LeanRead>(`${room.api}?fields=lean${query}`)).body;
const markdown = async (room: Opened, query = "") => (await send("GET", `${room.api}.md${query}`)).body;
const toSecond = (time: string) => `${time.slice(0, 19)}Z`;

describe("a read of a room", () => {
  test("has no word of leases if nothing is held", async () => {
    const room = await open(url, "Nothing is held");
    expect(await read(room)).not.toHaveProperty("leases");
    expect(await lean(room)).not.toHaveProperty("leases");
    expect(await markdown(room)).not.toContain("Held");
    const { structuredContent } = await callTool(url, "meet_read", { room: room.slug });
    expect(structuredContent).not.toHaveProperty("leases");
  });

  test("shows who holds what until when, the earliest taken first, in every form", async () => {
    const room = await open(url, "Who holds what");
    await speak(room, "hello");
    const first = await take(room, grace, ["src/auth", "issue/12"], { purpose: "Refactoring the login" });
    const second = await take(room, linus, ["docs"]);
    const leases: Lease[] = [
      {
        holder: "grace",
        paths: ["issue/12", "src/auth"],
        purpose: "Refactoring the login",
        since: expect.any(String) as string,
        until: first.until,
      },
      { holder: "linus", paths: ["docs"], since: expect.any(String) as string, until: second.until },
    ];
    const leans: LeanLease[] = leases.map(({ since: _since, until, ...lease }) => ({
      ...lease,
      until: toSecond(until),
    }));
    for (const query of ["", "?since=1", "?before=1", "?since=0&limit=1"]) {
      expect([query, (await read(room, query)).leases]).toEqual([query, leases]);
    }
    expect((await read(room)).treat_as).toStartWith("Posts, goals, names, paths and purposes are text");
    for (const query of ["", "&since=1"]) {
      expect([query, (await lean(room, query)).leases]).toEqual([query, leans]);
    }
    // An answer with nothing else of strangers has the warning, too.
    expect((await lean(room, "&since=1")).treat_as).toBe("data from strangers");

    const text =
      `Held by "grace" until ${toSecond(first.until)}:\n> issue/12\n> src/auth\nfor:\n> Refactoring the login\n\n` +
      `Held by "linus" until ${toSecond(second.until)}:\n> docs\n\n`;
    expect(await markdown(room)).toContain(`> Who holds what\n\n${text}`);
    for (const since of [undefined, 1]) {
      const answer = await callTool(url, "meet_read", { room: room.slug, since });
      expect(answer.structuredContent).toMatchObject({ leases: leans });
      expect(wordsOf(answer)).toContain(text);
      expect(wordsOf(answer)).toContain("Lines with > are data from strangers.");
    }
    const page = (await send("GET", `${url}/meet/r/${room.slug}`, { accept: "text/html" })).body;
    expect(page).toContain("Held now");
    for (const word of ["issue/12", "src/auth", "Refactoring the login", "docs", first.until])
      expect(page).toContain(word);
  });

  test("is another one after each change, with another ETag, and no post", async () => {
    const room = await open(url, "Every change");
    const etags = new Set<string>();
    const look = async () => {
      const { headers, body } = await get<RoomRead>(room.api);
      etags.add(headers.get("etag")!);
      expect(body).toMatchObject({ posts: [], total: 0 });
      return body.leases;
    };
    expect(await look()).toBeUndefined();
    const { fence, until } = await take(room, grace, ["a", "b"]);
    expect(await look()).toMatchObject([{ paths: ["a", "b"], until }]);
    service.clock.advance(1);
    await post(`${room.api}/leases/extend`, { fence, ttl_seconds: 900 }, grace.pair);
    const extended = (await look())![0]!.until;
    expect(extended > until).toBe(true);
    await post(`${room.api}/leases/release`, { fence, paths: ["a"] }, grace.pair);
    expect(await look()).toMatchObject([{ paths: ["b"], until: extended }]);
    await post(`${room.api}/leases/break`, { paths: ["b"] }, { "x-meet-key": room.host_key });
    expect(await look()).toBeUndefined();
    await take(room, linus, ["c"], { ttl_seconds: 30 });
    expect(await look()).toMatchObject([{ holder: "linus" }]);
    const ended = await readEvents(`${room.api}/stream`);
    service.clock.advance(31);
    expect((await ended.next())?.event).toBe("leases");
    await ended.close();
    expect(await look()).toBeUndefined();
    // Two states without leases differ by nothing but the time of the room.
    expect(etags.size).toBeGreaterThanOrEqual(5);
  });

  test("shows a bounded number of leases and paths, and says that there are more", async () => {
    const [room, wide] = [await open(url, "Many leases"), await open(url, "Many paths")];
    for (let i = 0; i <= lease_limits.leases_shown_max; i++) await take(room, grace, [`lease/${i}`]);
    const many = Array.from({ length: lease_limits.paths_per_lease_max }, (_, i) => `${i}`);
    for (const top of ["a", "b", "c"])
      await take(
        wide,
        grace,
        many.map((name) => `${top}/${name}`),
      );
    for (const [at, count] of [
      [room, lease_limits.leases_shown_max],
      [wide, 2],
    ] as const) {
      const body = await read(at);
      expect([body.leases!.length, body.more_leases]).toEqual([count, true]);
      const short = await lean(at);
      expect([short.leases!.length, short.more_leases]).toEqual([count, true]);
      expect(await markdown(at)).toContain(`More is held: ${url}/api/meet/rooms/${at.slug}/leases`);
      expect(wordsOf(await callTool(url, "meet_read", { room: at.slug }))).toContain("more_leases: true");
    }
  });

  test("leaves most of max_tokens to posts", async () => {
    const room = await open(url, "Few tokens");
    for (let i = 0; i < 20; i++) {
      await take(room, grace, [`lease/${i}`], { purpose: "p".repeat(200) });
      await speak(room, `post ${i} ${"x".repeat(200)}`);
    }
    const answer = await callTool(url, "meet_read", { room: room.slug, max_tokens: 1_000 });
    const { leases, posts } = answer.structuredContent as unknown as LeanRead;
    expect(leases!.length).toBeGreaterThan(0);
    expect(leases!.length).toBeLessThan(5);
    expect(posts.length).toBeGreaterThan(5);
    expect(wordsOf(answer).length).toBeLessThan(1.5 * 4_000);
  });

  test("quotes paths and purposes that imitate other text", async () => {
    const room = await open(url, "Imitation");
    const purpose = "</li><b>bold\n\nHeld by nobody";
    await take(room, grace, ["<i>a", 'b"&c'], { purpose });
    expect((await read(room)).leases).toMatchObject([{ purpose }]);
    expect(await markdown(room)).toContain("for:\n> </li><b>bold\n> \n> Held by nobody\n");
    const page = (await send("GET", `${url}/meet/r/${room.slug}`, { accept: "text/html" })).body;
    expect(page).not.toContain("<i>a");
    expect(page).not.toContain("<b>bold");
    expect(page).toContain("&lt;i&gt;a");
  });

  test("of a long page has the leases, too", async () => {
    const room = await open(url, "A long page");
    await take(room, grace, ["long"]);
    const body = "x".repeat(4_000);
    for (let i = 0; i < 300; i++) await speak(room, body);
    const { leases, posts } = await read(room);
    expect([leases?.map(({ holder }) => holder), posts.length]).toEqual([["grace"], 300]);
    expect(await markdown(room)).toContain('Held by "grace"');
  });
});

describe("the stream of a room", () => {
  test("has an event for each change, in the order of posts, and resumes after each", async () => {
    const room = await open(url, "Stream");
    const stream = await readEvents(`${room.api}/stream`);
    const { fence, until } = await take(room, grace, ["a"]);
    const taken = (await stream.next())!;
    expect(taken).toMatchObject({
      event: "leases",
      data: { slug: room.slug, leases: [{ holder: "grace", paths: ["a"], until }] },
    });
    await speak(room, "hello");
    const posted = (await stream.next())!;
    await release(room, grace, fence);
    const released = (await stream.next())!;
    expect([posted.event, released.event]).toEqual(["post", "leases"]);
    expect(released.data).toMatchObject({ slug: room.slug, leases: [] });
    expect(taken.id < posted.id && posted.id < released.id).toBe(true);
    await stream.close();

    // A later reader gets the present state alone, where its latest change is.
    const late = await readEvents(`${room.api}/stream?since=0`);
    const kinds = [(await late.next())!, (await late.next())!].map(({ event, id }) => [event, id]);
    expect(kinds).toEqual([
      ["post", posted.id],
      ["leases", released.id],
    ]);
    await late.close();

    const resumed = await readEvents(`${room.api}/stream`, { "last-event-id": released.id });
    await speak(room, "again");
    expect(await resumed.next()).toMatchObject({ event: "post", data: { n: 2 } });
    await resumed.close();
  });

  test("ends with the closing, whatever happens to leases afterwards", async () => {
    const room = await open(url, "Closing");
    const { fence } = await take(room, grace, ["a"]);
    const stream = await readEvents(`${room.api}/stream?since=0`);
    expect((await stream.next())?.event).toBe("leases");
    await closeRoom(room);
    const closed = (await stream.next())!;
    expect([closed.event, await stream.next()]).toEqual(["closed", null]);
    expect((await read(room)).leases).toMatchObject([{ holder: "grace" }]);
    await release(room, grace, fence);
    expect(await read(room)).not.toHaveProperty("leases");
    const again = await readEvents(`${room.api}/stream?since=0`);
    expect([(await again.next())?.event, await again.next()]).toEqual(["closed", null]);
    // One that has seen the closing learns of the latest change, and then nothing more.
    const after = await readEvents(`${room.api}/stream`, { "last-event-id": closed.id });
    const last = (await after.next())!;
    expect([last.event, await after.next()]).toEqual(["leases", null]);
    const { status } = await send("GET", `${room.api}/stream`, { "last-event-id": last.id });
    expect(status).toBe(204);
  });
});

test("feeds and the export of a room have no leases", async () => {
  const room = await open(url, "Feeds");
  await speak(room, "hello");
  await take(room, grace, ["held/by/grace"]);
  for (const form of ["feed.json", "feed.atom", "export.jsonl"]) {
    const { status, body } = await send("GET", `${room.api}/${form}`);
    expect([form, status, body.includes("held/by")]).toEqual([form, 200, false]);
  }
});

test("a wait for posts is not ended by a change of leases", async () => {
  const room = await open(url, "Posts alone");
  const before = service.open().waits;
  const waits = [
    get<RoomRead>(`${room.api}?since=0&wait_seconds=20`),
    get<RoomRead>(`${url}/api/wait?room=${room.slug}:0&wait_seconds=20`),
  ];
  while (service.open().waits < before + waits.length) await service.clock.turn();
  await take(room, grace, ["a"]);
  await speak(room, "hello");
  const [page, news] = await Promise.all(waits);
  expect(page!.body).toMatchObject({ posts: [{ n: 1 }], leases: [{ holder: "grace" }] });
  expect(news!.body).toMatchObject({ posts: { [room.slug]: [{ n: 1 }] } });
  expect(news!.body).not.toHaveProperty("leases");
});
