/** The page of an open room: what others post appears by itself, and nothing moves while one reads. */

import { describe, expect, test } from "bun:test";
import { claim } from "../../support/names.ts";
import { readEvents } from "../../support/sse.ts";
import { useBrowser } from "./support/browser.ts";
import {
  button,
  follow,
  hide,
  isSamePage,
  long,
  numbers,
  roomWith,
  shiftsOf,
  toEnd,
} from "./support/live.ts";

const browser = useBrowser();

describe("a new post", () => {
  test("appears at the end without a reload, and what one reads does not move", async () => {
    const room = await roomWith(browser.wharf, ["The first."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    await room.say("Bread, from me.");
    await page.getByText("Bread, from me.").waitFor();
    expect(await isSamePage(page)).toBe(true);
    expect(await page.title()).not.toStartWith("(");
    expect(await page.locator("#thread").textContent()).toBe("Posts");
    expect(await page.locator("#live .heard").textContent()).toBe("New posts up to number 2.");
    expect(await shiftsOf(page)).toBe(0);
  });

  test("is the first one of a room, and moves nothing on a page that fits into the window", async () => {
    const room = await roomWith(browser.wharf, []);
    const page = await browser.openPage({ context: { viewport: { width: 1280, height: 1600 } } });
    await follow(page, room.slug);
    await room.say("The first.");
    await page.getByText("The first.").waitFor();
    expect(await page.locator("main .empty").count()).toBe(0);
    expect(await shiftsOf(page)).toBe(0);
  });

  test("is below the post that it answers, and without a quote", async () => {
    const room = await roomWith(browser.wharf, ["One.", "Two."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    const [one] = room.posts;
    await room.say("To the first.", one!.id);
    const replies = page.locator(`#p-${one!.id} > details > .replies > .post`);
    await replies.getByText("To the first.").waitFor();
    expect(await replies.locator(".quoted").count()).toBe(0);
    expect(await page.locator(`#p-${one!.id} > details > summary`).textContent()).toBe("1 reply");
    await room.say("To the first, too.", one!.id);
    await page.getByText("To the first, too.").waitFor();
    expect(await page.locator(`#p-${one!.id} > details > summary`).textContent()).toBe("2 replies");
    // The page made afresh has the same structure.
    const live = await numbers(page);
    await page.reload();
    expect(await numbers(page)).toEqual(live);
  });

  test("is beside the deepest level of replies, with a quote", async () => {
    const room = await roomWith(browser.wharf, ["Level 0."]);
    let last = room.posts[0]!;
    for (let level = 1; level <= 6; level++) last = await room.say(`Level ${level}.`, last.id);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    const deeper = await room.say("Level 7.", last.id);
    const post = page.locator(`#p-${deeper.id}`);
    await post.locator(".quoted", { hasText: "Level 6." }).waitFor();
    const parentOf = () => post.evaluate((element) => element.parentElement!.closest(".post")!.id);
    const live = await parentOf();
    await page.reload();
    expect(await parentOf()).toBe(live);
  });

  test("waits for a button while one reads elsewhere, and the title counts", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 12 }, (_, i) => `${i + 1}. ${long}`),
    );
    const page = await browser.openPage({ width: 390 });
    await follow(page, room.slug);
    const title = await page.title();
    const first = await room.say("A new one.");
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    await room.say("An answer to the new one.", first.id);
    await button(page).getByText("2 new posts").waitFor();
    expect(await page.title()).toBe(`(2) ${title}`);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await shiftsOf(page)).toBe(0);

    await button(page).click();
    await page.waitForFunction((ended) => document.title === ended, title);
    expect(await page.locator(`#p-${first.id}:target`).count()).toBe(1);
    expect(await button(page).isVisible()).toBe(false);
    expect(await numbers(page)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
  });

  test("is fetched after the button has placed the posts before it, also in a room that was closed", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 8 }, () => long),
    );
    const page = await browser.openPage({ context: { reducedMotion: "reduce" } });
    await follow(page, room.slug);
    // The page fetches 200 to 249 that wait for the button, and then no further ones.
    for (let n = 9; n <= 260; n++) await room.say(`Post ${n}.`);
    await room.close("The last word.");
    await page.locator("#room-end .banner").waitFor({ state: "attached" });
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const fetched = page.waitForResponse((response) => response.url().includes("/after/"));
    await button(page).click();
    const first = page.locator(".post:target");
    const top = () => first.evaluate((post) => post.getBoundingClientRect().top);
    const before = await top();
    await (await fetched).finished();
    expect(await top()).toBe(before);
    await page.waitForFunction(() => {
      document.querySelector<HTMLElement>("#live button")!.click();
      return document.querySelectorAll("#posts .post").length === 261;
    });
    expect(await numbers(page)).toEqual(Array.from({ length: 261 }, (_, i) => i + 1));
    await toEnd(page);
    await page.getByText("The last word.").waitFor();
  });

  test("that answers a post far above is counted, although one reads at the end", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 12 }, (_, i) => `${i + 1}. ${long}`),
    );
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    const reply = await room.say("Far above.", room.posts[0]!.id);
    await button(page).getByText("1 new post").waitFor();
    expect(await shiftsOf(page)).toBe(0);
    await button(page).click();
    await page.locator(`#p-${reply.id}:target`).waitFor();
    await button(page).waitFor({ state: "hidden" });
  });

  test("has times and copy buttons that work like those of the page", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
    const page = await browser.openPage({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await follow(page, room.slug);
    await toEnd(page);
    const said = await room.say("```\nlet x = 1;\n```");
    const post = page.locator(`#p-${said.id}`);
    await post.locator("[data-copy]").click();
    await post.getByText("Copied").waitFor();
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe("let x = 1;");
    expect(await post.locator("time").getAttribute("title")).toContain("T");
  });

  test("keeps what one writes, and the form where it is", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 5 }, () => long),
    );
    const page = await browser.openPage();
    await follow(page, room.slug);
    await page.locator("[name=body]").fill("Half a sentence");
    await toEnd(page);
    const top = () => page.locator("[name=body]").evaluate((field) => field.getBoundingClientRect().top);
    const before = await top();
    await room.say(long);
    await page.waitForFunction(() => document.querySelectorAll("#posts .post").length === 6);
    expect(await top()).toBeCloseTo(before, 0);
    expect(await page.locator("[name=body]").inputValue()).toBe("Half a sentence");
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).name)).toBe("body");
  });
});

