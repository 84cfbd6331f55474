/** Who waits for paths that are held is in line for them: one after the other, and for a minute beyond its wait. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { lease_limits } from "../../../src/api/limits.ts";
import { Readers } from "../../../src/storage/sqlite/readers.ts";
import { asOwner } from "../../support/admin.ts";
import { post } from "../../support/http.ts";
import { breakLeases, held, lineIs, list, release, take, type LeaseResult } from "../../support/leases.ts";
import { claim, type Holder } from "../../support/names.ts";
import { closeRoom, open, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let room: Opened;
let ann: Holder;
let bob: Holder;
let cyd: Holder;
let fence: number;
beforeAll(async () => {
  service = await startSource();
  [ann, bob, cyd] = [
    await claim(service.url, "ann"),
    await claim(service.url, "bob"),
    await claim(service.url, "cyd"),
  ];
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await open(service.url, "Who waits?");
  fence = (await take(room, ann, "src", { ttl_seconds: 3_600 })).body.fence;
});
afterEach(() => breakLeases(room, ["src", "doc"]));

const after = (seconds: number) => new Date(service.clock.now() + seconds * 1000).toISOString();
const inLine = (...names: string[]) => lineIs(service, room, names);
/** Waits for paths, and resolves to the answer that will come once the name is in line, behind `before`. */
async function wait(who: Holder, paths: string | string[], before: Holder[] = [], more: object = {}) {
  const answer = take(room, who, paths, { wait_seconds: 50, ...more });
  await inLine(...before.map(({ name }) => name), who.name);
  return { answer };
}
/** Lets a wait end without a lease. */
async function ended({ answer }: { answer: Promise<LeaseResult> }, seconds = 50): Promise<LeaseResult> {
  await service.clock.timerAt(seconds);
  service.clock.advance(seconds);
  return answer;
}

test("a wait ends with the lease when it is released, broken or over", async () => {
  const first = await wait(bob, "src/a");
  await release(room, ann, fence);
  const taken = await first.answer;
  expect([taken.status, taken.body.paths]).toEqual([201, ["src/a"]]);
  const second = await wait(cyd, "src");
  await breakLeases(room, ["src/a"]);
  expect((await second.answer).body.fence).toBe(taken.body.fence + 1);
  const third = await wait(ann, "src/b", [], { wait_seconds: 280 });
  service.clock.advance(40);
  expect((await list(room)).body.leases).toHaveLength(1);
  service.clock.advance(20);
  expect((await third.answer).status).toBe(201);
  expect(await held(room)).toEqual(["ann: src/b"]);
});

test("each waits for those that came before for the same paths, and for no others", async () => {
  const first = await wait(bob, "src/a");
  const second = await wait(cyd, "src/a/b", [bob]);
  await release(room, ann, fence);
  expect((await first.answer).status).toBe(201);
  // Cyd is still in line, behind bob who holds it now.
  await inLine("cyd");
  expect((await take(room, ann, "src/other")).status).toBe(201);
  const late = await take(room, ann, "src/a/b/c");
  expect(late.body).toMatchObject({ code: "lease_held", holder: "bob" });
  await release(room, bob, (await first.answer).body.fence);
  expect((await second.answer).body.paths).toEqual(["src/a/b"]);
});

test("who comes after somebody in line is refused, also while the paths are free", async () => {
  const refused = await ended(await wait(bob, "src/a"));
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: "lease_held", holder: "ann", place_until: after(lease_limits.place_seconds) },
  ]);
  await release(room, ann, fence);
  const late = await take(room, cyd, "src");
  expect([late.status, late.body]).toMatchObject([
    409,
    { code: "lease_held", holder: "bob", in_line: true, path: "src/a", until: after(60) },
  ]);
  expect((await take(room, cyd, "src/b")).status).toBe(201);
  expect((await take(room, bob, "src/a")).status).toBe(201);
  await inLine();
});

test("a place is kept for a minute beyond the wait, and not longer", async () => {
  await ended(await wait(bob, "src/a"));
  await release(room, ann, fence);
  service.clock.advance(59);
  expect((await take(room, cyd, "src/a")).body.in_line).toBe(true);
  service.clock.advance(1);
  expect((await take(room, cyd, "src/a")).status).toBe(201);
});

