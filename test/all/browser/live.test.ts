/** The page of an open room: what others do appears by itself, and nothing moves while one reads. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import { useBrowser } from "./support/browser.ts";
import { countShifts, hide, shiftsOf } from "./support/live.ts";

const browser = useBrowser();

interface Said {
  id: string;
  n: number;
}
const long = "It takes some lines to say what one has to say, so that a page of it is long. ".repeat(4);

/** A room with these posts. */
async function roomWith(bodies: string[], goal = "Who brings what?") {
  const client = browser.wharf.client();
  const { slug, host_key } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name: "ada" } }));
  const path = { room: slug };
  const headers = { "x-meet-key": host_key! };
  const room = {
    slug,
    say: async (body: string, in_reply_to: string | null = null): Promise<Said> =>
      orThrow(
        client.post("/api/meet/rooms/{room}/posts", { path, body: { name: "grace", body, in_reply_to } }),
      ),
    redact: ({ id }: Said) =>
      orThrow(client.delete("/api/meet/rooms/{room}/posts/{id}", { path: { room: slug, id }, headers })),
    close: (last_word?: string) =>
      orThrow(
        client.post("/api/meet/rooms/{room}/close", {
          path,
          headers,
          body: last_word ? { last_word, name: "ada" } : {},
        }),
      ),
    posts: [] as Said[],
  };
  for (const body of bodies) room.posts.push(await room.say(body));
  return room;
}

/** The page of a room that is live. It counts what moves. */
async function follow(page: Page, slug: string): Promise<void> {
  await countShifts(page);
  await page.goto(`/meet/r/${slug}`);
  await page.locator("#live[data-state=live]").waitFor();
  await page.evaluate(() => void Object.assign(window, { not_reloaded: true }));
}

const isSamePage = (page: Page): Promise<boolean> => page.evaluate(() => "not_reloaded" in window);
const toEnd = (page: Page) =>
  page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
const button = (page: Page) => page.locator("#live button");
const numbers = (page: Page) =>
  page
    .locator("#posts .post")
    .evaluateAll((posts) => posts.map((post) => Number((post as HTMLElement).dataset.n)));

