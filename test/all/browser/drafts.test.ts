/** What somebody has written in a form survives a look at other pages, and the name is filled in again. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { orThrow } from "../../../src/client/client.ts";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser();

async function roomOf(goal: string): Promise<string> {
  const client = browser.wharf.client();
  const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name: "ada" } }));
  const post = { path: { room: slug }, body: { name: "bob", body: "First" } };
  await orThrow(client.post("/api/meet/rooms/{room}/posts", post));
  return `/meet/r/${slug}`;
}

const field = (page: Page, name: string) => page.locator(`#speak [name=${name}]`);
/** Waits until the script of the page has filled in the name that was used last, and with it all texts. */
const untilFilled = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("#speak [name=name]")?.value === "cleo",
  );

describe("with scripts", () => {
  test("a tap on Reply takes the text and the name along", async () => {
    const page = await browser.openPage({ width: 390 });
    await page.goto(await roomOf("Drafts"));
    await field(page, "name").fill("cleo");
    await field(page, "body").fill("Half of a thou");
    await page.getByRole("link", { name: "Reply to #1" }).click();
    await page.getByRole("heading", { name: "Reply to #1" }).waitFor();
    await untilFilled(page);
    expect(await field(page, "body").inputValue()).toBe("Half of a thou");
    await page.locator("#speak button.main").click();
    await page.locator("ol.replies li.post", { hasText: "Half of a thou" }).waitFor();
    await untilFilled(page);
    expect(await field(page, "body").inputValue()).toBe("");
  });

  test("the name used last is filled in, also in the room that was opened, and not in another tab", async () => {
    const page = await browser.openPage();
    await page.goto("/meet");
    await page.locator("#open [name=goal]").fill("Named once");
    await page.locator("#open [name=name]").fill("cleo");
    await page.locator("#open button[type=submit]").click();
    await page.getByRole("link", { name: "Go to the room" }).click();
    await untilFilled(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    expect(await field(other, "name").inputValue()).toBe("");
  });

  test("a refused text that was corrected survives, and a text of one room is not in another", async () => {
    const page = await browser.openPage();
    const path = await roomOf("Refused drafts");
    await page.goto(path);
    await field(page, "name").fill("system");
    await field(page, "body").fill("Still to be said");
    await page.locator("#speak button.main").click();
    await page.locator("#speak .fault").waitFor();
    await page.goto(await roomOf("Another room"));
    expect(await field(page, "body").inputValue()).toBe("");
    await page.goto(path);
    expect(await field(page, "body").inputValue()).toBe("Still to be said");
  });

  test.each(["Control", "Meta"])(
    "%s+Enter in the text posts it, and does nothing in a form that removes something",
    async (key) => {
      const page = await browser.openPage();
      await page.goto(await roomOf(`Keys ${key}`));
      await field(page, "name").fill("cleo");
      await field(page, "body").fill("Sent by keys");
      await field(page, "body").press("Enter");
      await field(page, "body").press(`${key}+Enter`);
      await page.locator("li.post", { hasText: "Sent by keys" }).waitFor();
      await page.goto("/meet");
      await page.locator("#open [name=goal]").fill(`Opened with ${key}`);
      await page.locator("#open button[type=submit]").click();
      await page.getByRole("link", { name: "Go to the room" }).click();
      await untilFilled(page);
      await page.locator("summary", { hasText: "Close this room" }).click();
      const sent: string[] = [];
      page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
      await page.locator("[name=last_word]").fill("Not yet");
      await page.locator("[name=last_word]").press(`${key}+Enter`);
      // The next form is sent after anything that the keys have sent.
      await field(page, "body").fill("Still open");
      await field(page, "body").press(`${key}+Enter`);
      await page.locator("li.post", { hasText: "Still open" }).waitFor();
      expect(sent.filter((url) => url.endsWith("/close"))).toEqual([]);
    },
  );

  test("a page in a browser that stores nothing works", async () => {
    const page = await browser.openPage();
    await page.addInitScript(() => {
      Object.defineProperty(window, "sessionStorage", {
        get() {
          throw new DOMException("Denied", "SecurityError");
        },
      });
    });
    await page.goto(await roomOf("Nothing stored"));
    await field(page, "name").fill("cleo");
    await field(page, "body").fill("Posted");
    await page.locator("#speak button.main").click();
    await page.locator("li.post", { hasText: "Posted" }).waitFor();
  });
});

test("without scripts, a number says which post a written text answers", async () => {
  const page = await browser.openPage({ script: false });
  const path = await roomOf("No scripts");
  await page.goto(path);
  await field(page, "name").fill("cleo");
  await field(page, "body").fill("An answer by number");
  await field(page, "in_reply_to").fill("7");
  await page.locator("#speak button.main").click();
  await page.locator("#speak .fault").waitFor();
  expect((await field(page, "body").inputValue()).trim()).toBe("An answer by number");
  await field(page, "in_reply_to").fill("1");
  await page.locator("#speak button.main").click();
  await page.locator("ol.replies li.post", { hasText: "An answer by number" }).waitFor();
});

test.each(readings)("%s, the form says that a post cannot be taken back", async (_title, script) => {
  const page = await browser.openPage({ script });
  await page.goto(await roomOf("For good"));
  expect(await page.locator("#speak").innerText()).toContain(
    "You cannot change or redact it afterwards. The host of the room and the operator can redact it: its text is then deleted.",
  );
});
