/** The list of one's own private rooms: in every form, page by page while rooms change, and for members alone. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LeanNews } from "../../src/api/wait.ts";
import type { RoomList } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import { ask } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
beforeAll(async () => void (service = await startSource()));
afterAll(() => service.stop());

const openPrivate = async ({ name, pair }: Holder, goal: string): Promise<Opened> =>
  (await post<Opened>(`${service.url}/api/meet/rooms`, { goal, name, visibility: "private" }, pair)).body;

const add = (room: Opened, host: Holder, name: string, role = "member") =>
  post(`${room.api}/members`, { name, role }, host.pair);

const own = (holder: Holder, query = "") =>
  get<RoomList>(`${service.url}/api/meet/rooms?visibility=private&${query}`, holder.pair);

const asAdmin = (action: string) =>
  asOwner(service, "POST", `/api/admin/${action}`, { reason: "For the test" });

const goalsOf = ({ body }: Awaited<ReturnType<typeof own>>) => body.rooms.map(({ goal }) => goal);

/** A host with rooms, opened one after the other, and a member of all of them. */
async function hostWith(name: string, goals: string[]) {
  const host = await claim(service.url, name);
  const member = await claim(service.url, `${name} member`);
  const rooms: Opened[] = [];
  for (const goal of goals) {
    service.clock.advance(1000);
    const room = await openPrivate(host, goal);
    await add(room, host, member.name);
    rooms.push(room);
  }
  return { host, member, rooms };
}

describe("the list of one's own private rooms", () => {
  test("has the rooms of which the caller is a member, the most recently active first, with the role and the total", async () => {
    const { host, member, rooms } = await hostWith("Lea", ["First", "Second", "Third"]);
    const other = await hostWith("Ole", ["Not hers"]);
    await add(other.rooms[0]!, other.host, "Lea member", "reader");
    service.clock.advance(1000);
    await post(`${rooms[0]!.api}/posts`, { name: host.name, body: "Moves up." }, host.pair);
    const mine = await own(host);
    expect(goalsOf(mine)).toEqual(["First", "Third", "Second"]);
    expect(mine.body).toMatchObject({ total: 3, next: null });
    expect(mine.body.rooms[0]).toMatchObject({ visibility: "private", role: "host", posts: 1 });
    const hers = await own(member);
    expect(hers.body.rooms.map(({ goal, role }) => [goal, role])).toEqual([
      ["First", "member"],
      ["Not hers", "reader"],
      ["Third", "member"],
      ["Second", "member"],
    ]);
  });

  test("comes in the lean form, as Markdown and from the tool", async () => {
    const { host, rooms } = await hostWith("Ria", ["In every form"]);
    const [room] = rooms;
    const lean = (await own(host, "fields=lean")).body;
    expect(lean.rooms).toMatchObject([{ slug: room!.slug, goal: "In every form", role: "host" }]);
    const markdown = await send(
      "GET",
      `${service.url}/api/meet/rooms.md?visibility=private&limit=1`,
      host.pair,
    );
    expect(markdown.body).toContain(`${room!.slug}: private, your role host, by "Ria" key, 0 posts`);
    const tool = await callTool(service.url, "meet_rooms", { visibility: "private" }, host.bearer);
    expect(tool.structuredContent).toMatchObject({ rooms: [{ slug: room!.slug, role: "host" }] });
    expect(tool.content[0]!.text).toContain("private, your role host");
  });

  test("is never stored by a cache, and an ETag answers 304 only to the member", async () => {
    const { host, member, rooms } = await hostWith("Cia", ["Cached by nobody"]);
    for (const path of ["rooms", "rooms.md"])
      for (const query of ["", "&limit=5", "&fields=lean", "&q=cached"]) {
        const url = `${service.url}/api/meet/${path}?visibility=private${query}`;
        const { status, headers } = await send("GET", url, host.pair);
        expect([url, status, headers.get("cache-control")]).toEqual([url, 200, "private, no-store"]);
      }
    const { headers } = await own(member);
    const etag = { "if-none-match": headers.get("etag")! };
    const url = `${service.url}/api/meet/rooms?visibility=private`;
    expect((await send("GET", url, { ...member.pair, ...etag })).status).toBe(304);
    await send("DELETE", `${rooms[0]!.api}/members/${encodeURIComponent(member.name)}`, host.pair);
    const after = await send("GET", url, { ...member.pair, ...etag });
    expect([after.status, JSON.parse(after.body)]).toEqual([200, { rooms: [], total: 0, next: null }]);
  });

  test("takes a claimed name", async () => {
    for (const query of ["visibility=private", "visibility=private&q=word", "visibility=private&limit=1"])
      expect((await get(`${service.url}/api/meet/rooms?${query}`)).body).toMatchObject({
        status: 401,
        code: "credential_required",
      });
    const refused = await callTool(service.url, "meet_rooms", { visibility: "private" });
    expect(refused).toMatchObject({ isError: true });
    const { body } = await get(`${service.url}/api/meet/rooms?visibility=unlisted`);
    expect(body).toMatchObject({ code: "invalid_fields" });
  });

  test("has the open rooms, or the closed ones if asked", async () => {
    const { host, rooms } = await hostWith("Zoe", ["Still open", "Closed"]);
    await closeRoom(rooms[1]!);
    expect(goalsOf(await own(host))).toEqual(["Still open"]);
    const closed = await own(host, "closed=true");
    expect(closed.body).toMatchObject({ rooms: [{ goal: "Closed", closed: true }], total: 1 });
    const tool = await callTool(service.url, "meet_rooms", { visibility: "private" }, host.bearer);
    expect(tool.content[0]!.text).not.toContain("Closed");
  });
});

