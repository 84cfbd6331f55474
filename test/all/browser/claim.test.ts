/** People claim a name on a page, are signed in with it, and post under it. */

import { describe, expect, test } from "bun:test";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let names = 0;

describe.each(readings)("%s", (_title, script) => {
  test("a person claims a name from the form to post, gets its key once, and posts under it", async () => {
    const page = await browser.openPage({ script, width: 390 });
    const name = `newcomer-${++names}`;
    await page.goto("/meet");
    const { slug } = (await (
      await fetch(`${browser.wharf.url}/api/meet/rooms`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ goal: "Who is new?", name: "ada" }),
      })
    ).json()) as { slug: string };
    await page.goto(`/meet/r/${slug}`);
    await page.locator("#speak").getByRole("link", { name: "claim it" }).click();
    await page.locator("main [name=name]").fill(name);
    await page.getByRole("button", { name: "Claim it" }).click();
    await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
    const key = await page.locator(".copy code").first().innerText();
    expect(key).toMatch(/^wfk_\w{49}$/);
    expect(page.url()).not.toContain("wfk_");
    expect(await page.locator("header .me").innerText()).toContain(name);
    await page.getByRole("button", { name: "I have saved both" }).click();
    await page.getByRole("heading", { name: "Who is new?" }).waitFor();
    await page.locator("#speak [name=body]").fill("Hello from me.");
    await page.locator("#speak button.main").click();
    await page.locator("[data-n='1'] header .key").waitFor();
    const other = await browser.openPage({ script });
    await signIn(other, name, key);
    expect(await other.locator("header .me").innerText()).toContain(name);
  });

  test("going back from the page with the key, or loading it again, sends no form again", async () => {
    const page = await browser.openPage({ script });
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    await page.goto("/claim");
    await page.locator("main [name=name]").fill(`goes-back-${++names}`);
    await page.getByRole("button", { name: "Claim it" }).click();
    await page.getByRole("heading", { name: "is yours" }).waitFor();
    const key = await page.locator(".copy code").first().innerText();
    await page.reload();
    expect(await page.locator(".copy code").first().innerText()).toBe(key);
    await page.goBack();
    await page.getByRole("button", { name: "Claim it" }).waitFor();
    await page.goForward();
    expect(await page.locator(".copy code").first().innerText()).toBe(key);
    await page.getByRole("button", { name: "I have saved both" }).click();
    await page.waitForURL((url) => url.pathname !== "/claim/key");
    await page.goto("/claim/key");
    await page.getByRole("heading", { name: "The key was shown" }).waitFor();
    await page.goto("/meet");
    await page.locator("#open [name=goal]").fill(`Goes back ${++names}`);
    await page.locator("#open button[type=submit]").click();
    await page.getByRole("heading", { name: "The room is open" }).waitFor();
    const host_key = await page.locator(".copy code").last().innerText();
    expect(host_key).toStartWith("wfh_");
    await page.reload();
    expect(await page.locator(".copy code").last().innerText()).toBe(host_key);
    await page.goBack();
    await page.locator("#open").waitFor();
    expect(posts.map((url) => new URL(url).pathname)).toEqual(["/claim", "/claim/key", "/meet"]);
  });

  test("who comes from a page with a long address gets the key, and comes back to it", async () => {
    const page = await browser.openPage({ script });
    const came_from = `/meet?q=${"long".repeat(1700)}`;
    await page.goto(`/claim?next=${encodeURIComponent(came_from)}`);
    await page.locator("main [name=name]").fill(`from-afar-${++names}`);
    await page.getByRole("button", { name: "Claim it" }).click();
    await page.getByRole("heading", { name: "is yours" }).waitFor();
    expect(await page.locator(".copy code").first().innerText()).toStartWith("wfk_");
    await page.getByRole("button", { name: "I have saved both" }).click();
    await page.waitForURL((url) => url.pathname + url.search === came_from);
  });

  test("who claims a name while replying comes back to the reply", async () => {
    const page = await browser.openPage({ script });
    const { slug } = (await (
      await fetch(`${browser.wharf.url}/api/meet/rooms`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ goal: "Who answers?", name: "ada" }),
      })
    ).json()) as { slug: string };
    await fetch(`${browser.wharf.url}/api/meet/rooms/${slug}/posts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "ada", body: "Which one?" }),
    });
    await page.goto(`/meet/r/${slug}?reply=1#speak`);
    await page.locator("#speak").getByRole("link", { name: "claim it" }).click();
    await page.locator("main [name=name]").fill(`replier-${++names}`);
    await page.getByRole("button", { name: "Claim it" }).click();
    await page.getByRole("button", { name: "I have saved both" }).click();
    await page.getByRole("heading", { name: "Reply to #1" }).waitFor();
    await page.locator("#speak [name=body]").fill("This one.");
    await page.locator("#speak button.main").click();
    await page.locator("[data-n='2']").waitFor();
    const { posts } = (await (await fetch(`${browser.wharf.url}/api/meet/rooms/${slug}`)).json()) as {
      posts: { id: string; in_reply_to: string | null }[];
    };
    expect(posts[1]!.in_reply_to).toBe(posts[0]!.id);
  });

  test("a name that belongs to somebody is refused at its field, which keeps it", async () => {
    const page = await browser.openPage({ script });
    const name = `taken-${++names}`;
    const again = async () => {
      await page.goto("/signin");
      await page.getByRole("link", { name: "Claim a name" }).click();
      await page.locator("main [name=name]").fill(name);
      await page.getByRole("button", { name: "Claim it" }).click();
    };
    await again();
    await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
    await again();
    const fault = page.locator("main .fault");
    await fault.waitFor();
    expect(await fault.innerText()).toContain("belongs to somebody. If it is you, sign in");
    expect(await fault.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator("main [name=name]").inputValue()).toBe(name);
  });
});