test("who comes back within the minute keeps the place before those who came after", async () => {
  await ended(await wait(bob, "src/a"));
  const later = await wait(cyd, "src/a", [bob]);
  service.clock.advance(30);
  const again = take(room, bob, "src/a", { wait_seconds: 50 });
  await inLine("bob", "cyd");
  await service.clock.timerAt(50);
  await release(room, ann, fence);
  expect((await again).status).toBe(201);
  await breakLeases(room, ["src/a"]);
  expect((await later.answer).status).toBe(201);
});

test("the end of a place wakes those behind it", async () => {
  await ended(await wait(bob, "src/a"));
  await release(room, ann, fence);
  const later = take(room, cyd, "src/a", { wait_seconds: 280 });
  await inLine("bob", "cyd");
  service.clock.advance(60);
  expect((await later).status).toBe(201);
});

test("the own places of a name do not stand in its way, and the same paths have one place", async () => {
  const soon = { wait_seconds: 10 };
  await ended(await wait(bob, "src/a", [], soon), 10);
  await ended(await wait(bob, ["src/a", "doc"], [bob], soon), 10);
  await ended({ answer: take(room, bob, ["doc", "src/a"], soon) }, 10);
  await inLine("bob", "bob");
  await release(room, ann, fence);
  expect((await take(room, bob, "src")).status).toBe(201);
});

test("who leaves keeps the place for a minute from then on", async () => {
  const leaving = new AbortController();
  const sent = fetch(`${room.api}/leases`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bob.pair },
    body: JSON.stringify({ paths: ["src/a"], ttl_seconds: 60, wait_seconds: 280 }),
    signal: leaving.signal,
  });
  sent.catch(() => undefined);
  await inLine("bob");
  await service.clock.timerAt(280);
  leaving.abort();
  await release(room, ann, fence);
  for (;;) {
    const { body } = await take(room, cyd, "src/a");
    expect(body.in_line).toBe(true);
    if (body.until === after(lease_limits.place_seconds)) break;
    await service.clock.turn();
  }
});

test("a wait ends when the room is closed, and when its name is suspended", async () => {
  const of_bob = await wait(bob, "src/a");
  const of_cyd = await wait(cyd, "src/b", [bob]);
  expect((await asOwner(service, "POST", "/api/admin/names/bob/suspend", { reason: "spam" })).status).toBe(
    200,
  );
  expect((await of_bob.answer).body.code).toBe("name_suspended");
  await inLine("cyd");
  await asOwner(service, "POST", "/api/admin/names/bob/unsuspend", { reason: "sorry" });
  await closeRoom(room);
  const closed = await of_cyd.answer;
  expect([closed.status, closed.body.code]).toEqual([410, "room_closed"]);
});

test("a wait with a key for repeated calls is answered once", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const sent = { wait_seconds: 50 };
  const waiting = take(room, bob, "src/a", sent, key);
  await inLine("bob");
  await release(room, ann, fence);
  const taken = await waiting;
  expect(taken.status).toBe(201);
  const again = await take(room, bob, "src/a", sent, key);
  expect([again.status, again.body]).toEqual([201, taken.body]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await held(room)).toEqual(["bob: src/a"]);
});

test("a name is in line for so many sets of paths of a room, and no more", async () => {
  for (let i = 0; i < lease_limits.places_per_name_and_room; i++) {
    const before = Array.from({ length: i }, () => bob);
    const one = await wait(bob, `src/${i}`, before, { wait_seconds: 1 });
    service.clock.advance(1);
    expect((await one.answer).status).toBe(409);
  }
  const refused = await take(room, bob, "src/more", { wait_seconds: 1 });
  expect([refused.status, refused.body.code]).toEqual([429, "too_many_leases"]);
  expect(refused.body.hint).toContain("release");
  expect((await post(`${room.api}/leases`, { paths: ["src/0"], ttl_seconds: 60 }, bob.pair)).status).toBe(
    409,
  );
});

test("a change is looked at once for all calls that wait in the same place", async () => {
  const calls = 30;
  const waits = Array.from({ length: calls }, () => take(room, bob, "src/a", { wait_seconds: 50 }));
  await inLine("bob");
  while (service.open().waits < calls) await service.clock.turn();
  const read = spyOn(Readers.prototype, "read");
  const other = await take(room, ann, "doc");
  // This read comes after theirs.
  await list(room);
  expect(read.mock.calls.length).toBeLessThan(calls);
  read.mockRestore();
  await release(room, ann, other.body.fence);
  await release(room, ann, fence);
  // One of them has it, and the others wait on.
  expect((await Promise.race(waits)).status).toBe(201);
  await inLine("bob");
  service.clock.advance(50);
  const answers = await Promise.all(waits);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(calls - 1);
});
