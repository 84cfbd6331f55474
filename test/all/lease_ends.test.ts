/** Leases end by steady time, whatever the clock says; with their room, and with the name of their holder. Their numbers never repeat. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { asOwner } from "../support/admin.ts";
import { extend, held, lineIs, list, release, take } from "../support/leases.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, type Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { importText } from "../support/exports.ts";

let directory: string;
let service: SourceService;
let room: Opened;
let ann: Holder;
let bob: Holder;
beforeEach(async () => {
  directory = newDirectory();
  service = await startSource({ data_dir: join(directory, "a") });
  room = await open(service.url, "Until when?");
  [ann, bob] = [await claim(service.url, "ann"), await claim(service.url, "bob")];
});
afterEach(async () => {
  await service.stop();
  removeDirectory(directory);
});

/** The room at the service as it is now, whose port changes with a restart. */
const here = (): Opened => ({ ...room, api: `${service.url}/api/meet/rooms/${room.slug}` });
const restart = async (seconds = 0, data_dir = join(directory, "a")) => {
  await service.stop();
  service.clock.pass(seconds);
  service = await startSource({ data_dir }, service.clock);
};
const admin = async (path: string, body: object = {}) =>
  expect((await asOwner(service, "POST", `/api/admin/${path}`, { reason: "test", ...body })).status).toBe(
    200,
  );

test("a lease ends at its time, without a timer", async () => {
  const { fence } = (await take(room, ann, "src", { ttl_seconds: 60 })).body;
  service.clock.pass(59.999);
  expect(await held(room)).toEqual(["ann: src"]);
  expect((await take(room, bob, "src")).status).toBe(409);
  service.clock.pass(0.001);
  expect(await held(room)).toEqual([]);
  expect((await extend(room, ann, fence)).body.code).toBe("lease_lost");
  expect((await release(room, ann, fence)).body.code).toBe("lease_lost");
  expect((await take(room, bob, "src")).body.fence).toBe(fence + 1);
});

test.each(["2026-02-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"])(
  "a lease ends after its time if the clock is set to %s meanwhile",
  async (time) => {
    await take(room, ann, "src", { ttl_seconds: 60 });
    service.clock.advance(20);
    service.clock.set(time);
    service.clock.advance(20);
    expect(await held(room)).toEqual(["ann: src"]);
    service.clock.advance(20);
    expect(await held(room)).toEqual([]);
  },
);

test("a lease outlives a restart, and ends during one", async () => {
  const { fence } = (await take(room, ann, "src", { ttl_seconds: 60 })).body;
  await restart(30);
  expect(await held(here())).toEqual(["ann: src"]);
  expect((await extend(here(), ann, fence, 60)).status).toBe(200);
  await restart(60);
  expect(await held(here())).toEqual([]);
  expect((await take(here(), bob, "src/a")).body.fence).toBe(fence + 1);
});

test("the number of a lease does not come again after all have ended, and a restart", async () => {
  for (const fence of [1, 2]) {
    const taken = (await take(room, ann, "src")).body;
    expect(taken.fence).toBe(fence);
    await release(room, ann, fence);
  }
  await restart();
  expect((await take(here(), ann, "src")).body.fence).toBe(3);
});

test("in a closed room, leases are released and end, and none is taken or extended", async () => {
  const { fence } = (await take(room, ann, ["src", "doc"])).body;
  await closeRoom(room);
  for (const refused of [await take(room, bob, "free"), await extend(room, ann, fence)])
    expect([refused.status, refused.body.code]).toEqual([410, "room_closed"]);
  expect((await release(room, ann, fence, ["doc"])).status).toBe(200);
  expect(await held(room)).toEqual(["ann: src"]);
  service.clock.advance(60);
  expect(await held(room)).toEqual([]);
});

test("with a deleted room, its leases and the waits for them end", async () => {
  const { fence } = (await take(room, ann, "src")).body;
  const waiting = take(room, bob, "src", { wait_seconds: 50 });
  await lineIs(service, room, ["bob"]);
  await admin(`rooms/${room.slug}/delete`);
  expect((await waiting).body.code).toBe("room_deleted");
  expect((await extend(room, ann, fence)).body.code).toBe("room_deleted");
  expect((await list(room)).status).toBe(410);
});

describe("the leases of a name end", () => {
  test("when it is suspended: others get them", async () => {
    const { fence } = (await take(room, ann, "src", { ttl_seconds: 86_400 })).body;
    const waiting = take(room, bob, "src", { wait_seconds: 50 });
    await lineIs(service, room, ["bob"]);
    await admin("names/ann/suspend");
    expect((await waiting).body.fence).toBe(fence + 1);
    expect((await extend(room, ann, fence)).body.code).toBe("name_suspended");
    await admin("names/ann/unsuspend");
    expect((await extend(room, ann, fence)).body.code).toBe("lease_lost");
  });

  test("when it is released: its next holder has none", async () => {
    await take(room, ann, "src", { ttl_seconds: 86_400 });
    await admin("names/ann/release");
    expect(await held(room)).toEqual([]);
    service.clock.advance(1);
    const next = await claim(service.url, "ann");
    expect((await take(room, next, "src")).body.fence).toBe(2);
  });
});

describe("a copy of the instance", () => {
  test("that is imported without secrets has no leases, and gives out higher numbers", async () => {
    await take(room, ann, "src");
    const { body: text } = await asOwnerText("/api/admin/export");
    expect(text).toContain('"lease_rooms"');
    expect(text).not.toContain('"leased_paths","row"');
    await becomes(text);
    expect(await held(here())).toEqual([]);
    const next = await claim(service.url, "cyd");
    expect((await take(here(), next, "src")).body.fence).toBeGreaterThan(1);
  });

  test("that is imported with secrets has the leases, and gives out higher numbers", async () => {
    await take(room, ann, ["src", "doc"], { ttl_seconds: 3_600, purpose: "Moving" });
    const { body: text } = await asOwnerText("/api/admin/export?secrets=1");
    await becomes(text);
    expect(await held(here())).toEqual(["ann: doc src"]);
    expect((await extend(here(), ann, 1)).status).toBe(200);
    expect((await take(here(), bob, "free")).body.fence).toBe(1_000_002);
  });
});

const asOwnerText = async (path: string) => {
  const response = await fetch(`http://localhost${path}`, { unix: join(service.directory, "wharf.sock") });
  return { body: await response.text() };
};
/** Stops the service, and starts one with the data of this export. */
async function becomes(text: string): Promise<void> {
  await service.stop();
  const data_dir = join(directory, "imported");
  await importText(data_dir, text);
  service = await startSource({ data_dir, database: null }, service.clock, 2);
}
