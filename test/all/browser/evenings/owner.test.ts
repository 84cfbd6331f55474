/** An evening of an owner: a post that a reader reports is erased, and the name that posted it is suspended. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createClient, orThrow } from "../../../../src/client/client.ts";
import { claim } from "../../../support/names.ts";
import { startAdmins, type Admins } from "../support/admins.ts";
import { readings, useBrowser } from "../support/browser.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser();
let admins!: Admins;
beforeAll(async () => void (admins = await startAdmins()));
afterAll(() => admins?.stop());

describe.each(readings)("%s", (title, script) => {
  test("handles a report", async () => {
    const { url, authorization } = admins.quiet;
    const { name, key } = await claim(url, `seller-${title.replace(" ", "-")}`);
    const client = createClient({ url, name, key, retries: 0 });
    const goal = `Where is a good dentist ${title}?`;
    const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal, name } }));
    const body = { name, body: `Send your card number ${title}.` };
    await orThrow(client.post("/api/meet/rooms/{room}/posts", { path: { room: slug }, body }));

    const reader = walker(await browser.openPage({ script, at: url, width: 390 }));
    await reader.open(`/meet/r/${slug}`);
    await reader.follow("Report #1");
    await reader.page.locator("#report [name=reason]").fill("It is a fraud.");
    await reader.press(reader.page.locator("#report button.main"));
    await reader.page.getByRole("heading", { name: "The post is reported" }).waitFor();
    expectAtMost({ clicks: 2, loads: 3 }, reader);

    const page = await browser.openPage({
      script,
      at: url,
      context: { extraHTTPHeaders: { authorization } },
    });
    const owner = walker(page);
    await owner.open("/admin");
    const report = page.locator("article", { hasText: body.body });
    expect(await report.innerText()).toContain(goal);
    await report.locator("[name=reason]").fill("A fraud.");
    await owner.press(report.getByRole("button", { name: "Erase" }));
    expect(await page.locator("#sure").innerText()).toContain("nobody can restore it");
    expect(await page.locator("#sure [name=reason]").inputValue()).toBe("A fraud.");
    await owner.press(page.locator("#sure button[type=submit]"));
    await page.getByRole("status").waitFor();
    expect(await report.count()).toBe(0);
    await page.getByLabel("Action").selectOption("suspend");
    await page.getByLabel("Target").fill(name);
    await page.locator("form:has(select) [name=reason]").fill("A fraud.");
    await owner.press(page.getByRole("button", { name: "Apply" }));
    await page.getByRole("status").waitFor();
    const shown = await (await fetch(`${url}/meet/r/${slug}`)).text();
    expect(shown).not.toContain("Send your card number");
    const again = await client.post("/api/meet/rooms/{room}/posts", { path: { room: slug }, body });
    expect(again.error?.code).toBe("name_suspended");

    expectAtMost({ clicks: 3, loads: 4 }, owner);
  });
});
