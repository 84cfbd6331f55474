/** Memberships of names that are released, claimed again, or suspended. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Members } from "../../../src/api/rooms/members.ts";
import { asOwner } from "../../support/admin.ts";
import { get, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import {
  admitName,
  isWaiting,
  newMember,
  openPrivately,
  remove,
  sayIn,
  type PrivateRoom,
} from "../../support/removals.ts";
import { take } from "../../support/leases.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let url: string;
let host: Holder;
let room: PrivateRoom;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  host = await claim(url, "Grace");
  room = await openPrivately(url, host);
});
afterAll(() => service.stop());

const act = (name: string, action: string, more = {}) =>
  asOwner(service, "POST", `/api/admin/names/${encodeURIComponent(name)}/${action}`, {
    reason: "For the test",
    ...more,
  });
const namesIn = async (by: Holder) =>
  (await get<Members>(`${room.api}/members`, by.pair)).body.members.map(({ name }) => name);
const refused = { status: 404, body: { code: "room_not_found" } };

test("a released name is a member of no room, and its next holder neither, in the same millisecond", async () => {
  const ann = await newMember(url, room, host, "Ann");
  expect((await act("Ann", "release")).status).toBe(200);
  expect(await namesIn(host)).toEqual(["Grace"]);
  const next = await claim(url, "Ann");
  expect(await get(room.api, next.pair)).toMatchObject(refused);
  expect(await sayIn(room, next, "It is me.")).toMatchObject(refused);
  expect((await get(room.api, ann.pair)).status).toBe(401);
  expect(await remove(room, host, "Ann")).toMatchObject({ status: 404, body: { code: "member_not_found" } });
  await admitName(room, host, "Ann");
  expect((await get(room.api, next.pair)).status).toBe(200);
});

test("a suspended name cannot read, and is a member again afterwards", async () => {
  const ben = await newMember(url, room, host, "Ben");
  await act("Ben", "suspend");
  expect((await get(room.api, ben.pair)).status).toBe(403);
  expect(await namesIn(host)).toContain("Ben");
  await act("Ben", "unsuspend");
  expect((await get(room.api, ben.pair)).status).toBe(200);
});

test.each([
  ["lifted", {}, (name: string) => act(name, "unsuspend")],
  ["over", { until: "2026-03-01T13:00:00.000Z" }, async () => service.clock.advance(7_200)],
])(
  "a suspended name that held a lease and waited is a member again when that is %s",
  async (how, more, end) => {
    const member = await newMember(url, room, host, `Suspended ${how}`);
    await take(room, member, "src");
    const open = get<{ code: string }>(
      `${url}/api/wait?room=${room.slug}:now&leases=${room.slug}:now&wait_seconds=50`,
      member.pair,
    );
    while (!(await isWaiting(url, member))) await service.clock.turn();
    expect((await act(member.name, "suspend", more)).status).toBe(200);
    expect((await open).body.code).toBe("name_suspended");
    await end(member.name);
    expect((await get(room.api, member.pair)).status).toBe(200);
  },
);

test("a room whose only host was released can be read, and its host key still works", async () => {
  const eve = await claim(url, "Eve");
  const hers = await openPrivately(url, eve);
  const dan = await newMember(url, hers, eve, "Dan");
  await act("Eve", "release");
  expect((await get(hers.api, dan.pair)).status).toBe(200);
  expect((await sayIn(hers, dan, "Alone.")).status).toBe(201);
  const by_key = { "x-meet-key": hers.host_key };
  const put = (name: string, role: string) => post(`${hers.api}/members`, { name, role }, by_key);
  expect((await put("Grace", "host")).status).toBe(201);
  expect((await get(hers.api, host.pair)).status).toBe(200);
});
