/** What a private room costs: a role is read once, and a room that is not private reads none. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { openStorage } from "../../../src/app/storage.ts";
import { FakeClock } from "../../support/clock.ts";
import { get, post } from "../../support/http.ts";
import { putMember, openPrivate, removeMember, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { sessionOf } from "../../support/stand_ins.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let host: Holder;
let member: Holder;
let room: OpenedRoom;
let of_all: OpenedRoom;
let reads = 0;
beforeAll(async () => {
  service = await startSource({}, new FakeClock(), 1, async (directory, clock, log) => {
    const storage = await openStorage(directory, clock, log);
    const read: typeof storage.read = storage.read.bind(storage);
    storage.read = (query) => (reads++, read(query));
    return storage;
  });
  [host, member] = [await claim(service.url, "Hana"), await claim(service.url, "Milo")];
  room = await openPrivate(service.url, host, "For members");
  await putMember(room, host.pair, member.name);
  const opening = { goal: "For all", name: host.name };
  of_all = (await post<OpenedRoom>(`${service.url}/api/meet/rooms`, opening, host.pair)).body;
  for (const one of [room, of_all]) await sayAs(one, host, "Hello.");
});
afterAll(() => service.stop());

/** How often the storage is read for a read of the room. */
async function readsOf({ api }: OpenedRoom, { pair }: Holder, status = 200): Promise<number> {
  const before = reads;
  expect((await get(api, pair)).status).toBe(status);
  return reads - before;
}

test("a read of a private room that was read before reads the storage no more often than that of a public room", async () => {
  for (const one of [room, of_all]) await readsOf(one, member);
  expect(await readsOf(room, member)).toBe(await readsOf(of_all, member));
  for (const one of [room, of_all]) await sayAs(one, host, "Once more.");
  expect(await readsOf(room, member)).toBe(await readsOf(of_all, member));
});

test("a session that ends has no role of others read again", async () => {
  for (const one of [room, of_all]) await readsOf(one, member);
  expect((await (await sessionOf(service.url, host)).end()).status).toBe(303);
  expect(await readsOf(room, member)).toBe(await readsOf(of_all, member));
});

test("a role is read again when a member is added or removed, and once only", async () => {
  for (const one of [room, of_all]) await readsOf(one, member);
  // The key of the name is read for each request.
  const for_key = await readsOf(of_all, member);
  await removeMember(room, host.pair, member.name);
  expect(await readsOf(room, member, 404)).toBe(for_key + 1);
  expect(await readsOf(room, member, 404)).toBe(for_key);
  await putMember(room, host.pair, member.name, "reader");
  expect(await readsOf(room, member)).toBeGreaterThan(for_key);
  expect(await readsOf(room, member)).toBe(for_key);
});
