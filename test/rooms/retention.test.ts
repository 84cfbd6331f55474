/** Rooms that are removed because they are old, the dry run before it, and what is said of them afterwards. */

import { afterEach, expect, test } from "bun:test";
import type { RetentionReport } from "../../src/api/admin.ts";
import { intervalSeconds } from "../../src/admin/retention.ts";
import { default_config } from "../../src/core/settings.ts";
import { retentionOf, retentionText } from "../../src/core/retention.ts";
import { asOwner, auditOf } from "../support/admin.ts";
import { get, post } from "../support/http.ts";
import { beginSession } from "../support/mcp_messages.ts";
import { claim } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService, type TestSettings } from "../support/service.ts";

const day = 86_400;
let service: SourceService;
afterEach(() => service.stop());

const start = async (settings: TestSettings) => void (service = await startSource(settings));
const dryRun = async (query = "") =>
  (await asOwner<RetentionReport>(service, "GET", `/api/admin/retention${query}`)).body;
const run = async (query = "") =>
  (await asOwner<RetentionReport>(service, "POST", `/api/admin/retention${query}`)).body;
const say = (room: { api: string }, body: string) => post(`${room.api}/posts`, { name: "Bob", body });
const statusOf = async (room: { api: string }) => (await get(room.api)).status;

/** A closed room and an open one that are ten days old, and an old one in which somebody has just posted. */
async function threeRooms() {
  const rooms = [];
  for (const goal of ["closed", "idle", "busy"]) rooms.push(await open(service.url, `A ${goal} room`));
  const [closed, idle, busy] = rooms as [(typeof rooms)[0], (typeof rooms)[0], (typeof rooms)[0]];
  for (const room of rooms) for (const text of ["One.", "Two."]) await say(room, text);
  await post(`${closed.api}/close`, undefined, { "x-meet-key": closed.host_key! });
  service.clock.advance(10 * day);
  await say(busy, "Three.");
  return { closed, idle, busy };
}

test("rooms that were closed or had no post for too long are deleted, and say by which rule", async () => {
  await start({});
  const rules = `?keep_closed_rooms_seconds=${7 * day}&keep_idle_rooms_seconds=${9 * day}`;
  const { closed, idle, busy } = await threeRooms();
  const counts = { closed_rooms: 1, idle_rooms: 1, posts: 4 };
  expect((await dryRun(rules)).counts).toMatchObject(counts);
  expect(await Promise.all([closed, idle, busy].map(statusOf))).toEqual([200, 200, 200]);

  expect((await run(rules)).counts).toMatchObject(counts);
  expect(await Promise.all([closed, idle, busy].map(statusOf))).toEqual([410, 410, 200]);
  expect((await get(closed.api)).body).toMatchObject({
    code: "room_deleted",
    detail: "This room was deleted: this instance deletes a room 7 days after it was closed.",
  });
  expect((await get(idle.api)).body).toMatchObject({
    detail: "This room was deleted: this instance deletes an open room 9 days after its last post.",
  });
  const lines = await auditOf(service);
  expect(lines.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ["retention", "room.delete", idle.slug],
    ["retention", "room.delete", closed.slug],
    [
      "owner",
      "instance.retention",
      "This instance deletes a room 7 days after it was closed. This instance deletes an open room 9 days after its last post.",
    ],
  ]);
  const logged = service
    .output()
    .split("\n")
    .filter((line) => line.includes("retention.removed"));
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([counts]);
  expect((await get<{ total: number }>(`${service.url}/api/meet/rooms?limit=10`)).body.total).toBe(1);

  // Nothing is left to do, and nothing is logged again.
  expect((await run(rules)).counts).toMatchObject({ closed_rooms: 0, idle_rooms: 0, posts: 0 });
  expect(service.output().split("retention.removed")).toHaveLength(2);
});

test("without a rule everything is stored, and a dry run shows what a rule would remove", async () => {
  await start({});
  const { closed, idle } = await threeRooms();
  expect(await dryRun()).toMatchObject({ text: "", counts: { closed_rooms: 0, idle_rooms: 0, posts: 0 } });
  const query = `?keep_idle_rooms_seconds=${5 * day}&posts_by_room=1`;
  // The idle room with its two posts, one post of the closed room, and two of the busy one.
  expect(await dryRun(query)).toMatchObject({
    text: "This instance deletes an open room 5 days after its last post. This instance stores the newest post of a room.",
    counts: { closed_rooms: 0, idle_rooms: 1, posts: 5 },
  });
  expect((await run()).counts).toMatchObject({ closed_rooms: 0, idle_rooms: 0, posts: 0 });
  expect(await Promise.all([closed, idle].map(statusOf))).toEqual([200, 200]);
  expect((await asOwner(service, "GET", "/api/admin/retention?keep_posts_seconds=x")).status).toBe(422);
});

