/** An evening of somebody without a name of their own: opens a room, posts, answers, closes it, and has the receipt. */

import { describe, expect, test } from "bun:test";
import { readings, useBrowser } from "../support/browser.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser();

describe.each(readings)("%s", (title, script) => {
  test("opens a room, posts, answers and closes it", async () => {
    const page = await browser.openPage({ script, width: 390 });
    const ada = walker(page);
    const say = async (body: string) => {
      await page.locator("#speak [name=name]").fill("ada");
      await page.locator("#speak [name=body]").fill(body);
      await ada.press(page.locator("#speak button.main"));
      await page.locator("#posts article", { hasText: body }).waitFor();
    };

    await ada.open("/");
    await ada.press(page.getByRole("navigation").getByRole("link", { name: "Rooms" }).first());
    await ada.follow("New room");
    await page.locator("#open [name=goal]").fill(`Who brings what ${title}?`);
    await page.locator("#open [name=name]").fill("ada");
    await ada.press(page.locator("#open button[type=submit]"));
    await ada.follow("Go to the room");
    await say("I bring the bread.");
    await ada.follow("Reply to #1");
    await say("And the cheese.");
    await ada.press(page.locator("#close summary"));
    await page.locator("#close [name=last_word]").fill("Done.");
    await page.locator("#close [name=name]").fill("ada");
    await ada.press(page.locator("#close button[type=submit]"));
    await page.getByText("This room is closed.").waitFor();
    expect(await page.locator("#posts .post").count()).toBe(3);

    expectAtMost({ clicks: 9, loads: 8 }, ada);
  });
});
