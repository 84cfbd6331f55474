/** Leases are taken, extended, released, broken, listed and checked: answers, errors and hints. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { lease_limits } from "../../../src/api/limits.ts";
import { post } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { breakLeases, check, extend, held, list, release, take } from "../../support/leases.ts";
import { claim, type Holder } from "../../support/names.ts";
import { open, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let room: Opened;
let ann: Holder;
let bob: Holder;
beforeAll(async () => {
  service = await startSource();
  [ann, bob] = [await claim(service.url, "Ann"), await claim(service.url, "bob")];
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await open(service.url, "Who edits what?");
});

const after = (seconds: number) => new Date(service.clock.now() + seconds * 1000).toISOString();

describe("a lease", () => {
  test("holds all paths or none, until its end", async () => {
    const taken = await take(room, ann, ["src/auth", "issue/12", "src/auth/login.ts"], { ttl_seconds: 600 });
    expect(taken.status).toBe(201);
    expect(taken.body as object).toEqual({ fence: 1, until: after(600), paths: ["issue/12", "src/auth"] });
    for (const path of ["src", "src/auth", "src/auth/login.ts", "issue/12/comments"]) {
      const refused = await take(room, bob, ["free", path]);
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, "lease_held"]);
    }
    expect((await take(room, bob, ["src/author", "issue/1", "free"])).body.fence).toBe(2);
  });

  test("that is refused says who holds what, what for and until when, and how to wait", async () => {
    await take(room, ann, "src", { purpose: "  Moving files ", ttl_seconds: 90 });
    const { body } = await take(room, bob, "src/app.ts");
    expect(body).toMatchObject({
      path: "src",
      holder: "Ann",
      purpose: "Moving files",
      until: after(90),
      retryable: true,
    } as object);
    expect(body.hint).toContain("wait in line");
    expect(body.hint).toContain("wait_seconds");
    expect(body).not.toHaveProperty("fence");
    expect(body).not.toHaveProperty("yours");
  });

  test("of the caller itself is refused, too: two programs of one name exclude each other", async () => {
    await take(room, ann, "src");
    const { status, body } = await take(room, ann, "src/app.ts");
    expect([status, body]).toMatchObject([409, { yours: true, fence: 1, holder: "Ann" }]);
    expect(body.hint).toContain("leases/release");
  });

  test("is of one room: another one has the same paths free", async () => {
    await take(room, ann, "src");
    const other = await open(service.url, "Another room");
    expect((await take(other, bob, "src")).body.fence).toBe(1);
  });

  test("needs a claimed name, an open room and sound fields", async () => {
    const body = { paths: ["src"], ttl_seconds: 60 };
    const codeOf = async (sent: object, headers = {}) =>
      (await post(`${room.api}/leases`, sent, headers)).body.code;
    expect(await codeOf(body)).toBe("credential_required");
    for (const wrong of [
      { ttl_seconds: lease_limits.lease_seconds_min - 1 },
      { ttl_seconds: lease_limits.lease_seconds_max + 1 },
      { paths: [] },
      { paths: Array.from({ length: lease_limits.paths_per_lease_max + 1 }, (_, i) => `p${i}`) },
      { paths: ["x".repeat(lease_limits.lease_path_chars_max + 1)] },
      { purpose: "x".repeat(lease_limits.lease_purpose_chars_max + 1) },
    ])
      expect([wrong, await codeOf({ ...body, ...wrong }, ann.pair)]).toEqual([wrong, "invalid_fields"]);
    expect((await take({ api: `${service.url}/api/meet/rooms/nowhere` }, ann, "src")).body.code).toBe(
      "room_not_found",
    );
    expect((await take(room, ann, `of ${ann.key}`)).body.code).toBe("contains_key");
  });

  test("is held once by many who want it at the same moment", async () => {
    const racers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => take(room, i % 2 ? ann : bob, "src")),
    );
    expect(racers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("is extended from now, and never shortened", async () => {
    const { fence } = (await take(room, ann, ["src", "doc"])).body;
    service.clock.advance(30);
    const extended = await extend(room, ann, fence, 120);
    expect([extended.status, extended.body]).toEqual([
      200,
      { fence, until: after(120), paths: ["doc", "src"] } as never,
    ]);
    expect((await extend(room, ann, fence, 60)).body.until).toBe(after(120));
  });

  test("is released in parts or as a whole, once", async () => {
    const { fence } = (await take(room, ann, ["src", "doc", "port/1"])).body;
    expect((await release(room, ann, fence, ["doc/"])).body as object).toEqual({
      fence,
      released: ["doc"],
      paths: ["port/1", "src"],
    });
    expect((await take(room, bob, "doc")).status).toBe(201);
    expect((await release(room, ann, fence, ["doc"])).body.code).toBe("lease_lost");
    expect((await release(room, ann, fence)).body).toMatchObject({ released: ["port/1", "src"], paths: [] });
    const again = await release(room, ann, fence);
    expect([again.status, again.body.code]).toEqual([409, "lease_lost"]);
    expect(again.body.hint).toContain("/leases");
    expect(await held(room)).toEqual(["bob: doc"]);
  });

  test("is extended and released by its holder alone", async () => {
    const { fence } = (await take(room, ann, "src")).body;
    expect((await extend(room, bob, fence)).body.code).toBe("lease_lost");
    expect((await release(room, bob, fence)).body.code).toBe("lease_lost");
    expect(await held(room)).toEqual(["Ann: src"]);
  });
});

describe("the host of a room", () => {
  test("breaks the leases on paths, and their holders find a note", async () => {
    const { fence } = (await take(room, ann, ["src/a", "doc"])).body;
    await take(room, bob, "src/b");
    await take(room, bob, "issue/1");
    const broken = await breakLeases(room, ["src"]);
    const all = broken.body.broken.toSorted((a, b) => a.holder.localeCompare(b.holder));
    expect([broken.status, all]).toEqual([
      200,
      [
        { holder: "Ann", paths: ["doc", "src/a"] },
        { holder: "bob", paths: ["src/b"] },
      ],
    ]);
    expect(await held(room)).toEqual(["bob: issue/1"]);
    expect((await extend(room, ann, fence)).body.code).toBe("lease_lost");
    expect((await breakLeases(room, ["src"])).body.broken).toEqual([]);
    const notes = await notesOf(service.url, ann);
    expect(notes.at(-1) as object).toMatchObject({
      kind: "lease.broken",
      room: room.slug,
      fence,
      paths: ["doc", "src/a"],
      how: "host",
    });
  });

  test("breaks none without the host key", async () => {
    await take(room, ann, "src");
    expect((await breakLeases(room, ["src"], "")).body.code).toBe("host_key_required");
    expect((await breakLeases(room, ["src"], `${room.host_key}x`)).status).toBeGreaterThanOrEqual(400);
    expect(await held(room)).toEqual(["Ann: src"]);
  });
});

describe("who reads the room", () => {
  test("lists who holds what in pages, and the numbers of the own leases only", async () => {
    await take(room, ann, ["src/b", "src/a"], { purpose: "Sorting" });
    service.clock.advance(1);
    await take(room, bob, "doc");
    const first = await list(room, "?limit=1", ann);
    expect(first.body.leases as object[]).toEqual([
      {
        holder: "Ann",
        paths: ["src/a", "src/b"],
        purpose: "Sorting",
        since: after(-1),
        until: after(59),
        fence: 1,
      },
    ]);
    const second = await list(room, `?limit=1&cursor=${first.body.next}`, ann);
    expect(second.body).toMatchObject({
      leases: [{ holder: "bob", paths: ["doc"] }],
      next: null,
      in_line: [],
    });
    expect(second.body.leases[0]).not.toHaveProperty("fence");
    expect(second.body.treat_as).toContain("strangers");
    const below = await list(room, "?prefix=src/a/x");
    expect(below.body.leases.map(({ holder, fence }) => [holder, fence])).toEqual([["Ann", undefined]]);
    expect((await list(room, "?prefix=../x")).status).toBe(422);
  });

  test("checks many paths at once, its own leases by its key or by their numbers", async () => {
    const { fence } = (await take(room, ann, "src")).body;
    await take(room, bob, "doc/x");
    const paths = ["src/app.ts", "doc", "free"];
    const of_ann = await check(room, { paths }, ann);
    expect(of_ann.body.held).toMatchObject([
      { path: "src/app.ts", lease_path: "src", holder: "Ann", yours: true, fence },
      { path: "doc", lease_path: "doc/x", holder: "bob", yours: false },
    ]);
    expect(of_ann.body.stale).toEqual([]);
    const nobody = await check(room, { paths, fences: { "src/app.ts": fence, free: 9 } });
    expect(nobody.body.held).toMatchObject([
      { path: "src/app.ts", yours: true },
      { path: "doc", yours: false },
    ]);
    expect(nobody.body.held[0]).not.toHaveProperty("fence");
    expect(nobody.body.stale).toEqual(["free"]);
    const late = await check(room, { paths: ["src"], fences: { src: fence + 5 } });
    expect(late.body).toMatchObject({ held: [{ path: "src", yours: false }], stale: ["src"] });
  });
});
