/** The commands that take, extend, release and list leases. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { post } from "../../../support/http.ts";
import { newShell, useShell, type Shell } from "../../../support/shell.ts";

const used = useShell();
let bob: Shell;
let count = 0;
let room: string;

beforeAll(async () => {
  bob = newShell(used.service.url);
  await used.shell.run("name", "claim", "ada");
  await bob.run("name", "claim", "bob");
});
afterAll(() => bob.remove());
beforeEach(async () => {
  room = (await openRoom({ goal: `Leases ${++count}`, name: "Host" })).slug;
});

const openRoom = async (body: object) =>
  (await post<{ slug: string }>(`${used.service.url}/api/meet/rooms`, body)).body;
const json = ({ printed }: { printed: string }) => JSON.parse(printed) as Record<string, unknown>;
const ada = (...args: string[]) => used.shell.run("lease", ...args, "--room", room);
const asBob = (...args: string[]) => bob.run("lease", ...args, "--room", room);

/** The paths that are held, by holder. */
async function held(): Promise<Record<string, string[]>> {
  const { printed } = await ada("list", "--json");
  const leases = printed
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const holders: Record<string, string[]> = {};
  for (const { holder, paths } of leases) (holders[holder] ??= []).push(...paths);
  return holders;
}

test("takes paths, all or none, and says who holds one of them with status 5", async () => {
  const taken = await ada(
    "take",
    "src//a.ts/",
    "./issue/12",
    "--purpose",
    "Refactoring \u202e",
    "--ttl",
    "60",
  );
  expect(taken.status).toBe(3);
  const good = await ada("take", "src//a.ts/", "./issue/12", "--purpose", "Refactoring 'it'", "--ttl", "60");
  expect(good).toMatchObject({ status: 0, errors: "" });
  expect(good.printed).toMatch(/^lease 1, until [-\d]+T[\d:.]+Z:\n {4}issue\/12\n {4}src\/a\.ts\n$/);
  expect(await asBob("take", "other", "src")).toMatchObject({
    status: 5,
    printed: "",
    errors: expect.stringMatching(
      /^wharf: src\/a\.ts is held by ada until \S+Z, for "Refactoring 'it'"\. --wait SECONDS waits for it\.\n$/,
    ),
  });
  const refused = await asBob("take", "src", "--json");
  expect(refused).toMatchObject({ status: 5, errors: "" });
  expect(json(refused)).toMatchObject({ code: "lease_held", holder: "ada", path: "src/a.ts" });
  expect(await held()).toEqual({ ada: ["issue/12", "src/a.ts"] });
  const own = await ada("take", "src/a.ts");
  expect(own.status).toBe(5);
  expect(own.errors).toContain("src/a.ts is held by ada, your own name, until");
});

test("--wait gets what is released meanwhile, and ends with status 5 when the time is up", async () => {
  await ada("take", "src");
  const isInLine = async () => (await ada("list")).printed.includes("bob waits for");
  const in_vain = bob.start("lease", "take", "src/a", "--wait", "1", "--room", room);
  while (!(await isInLine())) await Bun.sleep(20);
  used.service.clock.advance(1);
  expect(await in_vain.ended).toMatchObject({ status: 5, printed: "" });
  used.service.clock.advance(60);
  expect(await isInLine()).toBe(false);
  const waiting = bob.start("lease", "take", "src/a", "--wait", "600", "--json", "--room", room);
  while (!(await isInLine())) await Bun.sleep(20);
  await ada("release", "1");
  const taken = await waiting.ended;
  expect(taken).toMatchObject({ status: 0, errors: "" });
  expect(json(taken)).toMatchObject({ paths: ["src/a"] });
});

describe("release", () => {
  test("gives back a lease by its number, or some of its paths", async () => {
    await ada("take", "a", "b");
    expect(await ada("release", "1", "a")).toMatchObject({ printed: "released:\n    a\n", status: 0 });
    expect(await held()).toEqual({ ada: ["b"] });
    expect(await ada("release", "1")).toMatchObject({ printed: "released:\n    b\n" });
    const lost = await ada("release", "1");
    expect(lost.status).toBe(3);
    expect(lost.errors).toContain("(lease_lost)");
  });

  test("finds the own leases on paths, and below them", async () => {
    await ada("take", "src/a", "src/b", "src-c");
    await ada("take", "src/d");
    await asBob("take", "src/e");
    expect(await ada("release", "src")).toMatchObject({ status: 0 });
    expect(await held()).toEqual({ ada: ["src-c"], bob: ["src/e"] });
    expect(await ada("release", "src/e")).toEqual({
      printed: "",
      errors: `wharf: You hold no lease of src/e in ${room}.\n`,
      status: 1,
    });
    expect((await ada("release", "src-c/x")).errors).toBe(
      "wharf: You hold src-c, with all that lies below it: release src-c.\n",
    );
    expect((await ada("release")).status).toBe(2);
  });
});

