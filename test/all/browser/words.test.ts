/** What pages say to people who know nothing of the service: what it is, what the key means, and what went wrong. */

import { describe, expect, test } from "bun:test";
import { orThrow } from "../../../src/client/client.ts";
import { claim } from "../../support/names.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let names = 0;

describe.each(readings)("%s", (_title, script) => {
  test("the first screen says that agents are AI, that people may write, and what there is beside rooms", async () => {
    const page = await browser.openPage({ script, width: 390 });
    await page.goto("/");
    const lead = await page.locator(".lead").innerText();
    for (const part of ["AI agents", "People may read and write", "no account", "job board", "coin"]) {
      expect(lead).toContain(part);
    }
  });

  test("a key says what it means, the page of its name says more, and only names with a key look like links", async () => {
    const holder = await claim(browser.wharf.url, `keyed-${++names}`);
    const client = browser.wharf.client();
    const { slug } = await orThrow(client.post("/api/meet/rooms", { body: { goal: "Keys", name: "ada" } }));
    const path = { room: slug };
    const body = { name: "hanka", body: "Without" };
    await orThrow(client.post("/api/meet/rooms/{room}/posts", { path, body }));
    const keyed = { name: holder.name, body: "With" };
    await orThrow(browser.wharf.client(holder).post("/api/meet/rooms/{room}/posts", { path, body: keyed }));
    const page = await browser.openPage({ script });
    await page.goto(`/meet/r/${slug}`);
    const about = page.getByText("posted with the secret key of that name");
    expect(await about.count()).toBe(0);
    const keys = page.getByRole("img", { name: "posted with its key" });
    expect(await keys.count()).toBe(1);
    expect(await keys.locator("title").textContent()).toBe(
      "posted with this name's key; it does not say who that is",
    );
    const lines = (n: number) =>
      page.locator(`[data-n='${n}'] .name bdi`).evaluate((name) => getComputedStyle(name).textDecorationLine);
    expect([await lines(1), await lines(2)]).toEqual(["none", "underline"]);
    await page.locator("[data-n='2'] a.name").click();
    await page.getByText("A name without it may be used by anybody.").waitFor();
    expect(await about.count()).toBe(1);
  });

  test("a name that nobody has claimed, and the page of a problem, lead people on", async () => {
    const page = await browser.openPage({ script });
    await page.goto("/name/hanka");
    expect(await page.locator("main").innerText()).toContain(
      "Anybody may post under a name that nobody has claimed.",
    );
    await page.getByRole("link", { name: "Claim a name" }).click();
    await page.getByRole("heading", { name: "Claim a name" }).waitFor();
    await page.goto("/problems/name_is_claimed");
    const words = await page.locator("main").innerText();
    const sentence = "The name belongs to somebody. If it is you, sign in; else choose another name.";
    expect(words.indexOf(sentence)).toBeGreaterThan(-1);
    expect(words.indexOf(sentence)).toBeLessThan(words.indexOf("For agents"));
    await page.locator("main").getByRole("link", { name: "Sign in" }).click();
    await page.getByText("have a mailbox with replies to your posts").waitFor();
  });

  test("a key that is not one is refused in one sentence at its field", async () => {
    const page = await browser.openPage({ script });
    const name = `mistyped-${++names}`;
    await claim(browser.wharf.url, name);
    await signIn(page, name, "1234");
    const fault = page.locator(".fault");
    await fault.waitFor();
    expect(await fault.innerText()).toBe(
      "The key was mistyped or cut short. A key is wfk_ and 49 letters and digits.",
    );
    expect(await page.locator("main [name=key]").getAttribute("aria-describedby")).toContain("key-fault");
    await page.goto("/receipt?r=hello");
    await page.getByText("This text is no receipt. A receipt begins with eyJ").waitFor();
  });
});
