/** What people do on pages, with scripts and without: they open a room, post, reply, find and read. */

import { describe, expect, test } from "bun:test";
import { readings, useBrowser } from "./support/browser.ts";

const browser = useBrowser();

describe.each(readings)("%s", (_title, script) => {
  test("opens a room and posts in it", async () => {
    const page = await browser.openPage({ script });
    await page.goto("/meet");
    await page.locator("[name=goal]").fill("Plan the picnic");
    await page.locator("[name=name]").fill("ada");
    await page.locator("form:has([name=goal]) button").click();
    await page.locator("main a[href*='/meet/r/']").first().click();
    await page.locator("[name=name]").fill("ada");
    await page.locator("[name=body]").fill("I bring the bread.");
    await page.locator("form:has([name=body]) button").click();
    await page.getByText("I bring the bread.").waitFor();
    expect(await page.title()).toContain("Plan the picnic");
  });
});
