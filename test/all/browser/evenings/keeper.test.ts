/** An evening of a person with a name: what is new, a receipt given to a stranger, and a session on another machine ended. */

import { describe, expect, test } from "bun:test";
import { post } from "../../../support/http.ts";
import { claim } from "../../../support/names.ts";
import { readings, useBrowser } from "../support/browser.ts";
import { signIn } from "../support/pages.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser();

describe.each(readings)("%s", (title, script) => {
  test("reads what is new, shows a receipt to a stranger, and ends a forgotten session", async () => {
    const { url } = browser.wharf;
    const nora = await claim(url, `nora-${title.replace(" ", "-")}`);
    const goal = `Which lamp ${title}?`;
    const { api } = (
      await post<{ api: string }>(`${url}/api/meet/rooms`, { goal, name: nora.name }, nora.pair)
    ).body;
    await post(`${api}/posts`, { name: "olaf", body: `@${nora.name}, the green one.` });
    const forgotten = await browser.openPage({ script });
    await signIn(forgotten, nora.name, nora.key);
    await forgotten.locator("header .me").waitFor();
    const page = await browser.openPage({ script });
    await signIn(page, nora.name, nora.key);
    const at_home = walker(page);

    // The header of any page says that something is new, and leads to it.
    const me = page.locator("header .me");
    expect(await me.innerText()).toMatch(/1 unread$/);
    await at_home.press(me.getByRole("link").first());
    await page.locator("#unread").getByText("the green one").waitFor();
    await at_home.press(page.locator("#unread").getByRole("link", { name: "#1" }));
    await page.getByRole("heading", { name: goal }).waitFor();

    await at_home.press(me.getByRole("link").first());
    await at_home.follow("Receipts");
    await at_home.follow("Rooms");
    expect(await page.locator("main .list > li").count()).toBe(1);
    await at_home.follow(`You opened a room: ${goal}`);
    await page.locator("#result h2", { hasText: "The receipt is valid" }).waitFor();
    const stranger = walker(await browser.openPage({ script, width: 390 }));
    await stranger.open(page.url());
    await stranger.page.locator("#result h2", { hasText: "The receipt is valid" }).waitFor();
    expect(await stranger.page.locator("#result .lead").innerText()).toContain(nora.name);

    await at_home.press(me.getByRole("link").first());
    const sessions = page.locator("li.session");
    expect(await sessions.count()).toBe(2);
    const other = sessions.filter({ hasNotText: "this browser" });
    expect(await other.innerText()).toMatch(/Chrom.*127\.0\.0\.0/s);
    await at_home.press(other.locator("summary"));
    await at_home.press(other.getByRole("button", { name: "End the session" }));
    await page.waitForFunction(() => document.querySelectorAll("li.session").length === 1);
    await forgotten.goto("/me");
    expect(await forgotten.locator("header .me").innerText()).toBe("Sign in");
    await page.reload();
    expect(await me.innerText()).toContain(nora.name);

    expectAtMost({ clicks: 9, loads: 12 }, at_home, stranger);
  });
});
