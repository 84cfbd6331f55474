/** What people do on pages, with scripts and without: they open a room, post, reply, are refused, find and read. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser();

/** Opens a room by the API; resolves to its path. */
async function roomOf(goal: string, ...posts: string[]): Promise<string> {
  const client = browser.wharf.client();
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name: "ada" } }));
  const path = { room: slug };
  for (const body of posts) {
    await orThrow(client.post("/api/meet/rooms/{room}/posts", { path, body: { name: "bob", body } }));
  }
  return `/meet/r/${slug}`;
}

async function speak(page: Page, name: string, body: string): Promise<void> {
  await page.locator("#speak [name=name]").fill(name);
  await page.locator("#speak [name=body]").fill(body);
  await page.locator("#speak button.main").click();
}

describe.each(readings)("%s", (title, script) => {
  test("opens a room and posts in it", async () => {
    const page = await browser.openPage({ script });
    await page.goto("/meet");
    await page.locator("[name=goal]").fill("Plan the picnic");
    await page.locator("[name=name]").fill("ada");
    await page.locator("form:has([name=goal]) button[type=submit]").click();
    await page.locator("main a[href*='/meet/r/']").first().click();
    await speak(page, "ada", "I bring the **bread**.");
    await page.locator("li.post strong", { hasText: "bread" }).waitFor();
    expect(await page.title()).toContain("Plan the picnic");
  });

  test("replies to a post: the reply is below it, and the page shows it", async () => {
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(await roomOf("Replies", "First", "Second"));
    await page.getByRole("link", { name: "Reply to #1" }).click();
    await speak(page, "cleo", "An answer to the first");
    const reply = page.locator("li.post:has(> article:has-text('First')) ol.replies li.post");
    await reply.waitFor();
    expect(await reply.textContent()).toContain("An answer to the first");
    expect(await page.evaluate(() => location.hash)).toStartWith("#p-");
  });

  test("a refused post keeps its text, and the focus is on the message, in view, beside its field", async () => {
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(await roomOf("Refused", ...Array.from({ length: 30 }, (_, i) => `Post ${i}`)));
    await page.locator("#speak [name=body]").evaluate((field) => field.removeAttribute("maxlength"));
    const text = "Much too long. ".repeat(300);
    await speak(page, "cleo", text);
    const fault = page.locator("#speak .fault");
    await fault.waitFor();
    expect(await fault.innerText()).toBe("Your post is 4,500 characters long; at most 4,000 fit.");
    expect((await page.locator("#speak [name=body]").inputValue()).trim()).toBe(text.trim());
    expect(await page.locator("#speak [name=name]").inputValue()).toBe("cleo");
    expect(await fault.evaluate((element) => element === document.activeElement)).toBe(true);
    const { y } = (await fault.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(900);
    const described = await page.locator("#speak [name=body]").getAttribute("aria-describedby");
    expect(described).toContain("body-fault");
  });

  test("a post under a claimed name is refused at the field of the name, with a link to sign in and come back", async () => {
    const name = `claimed-${title.split(" ")[0]}`;
    await orThrow(browser.wharf.client().post("/api/name", { body: { name } }));
    const path = await roomOf("Whose name?", "First");
    const page = await browser.openPage({ script });
    await page.goto(path);
    await speak(page, name, "Is this me?");
    const fault = page.locator("#speak .fault");
    await fault.waitFor();
    expect(await fault.innerText()).toBe(
      `${name} belongs to somebody. If it is you, sign in; else choose another name.`,
    );
    expect(await page.locator("#speak [name=name]").getAttribute("aria-describedby")).toContain("name-fault");
    expect(await fault.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await page.locator("#speak [name=body]").inputValue()).trim()).toBe("Is this me?");
    await fault.getByRole("link", { name: "sign in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.locator("main [name=next]").inputValue()).toBe(`${path}#speak`);
  });

  test("a name that is too long is refused, not cut, and the form says how long it may be", async () => {
    const page = await browser.openPage({ script });
    await page.goto(await roomOf("Long names", "First"));
    expect(await page.locator("#name-about").innerText()).toContain("At most 80 characters.");
    const name = "n".repeat(81);
    await page.locator("#speak [name=name]").pressSequentially(name);
    await page.locator("#speak [name=body]").fill("Who?");
    await page.locator("#speak button.main").click();
    const fault = page.locator("#speak .fault");
    await fault.waitFor();
    expect(await fault.innerText()).toBe("Your name is 81 characters long; at most 80 fit.");
    expect(await page.locator("#speak [name=name]").inputValue()).toBe(name);
  });

  test("a reason that is too long is not sent, and not cut", async () => {
    const page = await browser.openPage({ script });
    await page.goto(`${await roomOf("Reports", "First")}?report=1`);
    const reason = page.locator("#report [name=reason]");
    await reason.pressSequentially("r".repeat(501));
    await page.locator("#report button.main").click();
    expect(await reason.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
    expect((await reason.inputValue()).length).toBe(501);
    await reason.fill("Spam.");
    await page.locator("#report button.main").click();
    await page.waitForURL(/\/report$/);
  });

  test("a permalink shows its post in view, also on an earlier page", async () => {
    const path = await roomOf("Links", ...Array.from({ length: 70 }, (_, i) => `Number ${i + 1}.`));
    const page = await browser.openPage({ script, context: { reducedMotion: "reduce" } });
    for (const n of [5, 65]) {
      await page.goto(`${path}/${n}`);
      const target = page.locator(":target");
      expect(await target.textContent()).toContain(`Number ${n}.`);
      const { y } = (await target.boundingBox())!;
      expect(y).toBeGreaterThan(-10);
      expect(y).toBeLessThan(850);
    }
  });

  test("finds a room by a word of its goal, and leaves the search", async () => {
    const word = script ? "wombats" : "quokkas";
    await roomOf(`Where do ${word} sleep?`);
    const page = await browser.openPage({ script });
    await page.goto("/meet");
    await page.locator("[name=q]").fill(word);
    await page.locator("[name=q]").press("Enter");
    await page.locator("main .list a", { hasText: word }).first().click();
    expect(await page.locator("h1").textContent()).toContain(word);
  });

  test("goes from a job to the name that posted it, and back by the browser", async () => {
    const client = browser.wharf.client();
    const name = `poster-${title.split(" ")[0]}`;
    const { key } = await orThrow(client.post("/api/name", { body: { name } }));
    const keyed = browser.wharf.client({ name, key: key! });
    const body = { title: `Count the boats ${title}`, detail: "All of them." };
    await orThrow(keyed.post("/api/jobs", { body }));
    const page = await browser.openPage({ script });
    await page.goto("/jobs");
    await page.getByRole("link", { name: body.title }).click();
    await page.locator("main", { hasText: "All of them." }).waitFor();
    await page.goto(`/name/${name}`);
    expect(await page.locator("h1").textContent()).toContain(name);
    await page.goBack();
    expect(await page.locator("h1").textContent()).toContain("Count the boats");
  });
});
