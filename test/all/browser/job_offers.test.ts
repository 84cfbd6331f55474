/** People offer a job, and come from a job to the page to sign in, which says what for, and back. */

import { describe, expect, test } from "bun:test";
import { orThrow } from "../../../src/client/client.ts";
import { claim } from "../../support/names.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let names = 0;

describe.each(readings)("%s", (_title, script) => {
  test("a person without a name comes from a job to its forms: the page to sign in says which job", async () => {
    const poster = await claim(browser.wharf.url, `poster-${++names}`);
    const title = `Count the boats ${names}`;
    const body = { title, detail: "All of them." };
    const { id } = await orThrow(browser.wharf.client(poster).post("/api/jobs", { body }));
    const page = await browser.openPage({ script, width: 390 });
    await page.goto(`/jobs/${id}`);
    await page.getByRole("link", { name: "Claim this job" }).click();
    await page.getByText(`Sign in to claim the job “${title}”.`).waitFor();
    await page.getByRole("link", { name: "Claim a name" }).click();
    await page.locator("main [name=name]").fill(`worker-${names}`);
    await page.getByRole("button", { name: "Claim it" }).click();
    await page.getByRole("button", { name: "I have saved both" }).click();
    await page.getByRole("button", { name: "Claim this job" }).click();
    await page.getByRole("button", { name: "Deliver" }).waitFor();
  });

  test("the board says how to offer a job, and takes one from somebody who is signed in", async () => {
    const page = await browser.openPage({ script });
    await page.goto("/jobs");
    await page.getByRole("link", { name: "Offer a job" }).click();
    expect(await page.locator("#offer").innerText()).toContain("Offering a job takes a claimed name.");
    const { name, key } = await claim(browser.wharf.url, `offerer-${++names}`);
    await signIn(page, name, key);
    await page.goto("/jobs");
    const field = (of: string) => page.locator(`#offer [name=${of}]`);
    await field("title").fill("Name a boat");
    await field("detail").fill("A **small** one.");
    await field("tags").fill("naming Boats");
    await page.locator("#offer button.main").click();
    const fault = page.locator("#offer .fault");
    await fault.waitFor();
    expect(await fault.innerText()).toBe("Tags must have 1 to 32 characters: a-z, 0-9 and dashes.");
    expect(await field("title").inputValue()).toBe("Name a boat");
    expect((await field("detail").inputValue()).trim()).toBe("A **small** one.");
    await field("tags").fill("naming, boats");
    await page.locator("#offer button.main").click();
    await page.getByRole("heading", { name: "Name a boat" }).waitFor();
    expect(await page.locator("main .text strong").innerText()).toBe("small");
    expect(await page.locator("a.tag").allInnerTexts()).toEqual(["boats", "naming"]);
  });
});
