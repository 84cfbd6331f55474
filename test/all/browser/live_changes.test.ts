/** The page of an open room: redactions, the closing, and connections that are lost. */

import { describe, expect, test } from "bun:test";
import type { Post } from "../../../src/api/rooms/rooms.ts";
import { asOwner } from "../../support/admin.ts";
import { post } from "../../support/http.ts";
import { open } from "../../support/rooms.ts";
import { startSource } from "../../support/service.ts";
import { useBrowser } from "./support/browser.ts";
import { button, follow, isSamePage, long, numbers, roomWith, shiftsOf, toEnd } from "./support/live.ts";

const browser = useBrowser();

describe("what is taken away or ends", () => {
  test("a redacted post and its quotes lose their text, and nothing moves", async () => {
    const room = await roomWith(browser.wharf, [`A secret recipe. ${long}`, long, long]);
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

  test("the first post above a long thread, and what quotes it, lose their text; new posts are below the thread", async () => {
    const bodies = ["A secret question.", ...Array.from({ length: 54 }, (_, i) => `Post ${i + 2}.`)];
    const room = await roomWith(browser.wharf, bodies);
    const [first] = room.posts;
    await room.say("An answer to the question.", first!.id);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    expect(await page.getByText("A secret question.").count()).toBe(2);
    const live = await room.say("A live answer to it.", first!.id);
    await page.locator(`#posts > #p-${live.id} .quoted`).waitFor();
    expect(await page.getByText("A secret question.").count()).toBe(3);
    await room.redact(first!);
    await page.waitForFunction(() => !document.body.textContent!.includes("A secret question"));
    await page.locator(`#opening #p-${first!.id} > article .note`).waitFor();
    expect(await numbers(page)).toEqual(Array.from({ length: 51 }, (_, i) => i + 7));
    expect(await shiftsOf(page)).toBe(0);
    await page.reload();
    expect(await page.locator(`#posts > #p-${live.id}`).count()).toBe(1);
  });

  test("a post that waits for the button is redacted before it is shown", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 8 }, () => long),
    );
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

  test("what a post quotes that waits for the button is redacted before it is shown", async () => {
    const room = await roomWith(
      browser.wharf,
      Array.from({ length: 8 }, () => long),
    );
    let last = room.posts[0]!;
    for (let level = 1; level <= 6; level++) last = await room.say(`Level ${level}.`, last.id);
    const page = await browser.openPage();
    await follow(page, room.slug);
    const quoting = await room.say("It quotes.", last.id);
    await button(page).getByText("1 new post").waitFor();
    await room.redact(last);
    await page.locator(`#p-${last.id} > article .note`).waitFor({ state: "attached" });
    // The next post is fetched after what quotes the redacted one.
    await room.say("Another one.");
    await button(page).getByText("2 new posts").waitFor();
    await button(page).click();
    await page.locator(`#p-${quoting.id} .quoted`, { hasText: "redacted" }).waitFor();
    expect(await page.getByText("Level 6.").count()).toBe(0);
  });

  test("a post that is redacted while it is fetched appears without its text", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
    const page = await browser.openPage();
    await follow(page, room.slug);
    await toEnd(page);
    const [held_back, let_through] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/after/1", async (route) => {
      const response = await route.fetch();
      held_back.resolve();
      await let_through.promise;
      await route.fulfill({ response });
    });
    const said = await room.say("A secret.");
    await held_back.promise;
    const heard = page.evaluate(async (slug) => {
      const stream = new EventSource(`/api/meet/rooms/${slug}/stream?since=2`);
      await new Promise((resolve) => stream.addEventListener("redacted", resolve));
      stream.close();
    }, room.slug);
    await room.redact(said);
    await heard;
    let_through.resolve();
    await page.locator(`#p-${said.id} .note`).waitFor();
    expect(await page.getByText("A secret.").count()).toBe(0);
  });

  test("a post that the operator hides and restores has its text again, and so have its quotes", async () => {
    const service = await startSource();
    try {
      const room = await open(service.url, "What is hidden?");
      const say = async (body: string, in_reply_to: string | null = null) =>
        (await post<Post>(`${room.api}/posts`, { name: "grace", body, in_reply_to })).body;
      const hidden = await say("Hidden for a while.");
      let last = hidden;
      for (let level = 1; level <= 6; level++) last = await say(`Level ${level}.`, last.id);
      await say("It quotes.", last.id);
      const page = await browser.openPage({ at: service.url });
      const renewed: string[] = [];
      page.on("request", (request) => {
        const [, n] = /\/post\/(\d+)$/.exec(request.url()) ?? [];
        if (n) renewed.push(n);
      });
      await follow(page, room.slug);
      await toEnd(page);
      for (const { id, n, body } of [hidden, last]) {
        await asOwner(service, "POST", `/api/admin/posts/${id}/hide`, { reason: "To look at it." });
        await page.locator(`#p-${id} > article .note`).waitFor();
        expect(await page.getByText(body!).count()).toBe(0);
        await asOwner(service, "POST", `/api/admin/posts/${id}/restore`, { reason: "It is harmless." });
        await page.locator(`#p-${id} > article > .text`).waitFor();
        if (n === 7) await page.locator(".quoted q", { hasText: body! }).waitFor();
      }
      expect(await shiftsOf(page)).toBe(0);
      expect(renewed).toEqual(["1", "1", "7", "8", "7", "8"]);
      await say("A new one.");
      await page.getByText("A new one.").waitFor();
      expect(renewed.length).toBe(6);
    } finally {
      await service.stop();
    }
  });

  test("a closed room shows its last word and its banner in place of the form", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
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

  test("a closed room whose page cannot be fetched shows its banner at the next look, and looks no more", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
    const page = await browser.openPage({ allow: [/status 503/] });
    await page.clock.install();
    await follow(page, room.slug);
    await toEnd(page);
    await page.route("**/after/1", (route) => route.fulfill({ status: 503 }), { times: 1 });
    const failed = page.waitForResponse((response) => response.status() === 503);
    await room.close();
    await failed;
    await page.locator("#live .state", { hasText: "This room was closed." }).waitFor();
    await page.clock.runFor(30_000);
    await page.locator("#room-end .banner").waitFor();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.clock.runFor(60_000);
    expect(requests).toEqual([]);
  });

  test("a closed room keeps what somebody was writing, and does not take it", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
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
    const room = await roomWith(browser.wharf, ["One.", "Two."]);
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
    const room = await roomWith(browser.wharf, ["One."]);
    await browser.wharf.faults.add({ route: "GET /api/meet/rooms/{room}/stream", status: 503, times: 2 });
    const page = await browser.openPage({ allow: broken });
    await follow(page, room.slug);
    await toEnd(page);
    await room.say("Two.");
    await page.getByText("Two.").waitFor();
  });

  test("in which what an event is about cannot be fetched brings the event again", async () => {
    const room = await roomWith(browser.wharf, ["A secret.", "Two."]);
    const page = await browser.openPage({ allow: [/status 503: .*\/post\/1$/] });
    await follow(page, room.slug);
    await toEnd(page);
    await page.route("**/post/1", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await room.redact(room.posts[0]!);
    await room.say("Three.");
    await page.getByText("Three.").waitFor();
    await page.locator(`#p-${room.posts[0]!.id} > article .note`).waitFor();
    expect(await numbers(page)).toEqual([1, 2, 3]);
  });

  test("that is dead without notice is replaced after the next look", async () => {
    const room = await roomWith(browser.wharf, ["One."]);
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