describe("a page that is hidden", () => {
  test("closes its stream, counts in the title, and shows the new posts when it is shown again", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
    const page = await browser.openPage();
    await page.clock.install();
    await follow(page, room.slug);
    await hide(page, true);
    while ((await browser.wharf.state()).open.streams > 0) await Bun.sleep(5);
    await room.say("While nobody looks.");
    await room.say("And another.");
    await page.clock.runFor(30_000);
    await page.waitForFunction(() => document.title.startsWith("(2) "));
    expect(await numbers(page)).toEqual([1]);
    await hide(page, false);
    await page.locator("#live[data-state=live]").waitFor();
    await room.say("Now somebody looks.");
    await page.getByText("Now somebody looks.").waitFor();
    await page.waitForFunction(() => !document.title.startsWith("("));
    expect(await numbers(page)).toEqual([1, 2, 3, 4]);
  });
});

test("the page says how many others wait, and not that it waits itself", async () => {
  const room = await roomWith(browser.wharf, ["One."]);
  const page = await browser.openPage();
  await page.clock.install();
  await follow(page, room.slug);
  const waiting = page.locator("#live .waiting");
  expect(await waiting.textContent()).toBe("");
  const leaving = new AbortController();
  const events = browser.wharf
    .client()
    .follow("/api/meet/rooms/{room}/stream", { path: { room: room.slug }, signal: leaving.signal });
  const following = events[Symbol.asyncIterator]()
    .next()
    .catch(() => {});
  while ((await browser.wharf.state()).open.streams < 2) await Bun.sleep(5);
  await page.clock.runFor(30_000);
  await waiting.getByText("1 other follows the room").waitFor();
  expect(await waiting.textContent()).toBe("1 other follows the room");
  const { pair } = await claim(browser.wharf.url, "hedy");
  const by_key = await readEvents(`${browser.wharf.url}/api/meet/rooms/${room.slug}/stream`, pair);
  await page.clock.runFor(30_000);
  await waiting.getByText("2 others follow the room, by their keys: hedy").waitFor();
  await by_key.close();
  leaving.abort();
  await following;
  while ((await browser.wharf.state()).open.streams > 1) await Bun.sleep(5);
  await page.clock.runFor(30_000);
  await page.waitForFunction(() => document.querySelector(".waiting")!.textContent === "");
});

test("the page loads without a shift, although its times become relative", async () => {
  const room = await roomWith(browser.wharf, ["One."], "Which season is the best one for a long walk?");
  const page = await browser.openPage({ width: 390 });
  await page.clock.setFixedTime((await browser.wharf.state()).now);
  await follow(page, room.slug);
  expect(await page.locator("#room-about time").textContent()).toMatch(/now|moment/);
  expect(await shiftsOf(page)).toBe(0);
});

test("an earlier page and a closed room are complete without a stream", async () => {
  const room = await roomWith(browser.wharf, ["One.", "Two."]);
  const page = await browser.openPage();
  await page.goto(`/meet/r/${room.slug}?before=2`);
  expect(await page.locator("#live").count()).toBe(0);
  await room.close();
  await page.goto(`/meet/r/${room.slug}`);
  expect(await page.locator("#live").count()).toBe(0);
  expect((await browser.wharf.state()).open.streams).toBe(0);
});

test("without scripts the page says how to see new posts", async () => {
  const room = await roomWith(browser.wharf, ["One."]);
  const page = await browser.openPage({ script: false });
  await page.goto(`/meet/r/${room.slug}`);
  await page.getByText("Reload this page to see new posts.").waitFor();
  expect(await button(page).isVisible()).toBe(false);
});
