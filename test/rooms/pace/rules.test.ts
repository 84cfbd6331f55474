/** The pace of a room over HTTP: who is slowed down, for how long, and who lifts it. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom, Post, Room, RoomList, RoomRead } from "../../../src/api/rooms/rooms.ts";
import type { Pace, RoomPace } from "../../../src/api/rooms/pace.ts";
import type { Problem } from "../../../src/web/problems.ts";
import { asOwner } from "../../support/admin.ts";
import { call, get, post, send } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { claim, type Holder } from "../../support/names.ts";
import { newDirectory, startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let ann: Holder;
let made = 0;

/** Three posts by at most two names within 10 minutes; then 60 s between theirs. */
const pace: Pace = { posts: 3, window_seconds: 600, spacing_seconds: 60, names: 2 };

const openRoom = async (more: object = { pace }, who?: Holder) => {
  const body = { goal: `Room ${++made}`, name: who?.name ?? "host", ...more };
  return (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, body, who?.pair)).body;
};
const say = (room: OpenedRoom, name: string, more: object = {}, headers: Record<string, string> = {}) =>
  post<Post & Problem & { pace: Pace; slowed_until: string }>(
    `${room.api}/posts`,
    { name, body: "a text", ...more },
    headers,
  );
const all = async (room: OpenedRoom, ...names: string[]) => {
  const statuses: number[] = [];
  for (const name of names) statuses.push((await say(room, name)).status);
  return statuses;
};
const roomOf = async ({ api }: OpenedRoom): Promise<Room> => (await get<RoomRead>(api)).body.room;
const setPace = (
  room: OpenedRoom,
  chosen: unknown,
  headers: Record<string, string> = { "x-meet-key": room.host_key! },
) => call<RoomPace & Problem>("PUT", `${room.api}/pace`, { pace: chosen }, headers);

