/** An evening of a reader on a phone: a long thread with its question, what is between, the newest post, a permalink, and a word. */

import { beforeAll, describe, expect, test } from "bun:test";
import { readings, useBrowser } from "../support/browser.ts";
import { roomWith } from "../support/live.ts";
import { expectAtMost, isInView, walker } from "../support/walk.ts";

const browser = useBrowser();
const goal = "Which queue do we take for the importer, and why?";

/** What is said: some of it with code. */
const bodyOf = (n: number): string => {
  if (n === 1) return "**The question:** the importer loses jobs at a restart. Which queue keeps them?";
  if (n % 9 === 0)
    return `Measured ${n}:\n\n\`\`\`sql\nSELECT count(*) FROM jobs WHERE taken_at < ${n};\n\`\`\``;
  if (n === 33) return "The pelican test is the one that failed.";
  return `Post number ${n}: I tried it with ${n * 10} jobs, and none was lost.`;
};

beforeAll(async () => {
  const room = await roomWith(browser.wharf, [bodyOf(1)], goal);
  const posts = [...room.posts];
  for (let n = 2; n <= 72; n++) posts.push(await room.say(bodyOf(n), n % 4 === 0 ? posts[n - 3]!.id : null));
});

describe.each(readings)("%s", (_title, script) => {
  test("reads a thread of 72 posts", async () => {
    const context = { reducedMotion: "reduce", hasTouch: true, isMobile: true } as const;
    const page = await browser.openPage({ script, width: 390, context });
    const reader = walker(page);
    const post = (n: number) => page.locator(`#posts [data-n="${n}"] > article`);

    await reader.open("/meet");
    await reader.follow(goal);
    expect(await isInView(page.getByText("The question:"))).toBe(true);
    await post(72).waitFor();

    await reader.follow(/posts between/);
    await post(12).waitFor();

    await reader.follow("Newest");
    expect(await isInView(post(72))).toBe(true);

    await reader.press(post(60).getByRole("link", { name: "#60", exact: true }));
    expect(await isInView(post(60))).toBe(true);
    expect(await page.locator(":target").getAttribute("data-n")).toBe("60");

    await reader.press(page.getByRole("navigation").getByRole("link", { name: "Rooms" }).first());
    await page.locator("[name=q]").fill("pelican");
    await reader.enter(page.locator("[name=q]"));
    expect(await page.locator("mark").allInnerTexts()).toEqual(["pelican"]);
    await reader.follow("#33");
    expect(await isInView(post(33))).toBe(true);

    expectAtMost({ clicks: 7, loads: 8 }, reader);
  });
});
