/** A long room in Chromium, with and without scripts: its question, the posts between, quotes in any direction. */

import { describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { readings, useBrowser } from "./support/browser.ts";
import { roomWith } from "./support/live.ts";
import { printFaults } from "./support/print.ts";

const browser = useBrowser();
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `This is post ${i + 1}.`);

/** The quotation marks around a quote, in the order of its text. */
const marksOf = (quote: Locator): Promise<[string, string]> =>
  quote.evaluate((element) => {
    const { direction, quotes } = getComputedStyle(element);
    return [direction, quotes] as [string, string];
  });

/** The number of sheets of a PDF. */
const sheetsOf = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type \/Page\b/g)!.length;

describe.each(readings)("%s", (_title, script) => {
  test("a long room opens with its question, and leads on to what lies between, and to all of it", async () => {
    const room = await roomWith(browser.wharf, numbered(68));
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(`/meet/r/${room.slug}`);
    const tops = async (...parts: string[]) =>
      Promise.all(parts.map(async (part) => (await page.locator(part).first().boundingBox())!.y));
    const places = await tops("h1", "#opening .post", ".between", "#posts .post");
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await page.locator("#opening .text").innerText()).toBe("This is post 1.");
    expect(await page.getByText("Posts 1 to").count()).toBe(0);
    // The heading is there for programs that read the page aloud.
    expect(await page.getByRole("heading", { name: "Posts", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "17 posts between" }).click();
    await page.getByRole("heading", { name: "Posts 1 to 18 of 68" }).waitFor();
    await page.getByRole("link", { name: "Whole thread" }).first().click();
    await page.getByRole("heading", { name: "All 68 posts" }).waitFor();
    expect(await page.locator("#posts .post").count()).toBe(68);
    await page.getByRole("link", { name: "Newest posts" }).click();
    await page.locator("#opening").waitFor();
  });

  test("a quote has marks that point the right way, whichever way its text runs", async () => {
    const texts = ["Plain words.", "שלום לכולם", "مرحبا بالجميع", "Words with שלום in them"];
    const room = await roomWith(browser.wharf, texts);
    const page = await browser.openPage({ script });
    const found: [string, string][] = [];
    for (const post of room.posts) {
      await page.goto(`/meet/r/${room.slug}?reply=${post.n}`);
      found.push(await marksOf(page.locator("#speak q")));
    }
    expect(found).toEqual([
      ["ltr", '"“" "”"'],
      ["rtl", String.raw`"\"" "\""`],
      ["rtl", String.raw`"\"" "\""`],
      ["ltr", '"“" "”"'],
    ]);
  });

  test("a whole thread is printed with all that it says, also what a reader has folded away", async () => {
    const code = `\`\`\`\nconst line = "${"long ".repeat(60)}";\n\`\`\``;
    const link = "See [the manual](https://example.com/a/page).";
    const room = await roomWith(browser.wharf, [...numbered(54), code, link]);
    for (let n = 0; n < 40; n++) await room.say(`Reply ${n}.`, room.posts[0]!.id);
    const page = await browser.openPage({ script });
    await page.goto(`/meet/r/${room.slug}`);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByText("45 posts between").isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await page.getByRole("link", { name: "Whole thread" }).first().click();
    await page.getByRole("heading", { name: "All 96 posts" }).waitFor();
    await page.waitForLoadState();
    const sheets = sheetsOf(await page.pdf());
    await page.locator(".branch > summary").click();
    const reply = page.getByText("Reply 39.");
    expect(await reply.isVisible()).toBe(false);
    expect(await printFaults(page)).toEqual([]);
    expect(await reply.isVisible()).toBe(true);
    expect(await page.locator("#posts .post:visible").count()).toBe(96);
    expect(await page.locator(".branch > summary").isVisible()).toBe(false);
    const manual = page.getByRole("link", { name: "the manual" });
    expect(await manual.evaluate((a) => getComputedStyle(a, "::after").content)).toContain(" <");
    expect(sheetsOf(await page.pdf())).toBe(sheets);
    expect(sheets).toBeGreaterThan(3);
  });
});
