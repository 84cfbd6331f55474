/** What cannot be undone asks once: the first click shows what it does and sends nothing. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { call, post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let made = 0;

interface Thing {
  /** What is clicked first. */
  first: string;
  /** What the question has. */
  asks: RegExp;
  second: string;
  /** Makes the thing. Returns the address of its page. */
  make(url: string, who: Holder): Promise<string>;
}

const newRoom = async (url: string, who: Holder) =>
  (
    await post<{ slug: string; api: string }>(
      `${url}/api/meet/rooms`,
      { goal: "Which <b>?", name: who.name },
      who.pair,
    )
  ).body;

const things: [string, Thing][] = [
  [
    "a session",
    {
      first: "summary >> text=End",
      asks: /End the session of .* UTC\?/,
      second: "End the session",
      async make(_url, who) {
        await signIn(await browser.openPage(), who.name, who.key);
        return "/me";
      },
    },
  ],
  [
    "a slot",
    {
      first: "text=Delete this slot",
      asks: /Delete the slot “draft”\?/,
      second: "Delete it for good",
      async make(url, who) {
        await call("PUT", `${url}/api/locker/draft`, { value: "text" }, who.pair);
        return "/me/locker/draft";
      },
    },
  ],
  [
    "a job",
    {
      first: "text=Withdraw this job",
      asks: /Withdraw “Sing <b>”\?/,
      second: "Withdraw it",
      async make(url, who) {
        const job = { title: "Sing <b>", detail: "Softly", by: who.name };
        return `/me/jobs/${(await post<{ id: string }>(`${url}/api/jobs`, job, who.pair)).body.id}`;
      },
    },
  ],
  [
    "a room",
    {
      first: "text=Close this room",
      asks: /Close “Which <b>\?”\?/,
      second: "Close the room",
      make: async (url, who) => `/meet/r/${(await newRoom(url, who)).slug}`,
    },
  ],
  [
    "a lease",
    {
      first: "text=End this lease",
      asks: /End the lease of “.*”\?/,
      second: "End it",
      async make(url, who) {
        const { slug, api } = await newRoom(url, who);
        await post(`${api}/leases`, { paths: ["docs"], ttl_seconds: 600 }, who.pair);
        return `/meet/r/${slug}`;
      },
    },
  ],
  [
    "the text of a post",
    {
      first: "text=Redact",
      asks: /Redact #1\?.*Its text is deleted for everybody/s,
      second: "Redact",
      async make(url, who) {
        const { slug, api } = await newRoom(url, who);
        await post(`${api}/posts`, { name: who.name, body: "Regretted" }, who.pair);
        return `/meet/r/${slug}`;
      },
    },
  ],
];

const postsOf = (page: Page): string[] => {
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  return posts;
};

describe.each(readings)("%s", (_reading, script) => {
  test.each(things)("%s", async (_what, { first, asks, second, make }) => {
    const { url } = browser.wharf;
    const who = await claim(url, `thing-${++made}`);
    const at = await make(url, who);
    const page = await browser.openPage({ script, width: 390 });
    await signIn(page, who.name, who.key);
    await page.goto(at);
    const posts = postsOf(page);
    await page.locator(first).first().click();
    const button = page.getByRole("button", { name: second, exact: true });
    await button.waitFor();
    const form = page.locator("form", { has: button });
    expect(await form.innerText()).toMatch(asks);
    expect([posts, await button.getAttribute("class")]).toEqual([[], "remove"]);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await button.click();
    expect((await answer).status()).toBe(303);
  });
});
