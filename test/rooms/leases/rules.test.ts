/** Leases and the rules of the instance: repeated calls, limits, who may speak, programs, moderation, and the note about a broken lease. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lease_limits } from "../../../src/api/limits.ts";
import { asOwner, auditOf } from "../../support/admin.ts";
import { runHere } from "../../support/commands.ts";
import { get, post, send } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { breakLeases, held, list, release, take } from "../../support/leases.ts";
import { claim, type Holder } from "../../support/names.ts";
import type { Opened } from "../../support/rooms.ts";
import { startSource, type SourceService, type TestSettings } from "../../support/service.ts";
import { callTool, wordsOf } from "../../support/tools.ts";

let service: SourceService;
let room: Opened;
let ann: Holder;
let bob: Holder;
async function start(settings: TestSettings = {}, visibility = "public"): Promise<void> {
  service = await startSource(settings);
  [ann, bob] = [await claim(service.url, "ann"), await claim(service.url, "bob")];
  const opened = { goal: "By which rules?", name: "ann", visibility };
  room = (await post<Opened>(`${service.url}/api/meet/rooms`, opened, ann.pair)).body;
}
afterEach(() => service.stop());

describe("a repeated call", () => {
  beforeEach(() => start());
  const key = () => ({ "idempotency-key": crypto.randomUUID() });

  test("gets the same lease, also after its end", async () => {
    const again = key();
    const first = await take(room, ann, "src", {}, again);
    const second = await take(room, ann, "src", {}, again);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    await release(room, ann, first.body.fence);
    expect((await take(room, ann, "src", {}, again)).body).toEqual(first.body);
    expect(await held(room)).toEqual([]);
  });

  test("with other fields is refused", async () => {
    const again = key();
    await take(room, ann, "src", {}, again);
    expect((await take(room, ann, "doc", {}, again)).body.code).toBe("idempotency_key_reused");
  });

  test("of a refused one is made anew", async () => {
    const again = key();
    const { fence } = (await take(room, bob, "src")).body;
    expect((await take(room, ann, "src", {}, again)).status).toBe(409);
    await release(room, bob, fence);
    expect((await take(room, ann, "src", {}, again)).status).toBe(201);
  });
});

test("a name has so many leases in a room, and no more", async () => {
  await start();
  for (let i = 0; i < lease_limits.leases_per_name_and_room; i++) await take(room, ann, `p${i}`);
  const refused = await take(room, ann, "more");
  expect([refused.status, refused.body.code]).toEqual([429, "too_many_leases"]);
  expect(refused.body.hint).toContain("/leases/release");
  expect((await take(room, bob, "more")).status).toBe(201);
  await release(room, ann, 1);
  expect((await take(room, ann, "p0")).status).toBe(201);
});

test("leases count as writes of the name", async () => {
  await start({ rate_limit: true });
  let status = 201;
  for (let i = 0; status === 201; i++) {
    ({ status } = await take(room, ann, `p${i}`));
    expect(i).toBeLessThan(60);
  }
  expect(status).toBe(429);
  expect((await take(room, ann, "more")).body.code).toBe("rate_limited");
  expect((await take(room, bob, "more")).status).toBe(201);
});

test("under --speak claimed, names take leases; under --read members, nobody else sees them", async () => {
  await start({ speak: "claimed" });
  expect((await take(room, ann, "src")).status).toBe(201);
  expect(await held(room)).toEqual(["ann: src"]);
  await service.stop();
  await start({ read: "members" });
  expect((await take(room, ann, "src")).status).toBe(201);
  expect((await list(room)).status).toBe(401);
  expect((await list(room, "", bob)).body.leases).toHaveLength(1);
});

test("an unlisted room has leases for those who know its address", async () => {
  await start({}, "unlisted");
  expect((await take(room, bob, "src")).status).toBe(201);
  expect(await held(room)).toEqual(["bob: src"]);
  expect((await get(`${service.url}/api/meet/rooms`)).body.rooms).toEqual([]);
});

describe("an admin", () => {
  beforeEach(() => start());
  const path = () => `/api/admin/rooms/${room.slug}/leases/break`;

  test("breaks leases, once, with a line of the audit log", async () => {
    const { fence } = (await take(room, bob, ["src/a", "doc"])).body;
    const body = { paths: ["src"], reason: "Its holder is gone" };
    const broken = await asOwner(service, "POST", path(), body);
    expect([broken.status, broken.body]).toEqual([
      200,
      { broken: [{ holder: "bob", paths: ["doc", "src/a"] }] },
    ]);
    expect((await asOwner(service, "POST", path(), body)).body).toEqual({ broken: [] });
    const lines = (await auditOf(service)).filter(({ action }) => action === "leases.break");
    expect(lines).toMatchObject([{ target: room.slug, reason: "Its holder is gone" }]);
    expect((await notesOf(service.url, bob)).at(-1) as object).toMatchObject({ fence, how: "operator" });
  });

  test("needs a reason, and a room that exists", async () => {
    expect((await asOwner(service, "POST", path(), { paths: ["src"] })).status).toBe(422);
    const nowhere = "/api/admin/rooms/nowhere/leases/break";
    const body = { paths: ["src"], reason: "x" };
    expect((await asOwner(service, "POST", nowhere, body)).body.code).toBe("room_not_found");
    expect((await post(service.url + path(), body, ann.pair)).status).toBe(401);
  });

  test("breaks them with wharf admin break-lease, which says whose they were", async () => {
    await take(room, bob, ["src/a", "doc"]);
    const args = ["break-lease", room.slug, "src", "--reason", "gone", "--data-dir", service.directory];
    const first = await runHere({}, "admin", ...args);
    expect([first.status, first.printed]).toEqual([
      0,
      'Found: a lease of "bob" on "doc", "src/a".\nThe lease has ended.\n',
    ]);
    const second = await runHere({}, "admin", ...args);
    expect([second.status, second.errors]).toEqual([1, expect.stringContaining('Nobody holds "src" there.')]);
  });
});

test("the holder of a broken lease reads in the mailbox what it was, in each form", async () => {
  await start();
  const many = Array.from({ length: 10 }, (_, i) => `${i}/${"x".repeat(98)}`);
  await take(room, bob, many);
  await breakLeases(room, ["0"]);
  const note = (await notesOf(service.url, bob)).at(-1)!;
  expect(note).toMatchObject({ kind: "lease.broken", room: room.slug, fence: 1, more_paths: 7, how: "host" });
  expect(note.paths).toEqual(many.slice(0, 3));
  const page = await send("GET", `${service.url}/me/mailbox`, { accept: "text/html", ...bob.pair });
  expect(page.body).toContain("Your lease was ended by the host");
  expect(page.body).toContain(many[0]!);
  expect(page.body).toContain(`/meet/r/${room.slug}"`);
  expect(page.body).not.toContain("/jobs/undefined");
  const words = wordsOf(await callTool(service.url, "mailbox_read", {}, bob.pair));
  expect(words).toContain(`lease.broken`);
  expect(words).toContain(`fence 1: "${many[0]}", "${many[1]}", "${many[2]}", 7 more`);
});

test("the export of a name has its leases", async () => {
  await start();
  await take(room, bob, ["src", "doc"], { purpose: "Moving" });
  await take(room, ann, "other");
  const { body } = await send("GET", `${service.url}/api/name/export`, bob.pair);
  const lines = body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string });
  const { since, until } = (await list(room)).body.leases[0]!;
  expect(lines.filter(({ kind }) => kind === "lease") as object[]).toEqual([
    { kind: "lease", room: room.slug, fence: 1, paths: ["doc", "src"], purpose: "Moving", since, until },
  ]);
  expect(lines.at(-1)).toMatchObject({ kind: "end", lines: { lease: 1 } });
});
