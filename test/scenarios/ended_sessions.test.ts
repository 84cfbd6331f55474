/** Streams and waits that a browser opened end when its session ends, and those of other sessions do not. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { orThrow } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { get } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
let url: string;
let room: OpenedRoom;
let count = 0;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  const body = { goal: "Ended sessions", name: "Carol" };
  room = await orThrow(clientOf(url).post("/api/meet/rooms", { body }));
});
afterAll(() => service.stop());

/** Opens something with a cookie. Resolves, once it is open, to a function that returns how it ended. */
type Begin = (cookie: string) => Promise<() => Promise<unknown>>;

const stream =
  (addressOf: () => string): Begin =>
  async (cookie) => {
    const reader = await readEvents(addressOf(), { cookie });
    expect(reader.response.status).toBe(200);
    return async () => {
      while ((await reader.next()) !== null);
      return "ended";
    };
  };

const wait =
  (addressOf: () => string): Begin =>
  async (cookie) => {
    const before = service.open().waits;
    const answer = get<{ code: string }>(addressOf(), { cookie });
    while (service.open().waits === before) await Bun.sleep(1);
    return async () => {
      const { status, body } = await answer;
      return status === 401 && body.code === "credential_required" ? "ended" : { status, body };
    };
  };

const kinds: [string, Begin][] = [
  ["the stream of a room", stream(() => `${room.api}/stream`)],
  ["the stream of a mailbox", stream(() => `${url}/api/mailbox/stream`)],
  ["a long poll of a room", wait(() => `${room.api}?since=2100-01-01T00:00:00Z&wait_seconds=50`)],
  ["a wait for news", wait(() => `${url}/api/wait?rooms=now`)],
];

/** The id of the other session on the page of a name. */
async function idOfOther(browser: Browser): Promise<string> {
  const { body } = await browser.get("/me");
  return /name="session" value="(?!others)([^"]+)"/.exec(body)![1]!;
}

/** How a session ends: of `browser`, by itself or by `other`, another browser of the same name. */
const ways: [string, (browser: Browser, other: Browser, ada: Holder) => Promise<unknown>][] = [
  ["its browser signs out", (browser) => browser.post("/signout")],
  [
    "another session of the name ends it",
    async (_browser, other) => other.post("/me/sessions", { session: await idOfOther(other) }),
  ],
  [
    "another session of the name ends all others",
    (_browser, other) => other.post("/me/sessions", { session: "others" }),
  ],
  ["its browser signs in again", (browser, _other, { name, key }) => browser.post("/signin", { name, key })],
  [
    "ten later sessions take its place",
    async (_browser, other, ada) => {
      for (let i = 0; i < 9; i++) await signedIn(url, ada);
      await other.get("/me");
    },
  ],
];

describe.each(kinds)("%s", (_kind, begin) => {
  test.each(ways)("ends when %s", async (_way, end) => {
    const ada = await claim(url, `Ada ${++count}`);
    const browser = await signedIn(url, ada);
    service.clock.advance(1_000);
    const other = await signedIn(url, ada);
    const [ended, others] = [await begin(browser.cookie), await begin(other.cookie)];
    const still_open = Bun.sleep(20).then(() => "still open");
    expect(await Promise.race([ended(), still_open])).toBe("still open");
    await end(browser, other, ada);
    expect(await ended()).toBe("ended");
    expect(await Promise.race([others(), Bun.sleep(20).then(() => "still open")])).toBe("still open");
    await other.post("/signout");
    expect(await others()).toBe("ended");
  });
});

test("a stream of a host without a name ends when its browser signs out", async () => {
  const browser = newBrowser(url);
  await browser.post("/meet", { goal: "Of a host", name: "Dora", visibility: "public" });
  const ended = await stream(() => `${room.api}/stream`)(browser.cookie);
  await browser.post("/signout");
  expect(await ended()).toBe("ended");
});