describe("a room with a pace of its own", () => {
  beforeAll(async () => {
    service = await startSource();
    ann = await claim(service.url, "Ann");
  });
  afterAll(() => service.stop());

  test("slows down two names that alone have made so many posts, with the wait and who lifts it", async () => {
    const room = await openRoom();
    expect(await all(room, "a", "b", "a")).toEqual([201, 201, 201]);
    const { slowed_until, ...shown } = await roomOf(room);
    expect(shown).toMatchObject({ pace, posts: 3 });
    expect(Date.parse(slowed_until!)).toBe(Date.parse(shown.last_post!) + 60_000);
    const refused = await say(room, "b");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("61");
    expect(refused.body).toMatchObject({ code: "slow_down", retryable: true, pace, slowed_until });
    expect(refused.body.hint).toContain("host");
    expect((await roomOf(room)).posts).toBe(3);
    service.clock.advance(61);
    expect(await all(room, "b", "a", "b")).toEqual([201, 429, 429]);
  });

  test("slows down one name alone, in all its spellings, and its second name posts freely", async () => {
    const room = await openRoom();
    expect(await all(room, "Ab", "aB", "AB", "ab")).toEqual([201, 201, 201, 429]);
    expect((await say(room, "b")).status).toBe(201);
    expect(await all(room, "ab", "b")).toEqual([429, 201]);
    // The third post since then.
    expect(await all(room, "b", "ab", "b")).toEqual([201, 429, 429]);
    service.clock.advance(61);
    expect(await all(room, "ab", "b")).toEqual([201, 429]);
  });

  test("stays slow however slow they post, until a third name speaks", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    for (let i = 0; i < 5; i++) {
      service.clock.advance(700);
      expect(await all(room, "a", "b")).toEqual([201, 429]);
    }
    expect(await all(room, "c", "a", "b")).toEqual([201, 201, 201]);
    expect((await roomOf(room)).slowed_until).toBeUndefined();
    // What came before the third name counts no more.
    expect(await all(room, "a", "b")).toEqual([201, 429]);
  });

  test("counts redacted posts", async () => {
    const room = await openRoom();
    for (const name of ["a", "b"]) {
      const { body } = await say(room, name);
      await send("DELETE", `${room.api}/posts/${body.n}`, { "x-meet-key": room.host_key! });
    }
    expect(await all(room, "a", "b")).toEqual([201, 429]);
  });

  test("does not count posts that are further apart", async () => {
    const room = await openRoom();
    for (let i = 0; i < 6; i++) {
      expect((await say(room, i % 2 === 0 ? "a" : "b")).status).toBe(201);
      service.clock.advance(301);
    }
  });

  test("is lifted by the host, also with the same pace again, and then only later posts count", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    const set = await setPace(room, pace);
    expect([set.status, set.body]).toEqual([200, { slug: room.slug, pace } as never]);
    expect((await roomOf(room)).slowed_until).toBeUndefined();
    expect(await all(room, "a", "b", "a", "b")).toEqual([201, 201, 201, 429]);
    expect((await setPace(room, "none")).body).toEqual({ slug: room.slug, pace: "none" } as never);
    expect(await all(room, "a", "b", "a", "b", "a")).toEqual([201, 201, 201, 201, 201]);
    expect((await roomOf(room)).pace).toBe("none");
    // The instance has no pace, because it counts nobody's calls.
    expect((await setPace(room, "default")).body).toEqual({ slug: room.slug, pace: "none" } as never);
    expect(await roomOf(room)).not.toHaveProperty("pace");
  });

  test("is set with defaults for the members that are left out", async () => {
    const room = await openRoom({ pace: { posts: 4 } });
    expect((await roomOf(room)).pace).toEqual({
      posts: 4,
      window_seconds: 300,
      spacing_seconds: 60,
      names: 2,
    });
    expect((await setPace(room, {})).body.pace).toEqual({
      posts: 60,
      window_seconds: 300,
      spacing_seconds: 60,
      names: 2,
    });
  });

  test.each([
    [{ posts: 1 }],
    [{ posts: 10_001 }],
    [{ window_seconds: 0 }],
    [{ spacing_seconds: 86_401 }],
    [{ names: 11 }],
    [{ names: 1.5 }],
    [{ speed: 3 }],
    ["fast"],
    [null],
    [[]],
  ])("refuses %j as a pace", async (chosen) => {
    const room = await openRoom();
    const { status, body } = await setPace(room, chosen);
    expect([status, body.errors?.[0]?.path]).toEqual([422, "/pace"]);
    const opened = await post<Problem>(`${service.url}/api/meet/rooms`, {
      goal: "A room",
      name: "host",
      pace: chosen,
    });
    expect([opened.status, opened.body.errors?.[0]?.path]).toEqual([422, "/pace"]);
  });

  test("obeys the host alone", async () => {
    const room = await openRoom({ pace }, ann);
    expect((await setPace(room, "none", {})).body.code).toBe("host_key_required");
    expect((await setPace(room, "none", { "x-meet-key": "wfh_wrong" })).body.code).toBe("wrong_host_key");
    const bob = await claim(service.url, `Bob${++made}`);
    expect((await setPace(room, "none", bob.pair)).body.code).toBe("host_key_required");
    expect((await setPace(room, "none", ann.pair)).status).toBe(200);
    expect((await setPace({ ...room, api: `${service.url}/api/meet/rooms/none` }, "none")).status).toBe(404);
  });

  test("cannot be set in a closed room, which slows nobody down", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
    expect((await setPace(room, "none")).body.code).toBe("room_closed");
    expect((await say(room, "a")).body.code).toBe("room_closed");
    expect(await roomOf(room)).not.toHaveProperty("slowed_until");
  });

  test("refuses a last word that comes too early, and the room stays open", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    const conclude = (name: string) =>
      post<Problem>(`${room.api}/close`, { last_word: "bye", name }, { "x-meet-key": room.host_key! });
    expect((await conclude("b")).body.code).toBe("slow_down");
    expect((await roomOf(room)).closed).toBe(false);
    expect((await conclude("c")).status).toBe(200);
  });

  test("changes the ETag of the room and is in the list", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    const etag = async () => (await get(room.api)).headers.get("etag");
    const before = await etag();
    const listed = async () =>
      (await get<RoomList>(`${service.url}/api/meet/rooms`)).body.rooms.find(
        ({ slug }) => slug === room.slug,
      )!;
    expect(await listed()).toMatchObject({ pace, slowed_until: (await roomOf(room)).slowed_until });
    await setPace(room, "default");
    expect(await etag()).not.toBe(before);
    expect(await listed()).not.toHaveProperty("slowed_until");
  });

  test("puts one note into the mailbox of its host for each time", async () => {
    const room = await openRoom({ pace }, ann);
    await all(room, "a", "b", "a", "b");
    service.clock.advance(61);
    await all(room, "b", "a");
    const of = async () => (await notesOf(service.url, ann)).filter((note) => note.room === room.slug);
    const [first] = await of();
    expect(await of()).toHaveLength(1);
    expect(first).toMatchObject({ kind: "room.slowed", pace });
    expect(first!.until).toBe(new Date(Date.parse(first!.at as string) + 60_000).toISOString());
    await all(room, "c", "a", "b", "a");
    expect(await of()).toHaveLength(2);
  });

  test("refuses nothing under an idempotency key that comes again", async () => {
    const room = await openRoom();
    const again = { "idempotency-key": crypto.randomUUID() };
    await all(room, "a", "b");
    expect((await say(room, "a", {}, again)).status).toBe(201);
    const repeated = await say(room, "a", {}, again);
    expect([repeated.status, repeated.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    const refused = { "idempotency-key": crypto.randomUUID() };
    expect((await say(room, "a", {}, refused)).status).toBe(429);
    service.clock.advance(61);
    expect((await say(room, "a", {}, refused)).status).toBe(201);
  });

  test("goes on after a reopening", async () => {
    const room = await openRoom();
    await all(room, "a", "b", "a");
    await post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key! });
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/reopen`, { reason: "a test" });
    expect(await all(room, "a", "c", "a")).toEqual([429, 201, 201]);
  });
});

describe("the pace of the instance", () => {
  afterEach(() => service.stop());

  test("holds for rooms whose host has chosen none", async () => {
    service = await startSource({ rate_limit: true, pace: "3/600/60/2" });
    const [usual, free, own] = [await openRoom({}), await openRoom({ pace: "none" }), await openRoom()];
    expect(await all(usual, "a", "b", "a", "b")).toEqual([201, 201, 201, 429]);
    expect(await all(free, "a", "b", "a", "b")).toEqual([201, 201, 201, 201]);
    expect(await all(own, "a", "b", "a", "b")).toEqual([201, 201, 201, 429]);
    const room = await roomOf(usual);
    expect(room).not.toHaveProperty("pace");
    expect(room).toHaveProperty("slowed_until");
    expect((await setPace(usual, "default")).body.pace).toEqual(pace);
    expect(await all(usual, "a", "b", "a", "b")).toEqual([201, 201, 201, 429]);
  });

  test("is 60 posts within 300 s by two names, then 60 s between theirs", async () => {
    service = await startSource({ rate_limit: true, writes_per_minute_by_address: 100 });
    const room = await openRoom({});
    const statuses = await all(room, ...Array.from({ length: 61 }, (_, i) => (i % 2 === 0 ? "a" : "b")));
    expect(statuses.indexOf(429)).toBe(60);
  });

  test.each([[{ rate_limit: true, pace: null }], [{ rate_limit: false }]])(
    "is off with %j",
    async (settings) => {
      service = await startSource({ ...settings, writes_per_minute_by_address: 100 });
      const room = await openRoom({});
      const statuses = await all(room, ...Array.from({ length: 70 }, (_, i) => (i % 2 === 0 ? "a" : "b")));
      expect(statuses).not.toContain(429);
    },
  );

  test("lets go those whom it has slowed down when it is switched off", async () => {
    const data_dir = newDirectory();
    service = await startSource({ rate_limit: true, pace: "3/600/60/2", data_dir });
    const { clock } = service;
    const room = await openRoom({});
    await all(room, "a", "b", "a");
    await service.stop();
    service = await startSource({ rate_limit: true, pace: null, data_dir }, clock, 2);
    const there = { ...room, api: `${service.url}/api/meet/rooms/${room.slug}` };
    expect(await all(there, "a", "b")).toEqual([201, 201]);
    expect(await roomOf(there)).not.toHaveProperty("slowed_until");
  });

  test("counts on after a restart", async () => {
    const data_dir = newDirectory();
    service = await startSource({ rate_limit: true, pace: "3/600/60/2", data_dir });
    const { clock } = service;
    const room = await openRoom({});
    await all(room, "a", "b");
    const restart = async (seed: number) => {
      await service.stop();
      service = await startSource({ rate_limit: true, pace: "3/600/60/2", data_dir }, clock, seed);
      return { ...room, api: `${service.url}/api/meet/rooms/${room.slug}` };
    };
    expect(await all(await restart(2), "a", "b")).toEqual([201, 429]);
    expect(await all(await restart(3), "b", "c", "a")).toEqual([429, 201, 201]);
  });
});