test("pages have each room once while rooms come, move up and are left", async () => {
  const goals = Array.from({ length: 9 }, (_, i) => `Room ${i}`);
  const { host, member, rooms } = await hostWith("Pia", goals);
  const first = await own(member, "limit=3");
  expect([goalsOf(first), first.body.total]).toEqual([["Room 8", "Room 7", "Room 6"], 9]);
  service.clock.advance(1000);
  // A room that was shown moves up, another one is left, and a new one comes.
  await post(`${rooms[7]!.api}/posts`, { name: host.name, body: "Up." }, host.pair);
  await send("DELETE", `${rooms[4]!.api}/members/${encodeURIComponent(member.name)}`, member.pair);
  await add(await openPrivate(host, "New"), host, member.name);
  const second = await own(member, `limit=3&cursor=${first.body.next}`);
  expect(goalsOf(second)).toEqual(["Room 5", "Room 3", "Room 2"]);
  const third = await own(member, `limit=3&cursor=${second.body.next}`);
  expect([goalsOf(third), third.body.next, third.body.total]).toEqual([["Room 1", "Room 0"], null, 9]);
  expect((await own(member, "cursor=bm9uZQ")).body).toMatchObject({ code: "invalid_fields" });
});

test("the next holder of a name has none of the rooms of the one before", async () => {
  const { host, member, rooms } = await hostWith("Una", ["Of the first holder"]);
  expect(goalsOf(await own(member))).toEqual(["Of the first holder"]);
  await asAdmin(`names/${encodeURIComponent(member.name)}/release`);
  service.clock.advance(1000);
  const next = await claim(service.url, member.name);
  expect((await own(next)).body).toEqual({ rooms: [], total: 0, next: null });
  await add(rooms[0]!, host, next.name, "reader");
  expect((await own(next)).body.rooms).toMatchObject([{ role: "reader" }]);
});

test("a deleted room is in no list", async () => {
  const { host, member, rooms } = await hostWith("Dea", ["Deleted", "Stays"]);
  await asAdmin(`rooms/${rooms[0]!.slug}/delete`);
  for (const holder of [host, member]) expect(goalsOf(await own(holder))).toEqual(["Stays"]);
});

test("a private room is in nothing that is public", async () => {
  const key = await claim(service.url, "Nia");
  const read = async () => {
    const answers: Record<string, string> = {};
    for (const path of public_paths)
      for (const [who, headers] of Object.entries({ nobody: {}, host: key.pair }))
        answers[`${who} ${path}`] = (await send("GET", service.url + path, headers)).body;
    for (const [method, params] of public_calls) {
      const { body } = await ask(`${service.url}/mcp`, method, params);
      answers[`nobody /api/meet ${JSON.stringify(params)}`] = JSON.stringify(body.result);
    }
    return answers;
  };
  await open(service.url, "Public before");
  const { cursors } = (await get<LeanNews>(`${service.url}/api/wait?rooms=now&wait_seconds=0`)).body;
  const before = await read();
  const room = await openPrivate(key, "Kestrelwort in private");
  await post(`${room.api}/posts`, { name: "Nia", body: "Kestrelwort again." }, key.pair);
  const after = await read();
  for (const [what, text] of Object.entries(after)) {
    expect([what, text.includes(room.slug), text.includes("Kestrelwort in")]).toEqual([what, false, false]);
    if (what.startsWith("nobody /api/meet")) expect([what, text]).toEqual([what, before[what]!]);
  }
  const path = `${service.url}/api/wait?rooms=${cursors.new_rooms}&wait_seconds=0`;
  for (const headers of [{}, key.pair]) {
    const { body } = await get<LeanNews>(path, headers);
    expect([body.new_rooms, body.cursors]).toEqual([undefined, cursors]);
  }
});

const completing = (value: string) => ({
  ref: { type: "ref/resource", uri: "meet://room/{room}" },
  argument: { name: "room", value },
});
const public_calls = [
  ["resources/list", {}],
  ["completion/complete", completing("private")],
  ["completion/complete", completing("kestrelwort")],
] as const;
const public_paths = [
  "/api/meet/rooms",
  "/api/meet/rooms?limit=5",
  "/api/meet/rooms?closed=true",
  "/api/meet/rooms?q=kestrelwort&fields=lean",
  "/api/meet/rooms.md",
  "/meet.md",
  "/meet?q=kestrelwort",
  "/sitemap.xml",
  "/",
  "/llms.txt",
  "/llms-full.txt",
];
