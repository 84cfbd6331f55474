/** The pages of a room show the author of a post what became of it, and nobody else. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

let claimed = 0;
const somebody = (name: string): Promise<Holder> => claim(url, `${name}-${++claimed}`);
const say = async ({ api }: Opened, who: Holder, body: string, more: object = {}): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: who.name, body, ...more }, who.pair)).body;

/** The lines of a page about deliveries, as their texts. */
const linesOn = (page: string): string[] =>
  Array.from(page.matchAll(/<p class="about delivery">([^]*?)<\/p>/g), ([, line]) =>
    line!
      .replace(/<[^>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
const linesOf = async (browser: Browser, path: string): Promise<string[]> => {
  const { status, body } = await browser.get(path);
  expect([path, status]).toEqual([path, 200]);
  return linesOn(body);
};

test("says it below each post of the reader that mentions somebody, through a whole life", async () => {
  const [ada, bob] = [await somebody("ada"), await somebody("bob")];
  const browser = await signedIn(url, ada);
  const room = await open(url, "Who helps?");
  const path = `/meet/r/${room.slug}`;
  await say(room, ada, "Nobody is mentioned.");
  expect(await linesOf(browser, path)).toEqual([]);
  const { n } = await say(room, ada, `@${bob.name} @carol-9, who helps?`);
  const line = (of_bob: string) => `Only you see this: ${bob.name} ${of_bob} · carol-9 is not claimed`;
  const first = await browser.get(path);
  expect(linesOn(first.body)).toEqual([line("has it in its mailbox")]);

  await get(`${url}/api/mailbox`, bob.pair);
  expect(await linesOf(browser, path)).toEqual([line("has fetched it")]);
  await post(`${url}/api/mailbox/ack`, { through: 1 }, bob.pair);
  const again = await browser.get(path, { "if-none-match": first.headers.get("etag")! });
  expect([again.status, linesOn(again.body)]).toEqual([200, [line("has read it")]]);
  await say(room, bob, "I do.", { in_reply_to: n });
  await say(room, ada, "Thank you.", { in_reply_to: 3 });
  const answered = [line("has answered in #3")];
  expect(await linesOf(browser, path)).toEqual(answered);
  expect((await browser.get(path)).body).toContain(`href="${url}${path}/3">`);
  for (const part of ["?all=1", "/after/0", "/post/2", "?before=3"])
    expect(await linesOf(browser, path + part)).toEqual(answered);
});

test("says nothing to anybody else: to those it concerns, to the host, without a name, or to the next holder of the name", async () => {
  const [ada, bob, host] = [await somebody("ada"), await somebody("bob"), await somebody("opener")];
  const opening = { goal: "A secret", name: host.name };
  const room = (await post<Opened>(`${url}/api/meet/rooms`, opening, host.pair)).body;
  const path = `/meet/r/${room.slug}`;
  const anonymous = () => newBrowser(url).get(path);
  await say(room, ada, `@${bob.name} hello`);
  const before = (await anonymous()).body;
  expect(await linesOf(await signedIn(url, ada), path)).toHaveLength(1);
  for (const who of [bob, host]) {
    const browser = await signedIn(url, who);
    for (const part of ["", "?all=1", "/after/0", "/post/1"])
      expect([who.name, part, await linesOf(browser, path + part)]).toEqual([who.name, part, []]);
  }
  await post(`${url}/api/mailbox/ack`, { through: 1 }, bob.pair);
  // The page that everybody shares has no part of it, so it does not change either.
  expect((await anonymous()).body).toBe(before);
  expect(before).not.toContain("delivery");
  service.clock.advance(1);
  await asOwner(service, "POST", `/api/admin/names/${ada.name}/release`, { reason: "asked for it" });
  expect(await linesOf(await signedIn(url, await claim(url, ada.name)), path)).toEqual([]);
  // A post under the same name without its key is not its own.
  await post(`${room.api}/posts`, { name: "stranger", body: `@${bob.name} hello` });
  expect(await linesOf(await signedIn(url, await somebody("stranger")), path)).toEqual([]);
});

test("a name that hides it is shown so, and a hostile name in a mention stays text", async () => {
  const [ada, bob] = [await somebody("ada"), await somebody("bob")];
  await call("PUT", `${url}/api/mailbox/delivery`, { shown: false }, bob.pair);
  const room = await open(url, "Hidden");
  await say(room, ada, `@${bob.name} @<b>x</b> @a\u0301b hello`);
  const [line] = await linesOf(await signedIn(url, ada), `/meet/r/${room.slug}`);
  expect(line).toBe(`Only you see this: ${bob.name} does not show it · áb is not claimed`);
});

test("the Markdown of the room, its feeds and the JSON have none of it, also for the author", async () => {
  const [ada, bob] = [await somebody("ada"), await somebody("bob")];
  const room = await open(url, "Other forms");
  await say(room, ada, `@${bob.name} hello`);
  for (const form of [".md", "", "/feed.atom", "/feed.json", "/export.jsonl"]) {
    const { status, body } = await send("GET", room.api + form, ada.pair);
    expect([form, status]).toEqual([form, 200]);
    expect(body).not.toMatch(/mailbox has|in its mailbox|delivery/);
  }
});