test("many steps remove what one does not", async () => {
  await start({});
  const room = await open(service.url, "Long posts");
  for (let i = 0; i < 30; i++) await say(room, `Long ${"word ".repeat(50)}`);
  expect((await run("?posts_by_room=1")).counts.posts).toBe(29);
  expect((await get<{ posts: unknown[] }>(room.api)).body.posts).toHaveLength(1);
});

test("the rules are applied a minute after the start and then at intervals", async () => {
  await start({ keep_idle_rooms_seconds: 9 * day });
  const { idle } = await threeRooms();
  // Ten days have passed, in which nothing was due.
  service.clock.advance(day);
  while ((await statusOf(idle)) !== 410) await Bun.sleep(1);
});

test("the interval is a tenth of the shortest age, but at most a day", () => {
  const none = retentionOf(default_config);
  expect(intervalSeconds({ ...none, keep_posts_seconds: 90 * day, keep_notes_seconds: 5 * day })).toBe(
    day / 2,
  );
  expect(intervalSeconds({ ...none, keep_posts_seconds: 90 * day })).toBe(day);
  expect(intervalSeconds({ ...none, keep_posts_seconds: 60 })).toBe(600);
  expect(intervalSeconds({ ...none, posts_by_room: 10 })).toBe(day);
});

test("the rules in words", () => {
  expect(retentionText(default_config)).toBe("");
  expect(retentionText({ ...default_config, keep_posts_seconds: day, keep_notes_seconds: 90 * 60 })).toBe(
    "This instance stores posts for 1 day. " +
      "This instance stores a note in a mailbox for 90 minutes after it came, once it was read.",
  );
});

test("notes that were read are removed when they are old, others stay", async () => {
  await start({});
  const carol = await claim(service.url, "carol");
  const mention = async () => say(await open(service.url, "A room"), "For @carol.");
  const mailbox = async (since = 0) =>
    (
      await get<{ notes: { seq: number }[]; unread: number }>(
        `${service.url}/api/mailbox?since=${since}`,
        carol.pair,
      )
    ).body;
  await mention();
  await mention();
  await mention();
  expect((await mailbox()).notes.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  await post(`${service.url}/api/mailbox/ack`, { through: 2 }, carol.pair);
  service.clock.advance(10 * day);
  await mention();
  await post(`${service.url}/api/mailbox/ack`, { through: 2 }, carol.pair);
  const rule = `?keep_notes_seconds=${9 * day}`;
  expect((await dryRun(rule)).counts.notes).toBe(2);
  expect((await mailbox()).notes).toHaveLength(4);
  expect((await run(rule)).counts.notes).toBe(2);
  const left = await mailbox(2);
  expect([left.notes.map(({ seq }) => seq), left.unread]).toEqual([[3, 4], 2]);
});

test("stored results of calls and sessions that have expired are removed, others stay", async () => {
  await start({});
  const key = { "idempotency-key": crypto.randomUUID() };
  const call = () => post(`${service.url}/api/meet/rooms`, { goal: "Once", name: "Bob" }, key);
  await call();
  await beginSession(`${service.url}/mcp`);
  expect((await dryRun()).counts).toMatchObject({ answers: 0, mcp_sessions: 0, browser_sessions: 0 });
  service.clock.advance(2 * day);
  expect((await dryRun()).counts).toMatchObject({ answers: 1, mcp_sessions: 0 });
  service.clock.advance(6 * day);
  const counts = { answers: 1, mcp_sessions: 1, browser_sessions: 0 };
  expect((await dryRun()).counts).toMatchObject(counts);
  expect((await run()).counts).toMatchObject(counts);
  expect((await run()).counts).toMatchObject({ answers: 0, mcp_sessions: 0 });
});

test("what is just older than a rule goes, and what is just younger stays, on the same day", async () => {
  await start({});
  const rules = `?keep_posts_seconds=${7 * day}&keep_closed_rooms_seconds=${7 * day}&keep_idle_rooms_seconds=${8 * day}`;
  const close = (room: { api: string; host_key: string }) =>
    post(`${room.api}/close`, undefined, { "x-meet-key": room.host_key });
  const rooms = [];
  for (const goal of ["first", "second", "talk"]) rooms.push(await open(service.url, `The ${goal} room`));
  const [first, second, talk] = rooms as [(typeof rooms)[0], (typeof rooms)[0], (typeof rooms)[0]];
  await say(talk, "Just older.");
  await close(first);
  service.clock.advance(10);
  await say(talk, "Just younger.");
  await close(second);
  service.clock.advance(7 * day - 5);
  expect((await dryRun(rules)).counts).toMatchObject({ closed_rooms: 1, idle_rooms: 0, posts: 1 });
  expect((await run(rules)).counts).toMatchObject({ closed_rooms: 1, idle_rooms: 0, posts: 1 });
  expect(await Promise.all([first, second, talk].map(statusOf))).toEqual([410, 200, 200]);
  expect((await get<{ posts: { body: string }[] }>(talk.api)).body.posts.map(({ body }) => body)).toEqual([
    "Just younger.",
  ]);
});