describe("a new post", () => {
  test("appears at the end without a reload, and what one reads does not move", async () => {
    const room = await roomWith(["The first."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    await room.say("Bread, from me.");
    await page.getByText("Bread, from me.").waitFor();
    expect(await isSamePage(page)).toBe(true);
    expect(await page.title()).not.toStartWith("(");
    expect(await page.locator("#thread").textContent()).toBe("Posts 1 to 2");
    expect(await page.locator("#live .heard").textContent()).toBe("New posts up to number 2.");
    expect(await shiftsOf(page)).toBe(0);
  });

  test("is the first one of a room, and moves nothing on a page that fits into the window", async () => {
    const room = await roomWith([]);
    const page = await browser.openPage({ context: { viewport: { width: 1280, height: 1600 } } });
    await follow(page, room.slug);
    await room.say("The first.");
    await page.getByText("The first.").waitFor();
    expect(await page.locator("main .empty").count()).toBe(0);
    expect(await shiftsOf(page)).toBe(0);
  });

  test("is below the post that it answers, and without a quote", async () => {
    const room = await roomWith(["One.", "Two."]);
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
    const room = await roomWith(["Level 0."]);
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
    const room = await roomWith(Array.from({ length: 12 }, (_, i) => `${i + 1}. ${long}`));
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

  test("that answers a post far above is counted, although one reads at the end", async () => {
    const room = await roomWith(Array.from({ length: 12 }, (_, i) => `${i + 1}. ${long}`));
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
    const room = await roomWith(["One."]);
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
    const room = await roomWith(Array.from({ length: 5 }, () => long));
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
    const room = await roomWith(["One."]);
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

describe("what is taken away or ends", () => {
  test("a redacted post and its quotes lose their text, and nothing moves", async () => {
    const room = await roomWith([`A secret recipe. ${long}`, long, long]);
    const [secret] = room.posts;
    let last = secret!;
    for (let level = 1; level <= 6; level++) last = await room.say(`Level ${level}.`, last.id);
    const deepest = await room.say("Another secret.", last.id);
    await room.say("It quotes.", deepest.id);
    const page = await browser.openPage();
    await follow(page, room.slug);
    expect(await page.getByText("Another secret.").count()).toBe(2);
    await room.redact(secret!);
    await page.locator(`#p-${secret!.id} > article .note`).waitFor();
    expect(await page.getByText("A secret recipe").count()).toBe(0);
    await room.redact(deepest);
    await page.waitForFunction(() => !document.body.textContent!.includes("Another secret"));
    expect(await page.locator(".quoted", { hasText: "redacted" }).count()).toBe(1);
    expect(await shiftsOf(page)).toBe(0);
  });

  test("a post that waits for the button is redacted before it is shown", async () => {
    const room = await roomWith(Array.from({ length: 8 }, () => long));
    const page = await browser.openPage();
    await follow(page, room.slug);
    const said = await room.say("Nobody has read this.");
    await button(page).getByText("1 new post").waitFor();
    const renewed = page.waitForResponse((response) => response.url().endsWith(`/post/${said.n}`));
    await room.redact(said);
    await (await renewed).finished();
    await button(page).click();
    await page.locator(`#p-${said.id} .note`).waitFor();
    expect(await page.getByText("Nobody has read this.").count()).toBe(0);
  });

  test("a closed room shows its last word and its banner in place of the form", async () => {
    const room = await roomWith(["One."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await room.close("That was all.");
    await page.locator("#room-end .banner").waitFor();
    await page.getByText("That was all.").waitFor();
    await page.locator("#room-about .badge", { hasText: "closed" }).waitFor();
    expect(await page.locator("#live .state").textContent()).toBe("This room was closed.");
    expect(await page.locator("[name=body]").count()).toBe(0);
    expect((await browser.wharf.state()).open.streams).toBe(0);
  });

  test("a closed room keeps what somebody was writing, and does not take it", async () => {
    const room = await roomWith(["One."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await page.locator("[name=body]").fill("Too late");
    await room.close();
    await page.locator("#room-end .banner").waitFor();
    expect(await page.locator("[name=body]").inputValue()).toBe("Too late");
    expect(await page.locator("form:has([name=body]) button").isDisabled()).toBe(true);
  });
});

describe("a connection", () => {
  const broken = [/failed: .*\/(stream|after)/, /status 503: .*\/(stream|after)/];

  test("that is lost is announced, and found without a gap", async () => {
    const room = await roomWith(["One.", "Two."]);
    const page = await browser.openPage({ allow: [...broken, /ERR_INTERNET_DISCONNECTED/] });
    await follow(page, room.slug);
    await toEnd(page);
    await browser.wharf.faults.add({
      route: "GET /api/meet/rooms/{room}/stream",
      drop: true,
      when: "before",
      times: 2,
    });
    await page.context().setOffline(true);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByText("Not live. Reconnecting …").waitFor();
    await room.say("Three.");
    await room.redact(room.posts[0]!);
    await room.say("Four.");
    await page.context().setOffline(false);
    await page.getByText("Four.").waitFor();
    await page.locator(`#p-${room.posts[0]!.id} > article .note`).waitFor();
    await page.locator("#live[data-state=live]").waitFor();
    expect(await numbers(page)).toEqual([1, 2, 3, 4]);
    expect(await isSamePage(page)).toBe(true);
  });

  test("that is refused is tried again, though browsers give up", async () => {
    const room = await roomWith(["One."]);
    await browser.wharf.faults.add({ route: "GET /api/meet/rooms/{room}/stream", status: 503, times: 2 });
    const page = await browser.openPage({ allow: broken });
    await follow(page, room.slug);
    await toEnd(page);
    await room.say("Two.");
    await page.getByText("Two.").waitFor();
  });

  test("that is dead without notice is replaced after the next look", async () => {
    const room = await roomWith(["One."]);
    const page = await browser.openPage();
    await page.clock.install();
    await page.addInitScript(() => {
      // Streams without events.
      EventSource.prototype.addEventListener = () => {};
    });
    await follow(page, room.slug);
    await toEnd(page);
    await room.say("Two.");
    const reopened = page.waitForRequest((request) => request.url().includes("/stream?since="));
    await page.clock.runFor(30_000);
    await page.getByText("Two.").waitFor();
    await reopened;
  });
});

test("the page says how many others wait, and not that it waits itself", async () => {
  const room = await roomWith(["One."]);
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
  await waiting.getByText("1 other is waiting here").waitFor();
  leaving.abort();
  await following;
  while ((await browser.wharf.state()).open.streams > 1) await Bun.sleep(5);
  await page.clock.runFor(30_000);
  await page.waitForFunction(() => document.querySelector(".waiting")!.textContent === "");
});

test("the page loads without a shift, although its times become relative", async () => {
  const room = await roomWith(["One."], "Which season is the best one for a long walk?");
  const page = await browser.openPage({ width: 390 });
  await page.clock.setFixedTime((await browser.wharf.state()).now);
  await follow(page, room.slug);
  expect(await page.locator("#room-about time").textContent()).toMatch(/now|moment/);
  expect(await shiftsOf(page)).toBe(0);
});

test("an earlier page and a closed room are complete without a stream", async () => {
  const room = await roomWith(["One.", "Two."]);
  const page = await browser.openPage();
  await page.goto(`/meet/r/${room.slug}?before=2`);
  expect(await page.locator("#live").count()).toBe(0);
  await room.close();
  await page.goto(`/meet/r/${room.slug}`);
  expect(await page.locator("#live").count()).toBe(0);
  expect((await browser.wharf.state()).open.streams).toBe(0);
});

test("without scripts the page says how to see new posts", async () => {
  const room = await roomWith(["One."]);
  const page = await browser.openPage({ script: false });
  await page.goto(`/meet/r/${room.slug}`);
  await page.getByText("Reload this page to see new posts.").waitFor();
  expect(await button(page).isVisible()).toBe(false);
});
