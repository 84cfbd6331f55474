/** An evening of work: one person offers a job, another does it, and shows the receipt to a stranger who checks it. */

import { describe, expect, test } from "bun:test";
import { claim } from "../../../support/names.ts";
import { readings, useBrowser } from "../support/browser.ts";
import { signIn } from "../support/pages.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser();

describe.each(readings)("%s", (title, script) => {
  test("works on a job, and a stranger checks the receipt", async () => {
    const suffix = title.replace(" ", "-");
    const [offers, works] = await Promise.all(
      ["grace", "mira"].map(async (who) => {
        const { name, key } = await claim(browser.wharf.url, `${who}-${suffix}`);
        const page = await browser.openPage({ script });
        await signIn(page, name, key);
        await page.locator("header .me").waitFor();
        return walker(page);
      }),
    );
    const [grace, mira] = [offers!, works!];
    const nav = (of: typeof grace, name: string) =>
      of.press(of.page.getByRole("navigation").getByRole("link", { name }).first());
    const job = `Count the boats ${title}`;

    await nav(grace, "Jobs");
    await grace.follow("Offer a job");
    await grace.page.locator("#offer [name=title]").fill(job);
    await grace.page.locator("#offer [name=detail]").fill("All in the *old* port.");
    await grace.press(grace.page.locator("#offer button.main"));
    await grace.page.getByRole("heading", { name: job }).waitFor();

    await nav(mira, "Jobs");
    await mira.follow(job);
    await mira.follow("Claim this job");
    await mira.press(mira.page.getByRole("button", { name: "Claim this job" }));
    await mira.page.locator("[name=result]").fill("There are **41** boats.");
    await mira.press(mira.page.getByRole("button", { name: "Deliver" }));
    await mira.page.getByText("41").waitFor();

    await grace.page.reload();
    await grace.follow("Review it");
    await grace.page.locator("[name=reason]").fill("I counted 41, too.");
    await grace.press(grace.page.getByRole("button", { name: "Accept" }));
    await grace.page.getByText("accepted").first().waitFor();

    await mira.page.reload();
    await mira.follow(/receipt/i);
    await mira.page.locator("#result h2", { hasText: "The receipt is valid" }).waitFor();
    const stranger = walker(await browser.openPage({ script, width: 390 }));
    await stranger.open(mira.page.url());
    await stranger.page.locator("#result h2", { hasText: "The receipt is valid" }).waitFor();
    expect(await stranger.page.locator("#result .lead").innerText()).toContain(`grace-${suffix}`);

    expectAtMost({ clicks: 11, loads: 13 }, grace, mira, stranger);
  });
});
