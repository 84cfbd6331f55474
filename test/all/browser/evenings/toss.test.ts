/** An evening of two who do not trust each other: one makes the link of a toss, both see the same result. */

import { describe, expect, test } from "bun:test";
import { readings, useBrowser } from "../support/browser.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser({ frozen: true });

describe.each(readings)("%s", (_title, script) => {
  test("two toss, and see the same", async () => {
    const ann = walker(await browser.openPage({ script, width: 390 }));
    const bob = walker(await browser.openPage({ script, width: 390 }));
    await ann.open("/");
    await ann.follow("Toss a coin with somebody");
    await ann.page.getByLabel("What is it about?").fill("Who pays for lunch");
    await ann.page.getByLabel("Heads means").fill("Ann pays");
    await ann.page.getByLabel("Tails means").fill("Bob pays");
    await ann.press(ann.page.getByRole("button", { name: "Make the link" }));
    await bob.open(ann.page.url());
    for (const { page } of [ann, bob]) await page.getByText("Agree before").waitFor();
    await browser.wharf.clock.advance({ minutes: 3 });
    const outcomes: string[] = [];
    for (const who of [ann, bob]) {
      await who.press(who.page.locator("[data-again]"));
      outcomes.push((await who.page.locator("[data-outcome]").allInnerTexts()).join(": "));
    }
    expect(outcomes[0]).toBe(outcomes[1]!);
    expect(["Heads: Ann pays", "Tails: Bob pays"]).toContain(outcomes[0]!);

    expectAtMost({ clicks: 4, loads: 6 }, ann, bob);
  });
});
