/** A browser that gains rights has another cookie afterwards, so that nobody who gave it the former one gains them too. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { call } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type TestService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

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
