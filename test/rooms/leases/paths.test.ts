/** Paths of leases: their normal form, which of them cover which, and that the database finds the same conflicts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lease_limits } from "../../../src/api/limits.ts";
import { ancestorsOf, leastPaths, normalPath } from "../../../src/rooms/leases/paths.ts";
import { breakLeases, check, list, take } from "../../support/leases.ts";
import { claim, type Holder } from "../../support/names.ts";
import { open, type Opened } from "../../support/rooms.ts";
import { testRandom } from "../../support/seed.ts";
import { startSource, type SourceService } from "../../support/service.ts";

const random = testRandom("paths of leases");
const { seed } = random;
/** Few segments, so that paths meet; `.`, `-` and `0` are beside `/` in the order of bytes, and two are beyond the BMP or just below it. */
const segments = ["a", "a0", "a-", "a.", "a.b", "b", "0", "-", "\u{1f600}", "\u{ffee}", "é"];
const somePath = (): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.oneOf(segments)).join("/");
/** Whether one of two paths covers the other. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
const normal = (given: string): string => (normalPath(given) as { path: string }).path;

describe("the normal form of a path", () => {
  test.each([
    ["src/app.ts", "src/app.ts"],
    ["/src//app.ts/", "src/app.ts"],
    ["./src/./app.ts", "src/app.ts"],
    ["port/3000", "port/3000"],
    ["cafe\u0301", "caf\u00e9"],
    ["with space/.hidden/...", "with space/.hidden/..."],
  ])("of %j is %j", (given, path) => expect(normalPath(given)).toEqual({ path }));

  test.each(["", "/", ".", "./", "a/../b", "..", "a\nb", "a\rb", "a\u2028b", "a\0b", "\ud800"])(
    "%j has none",
    (given) => expect(normalPath(given)).toHaveProperty("fault"),
  );

  test("counts code points", () => {
    const longest = "\u{1f600}".repeat(lease_limits.lease_path_chars_max);
    expect(normalPath(longest)).toEqual({ path: longest });
    expect(normalPath(`${longest}a`)).toHaveProperty("fault");
  });

  test("is its own normal form", () => {
    const some = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll(" ", "/"));
    fc.assert(
      fc.property(some, (given) => {
        const found = normalPath(given);
        if ("path" in found) expect(normalPath(found.path)).toEqual(found);
      }),
      { seed },
    );
  });
});

test("one of two paths covers the other if they are equal, or it is an ancestor", () => {
  for (let i = 0; i < 2_000; i++) {
    const [a, b] = [somePath(), somePath()];
    const is_covered = a === b || ancestorsOf(a).includes(b) || ancestorsOf(b).includes(a);
    expect([a, b, overlap(a, b)]).toEqual([a, b, is_covered]);
  }
});

test("the least paths cover all others, and none covers another", () => {
  for (let i = 0; i < 500; i++) {
    const paths = Array.from({ length: 6 }, somePath);
    const least = leastPaths(paths);
    for (const path of paths)
      expect(least.some((one) => [path, ...ancestorsOf(path)].includes(one))).toBe(true);
    for (const one of least) expect(least.filter((other) => overlap(one, other))).toEqual([one]);
    expect(leastPaths(least)).toEqual(least);
  }
});

describe("the service", () => {
  let service: SourceService;
  let room: Opened;
  let ann: Holder;
  let bob: Holder;
  beforeAll(async () => {
    service = await startSource();
    room = await open(service.url, "Paths");
    [ann, bob] = [await claim(service.url, "ann"), await claim(service.url, "bob")];
  });
  afterAll(() => service.stop());

  test("finds the conflicts of paths that overlap, and no others", async () => {
    const all = [...new Set(Array.from({ length: 400 }, somePath))];
    for (let i = 0; i < 10; i++) {
      const wanted = Array.from({ length: 1 + random.below(5) }, somePath);
      const { body, status } = await take(room, ann, wanted);
      expect([status, body.paths]).toEqual([201, leastPaths(wanted)]);
      const found = await check(room, { paths: all }, bob);
      const expected = all.filter((path) => body.paths.some((one) => overlap(one, path)));
      expect(found.body.held.map(({ path }) => path)).toEqual(expected);
      const free = all.find((path) => !expected.includes(path))!;
      const taken = expected[0]!;
      expect((await take(room, bob, [free, taken])).body.code).toBe("lease_held");
      expect((await list(room, `?prefix=${encodeURIComponent(taken)}`)).body.leases).toHaveLength(1);
      expect((await list(room, `?prefix=${encodeURIComponent(free)}`)).body.leases).toEqual([]);
      await breakLeases(room, body.paths);
    }
  });

  test("refuses what is no path, and says which one it is", async () => {
    const { status, body } = await take(room, ann, ["src", "a/../b", "a\nb"]);
    expect([status, body]).toMatchObject([
      422,
      { code: "invalid_fields", errors: [{ path: "/paths/1" }, { path: "/paths/2" }] },
    ]);
    for (const path of ["..", "a\u0000b", "a\nb"]) {
      const checked = await check(room, { paths: ["a"], fences: { [path]: 1 } });
      expect([path, checked.status]).toEqual([path, 422]);
    }
  });

  test("bounds the number of fences in one check", async () => {
    const fences = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`p${i}`, 1]));
    const { status, body } = await check(room, { paths: ["a"], fences });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: "/fences", message: "has more than 1000 members" }] });
  });

  test("takes a path in any spelling of the same text", async () => {
    const composed = await take(room, ann, "doc/caf\u00e9");
    expect(composed.status).toBe(201);
    expect((await take(room, bob, "./doc//cafe\u0301/menu/")).body).toMatchObject({
      code: "lease_held",
      path: "doc/caf\u00e9",
      holder: "ann",
    });
    expect(normal("doc/cafe\u0301")).toBe("doc/caf\u00e9");
  });
});
