/** A browser that gains rights has another cookie afterwards, so that nobody who gave it the former one gains them too. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { session_limits } from "../../src/sessions/limits.ts";
import { call } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, type TestService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";
import { stored, withStored } from "../support/stored.ts";

let service: TestService;
let mallory: Opened;
let mary: Holder;
let rooms = 0;
beforeAll(async () => {
  service = await startSource();
  mallory = await open(service.url, "A room of Mallory's");
  mary = await claim(service.url, "mary");
});
afterAll(() => service.stop());

/** A browser with a cookie that somebody else knows, who has begun its session as the host of a room. */
async function planted(): Promise<{ victim: Browser; attacker: Browser }> {
  const attacker = newBrowser(service.url);
  await attacker.post(`/meet/r/${mallory.slug}/host`, { host_key: mallory.host_key });
  expect(attacker.cookie).not.toBe("");
  const victim = newBrowser(service.url);
  victim.cookie = attacker.cookie;
  return { victim, attacker };
}

const closes = async (browser: Browser, slug: string): Promise<number> =>
  (await browser.post(`/meet/r/${slug}/close`, {})).status;

const ways: Record<string, (victim: Browser, name?: string) => Promise<string>> = {
  async "opening a room"(victim, name = "Victim") {
    const fields = { goal: `Opened ${++rooms} times`, name, once: Bun.randomUUIDv7() };
    const page = await victim.post("/meet", fields);
    expect(page.status).toBe(303);
    return /\/meet\/r\/([a-z0-9-]+)/.exec(page.headers.get("location")!)![1]!;
  },
  async "showing a host key"(victim) {
    const room = await open(service.url, `Shown ${++rooms} times`);
    expect((await victim.post(`/meet/r/${room.slug}/host`, { host_key: room.host_key })).status).toBe(303);
    return room.slug;
  },
};

test.each(Object.keys(ways))(
  "%s gives the browser another cookie, and ends the session of the former",
  async (way) => {
    const { victim, attacker } = await planted();
    const slug = await ways[way]!(victim);
    expect(victim.cookie).not.toBe(attacker.cookie);
    expect(await closes(attacker, slug)).toBe(401);
    expect(await closes(attacker, mallory.slug)).toBe(401);
    expect(await closes(victim, slug)).toBe(303);
  },
);

test.each([
  ["signing in", (victim: Browser) => victim.post("/signin", { name: mary.name, key: mary.key })],
  ["claiming a name", (victim: Browser) => victim.post("/claim", { name: `n${Date.now()}`, once: "a" })],
])("%s gives the browser another cookie, and ends the session of the former", async (_way, gain) => {
  const { victim, attacker } = await planted();
  expect((await gain(victim)).status).toBeLessThan(400);
  expect(victim.cookie).not.toBe(attacker.cookie);
  expect((await victim.get("/me")).status).toBe(200);
  expect((await attacker.get("/me")).status).toBe(401);
});

test("keeps the name and the rooms of the browser", async () => {
  const browser = await signedIn(service.url, mary);
  const first = await ways["showing a host key"]!(browser);
  const second = await ways["opening a room"]!(browser, "mary");
  expect((await browser.get("/me")).body).toContain("mary");
  expect(await closes(browser, first)).toBe(303);
  expect(await closes(browser, second)).toBe(303);
});

test("gives two presses of a button the same cookie", async () => {
  const browser = await signedIn(service.url, mary);
  const fields = { goal: "Pressed twice", name: "mary", once: Bun.randomUUIDv7() };
  const twin = newBrowser(service.url);
  twin.cookie = browser.cookie;
  const [one, two] = await Promise.all([browser.post("/meet", fields), twin.post("/meet", fields)]);
  expect([one.status, two.status, twin.cookie]).toEqual([303, 303, browser.cookie]);
  expect((await browser.get("/me")).status).toBe(200);
  expect((await call("GET", `${service.url}/api/meet/rooms/pressed-twice-2`)).status).toBe(404);
});

test("when there are too many, ends the oldest session without a name of the network that has most of them", async () => {
  const data_dir = newDirectory();
  const full = await startSource({ data_dir });
  const room = await open(full.url, "Full");
  const day = new Date(full.clock.now() + 86_400_000).toISOString().slice(0, 10);
  // The oldest are of a network each; then come those of two networks, one of which is not known.
  const max = session_limits.without_name_max;
  const groups = [
    ["other", 1, max - 5, "CAST(i AS TEXT)"],
    ["flood", max - 4, max - 2, "'203.0.113.0/24'"],
    ["unknown", max - 1, max, "NULL"],
  ] as const;
  await withStored(data_dir, async ({ run }) => {
    for (const [id, first, last, network] of groups)
      await run(
        `INSERT INTO sessions (id, cookie_sha256, created, used, expires, network) WITH RECURSIVE series (i) AS (SELECT ${first} ` +
          `UNION ALL SELECT i + 1 FROM series WHERE i < ${last}) SELECT '${id}' || (i - ${first - 1}), '${id}' || i, '', '', ` +
          `'${day}T00:00:00.' || (100000 + i) || 'Z', ${network} FROM series`,
      );
  });
  const idsOf = async () =>
    new Set((await stored(data_dir, "SELECT id FROM sessions WHERE name IS NULL")).map(({ id }) => id));
  const ended: unknown[] = [];
  for (const address of ["198.51.100.1", "198.51.101.1", "198.51.102.1", "198.51.103.1"]) {
    const before = await idsOf();
    expect(before.size).toBe(max);
    const fields = { host_key: room.host_key };
    const from = { "x-forwarded-for": address };
    expect((await newBrowser(full.url).post(`/meet/r/${room.slug}/host`, fields, from)).status).toBe(303);
    ended.push(...before.difference(await idsOf()));
  }
  expect(ended).toEqual(["flood1", "flood2", "unknown1", "other1"]);
  await full.stop();
  removeDirectory(data_dir);
});