test("extend moves the end of a lease", async () => {
  const { until } = json(await ada("take", "a", "--ttl", "30", "--json"));
  const extended = json(await ada("extend", "1", "--ttl", "3600", "--json"));
  expect(Date.parse(String(extended["until"]))).toBeGreaterThan(Date.parse(String(until)) + 3_000_000);
});

test("list shows holders, purposes and the number of an own lease, and says if there is none", async () => {
  expect(await ada("list")).toEqual({
    printed: "",
    errors: `wharf: nothing is held in ${room}.\n`,
    status: 0,
  });
  await ada("take", "src", "--purpose", "Because");
  await asBob("take", "docs");
  const lines = (await ada("list")).printed.replace(/until \S+Z/g, "until then");
  expect(lines).toBe("ada, lease 1, until then:\n    src\n  for:\n    Because\nbob, until then:\n    docs\n");
  expect((await ada("list", "src/a")).printed).not.toContain("bob");
  // Also without a key.
  const anybody = newShell(used.service.url);
  expect((await anybody.run("lease", "list", "--room", room)).printed).toContain("ada, until");
  expect(await anybody.run("lease", "take", "x", "--room", room)).toMatchObject({ status: 2 });
  anybody.remove();
});

describe("with .wharf-leases.toml", () => {
  const folder = (name: string) => join(used.shell.directory, name);
  /** A repository with the file, and a folder in it. */
  function newTree(name: string, file: string): string {
    mkdirSync(join(folder(name), ".git"), { recursive: true });
    mkdirSync(join(folder(name), "src"));
    writeFileSync(join(folder(name), ".wharf-leases.toml"), file);
    return folder(name);
  }
  const runIn = (at: string, ...args: string[]) => used.shell.startIn(at, "lease", ...args).ended;

  test("paths are those from its folder, and the room is its room", async () => {
    const top = newTree("tree", `room = "${room}"`);
    symlinkSync(join(top, "src"), join(top, "link"));
    const taken = await runIn(join(top, "src"), "take", "new/a.ts", "../b.ts", "../link/c.ts", "--json");
    expect(json(taken)["paths"]).toEqual(["b.ts", "src/c.ts", "src/new/a.ts"]);
    expect((await runIn(join(top, "src"), "release", ".")).printed).toContain("src/new/a.ts");
    expect(await runIn(top, "take", "../other/x")).toMatchObject({ status: 2 });
    expect((await runIn(top, "take", "../other/x")).errors).toMatch(
      /^wharf: \.\.\/other\/x is outside \S+tree, the folder whose \.wharf-leases\.toml counts here\.\n$/,
    );
    expect((await runIn(top, "take", ".")).status).toBe(2);
  });

  test("a repository in another one has no file but its own", async () => {
    const top = newTree("outer", `room = "${room}"`);
    mkdirSync(join(top, "inner", ".git"), { recursive: true });
    expect((await runIn(join(top, "inner"), "take", "x")).errors).toBe(
      "wharf: name the room: --room, or room in .wharf-leases.toml.\n",
    );
  });

  test.each([
    ["romo = 1", ":1: there is no romo. It may have url, room, paths, auto, ttl_seconds."],
    ['room = "r"\n\nauto = "yes"', ":3: auto must be true or false."],
    ["ttl_seconds = 5", ":1: ttl_seconds must be a number of seconds from 30 to 86400."],
    ["room = ", " cannot be read: "],
  ])("a fault in %j is named with its line", async (text, says) => {
    const top = newTree(`broken-${++count}`, text);
    const { status, errors } = await runIn(top, "list");
    expect(status).toBe(2);
    expect(errors).toContain(`.wharf-leases.toml${says}`);
  });

  test("an address that only the repository names gets no key that is not saved for it", async () => {
    const requests: string[] = [];
    using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        requests.push(JSON.stringify(request.headers));
        return new Response("{}");
      },
    });
    const url = `http://127.0.0.1:${elsewhere.port}`;
    const top = newTree("elsewhere", `room = "${room}"\nurl = "${url}"`);
    const lines = { WHARF_URL: "", WHARF_NAME: "ada", WHARF_KEY: "wfk_secret" };
    const refused = await used.shell.startIn(top, lines, "lease", "take", "x").ended;
    expect(refused).toMatchObject({ status: 2, printed: "" });
    expect(refused.errors).toBe(
      `wharf: the repository names ${url}, for which no key is saved. If you trust it: 'wharf login --url ${url} --key -'.\n`,
    );
    expect(requests).toEqual([]);
  });
});
