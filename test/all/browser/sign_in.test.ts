/** People sign in, post under their name, redact and close by buttons, and sign out, with and without scripts. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { claim } from "../../support/names.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
let names = 0;

/** Claims a name, and signs in with it. */
async function newMember(page: Page): Promise<string> {
  const name = `member-${++names}`;
  const { key } = await claim(browser.wharf.url, name);
  await signIn(page, name, key);
  return name;
}

/** Opens a room by the form, and goes there. */
async function openRoom(page: Page, goal: string, name?: string): Promise<void> {
  await page.goto("/meet");
  await page.locator("#open [name=goal]").fill(goal);
  if (name !== undefined) await page.locator("#open [name=name]").fill(name);
  await page.locator("#open button[type=submit]").click();
  await page.getByRole("link", { name: "Go to the room" }).click();
}

async function say(page: Page, body: string, name?: string): Promise<void> {
  if (name !== undefined) await page.locator("#speak [name=name]").fill(name);
  await page.locator("#speak [name=body]").fill(body);
  await page.locator("#speak button[type=submit]").click();
  await page.locator("article", { hasText: body }).waitFor();
}

async function redact(page: Page, n: number): Promise<void> {
  await page.getByRole("link", { name: `Redact #${n}` }).click();
  await page.locator("#redact button[type=submit]").click();
  await page.locator(`[data-n="${n}"]`, { hasText: "Redacted by the" }).waitFor();
}

async function close(page: Page, last_word: string, name?: string): Promise<void> {
  await page.locator("#close summary").click();
  await page.locator("#close [name=last_word]").fill(last_word);
  if (name !== undefined) await page.locator("#close [name=name]").fill(name);
  await page.locator("#close button[type=submit]").click();
  await page.getByText("This room is closed.").waitFor();
}

describe.each(readings)("%s", (_title, script) => {
  test("a member signs in, posts under the name, redacts, closes the room and signs out", async () => {
    const page = await browser.openPage({ script });
    const name = await newMember(page);
    expect(await page.locator("header .me").innerText()).toContain(name);
    await openRoom(page, `Hosted by a member ${names}`);
    expect(await page.locator("#speak [name=name]").count()).toBe(0);
    await say(page, "Said under a name.");
    const post = page.locator("[data-n='1']");
    expect(await post.locator("header").innerText()).toContain(name);
    expect(await post.locator("header .key").count()).toBe(1);
    await redact(page, 1);
    await close(page, "");
    await page.goto("/me");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto("/me");
    await page.locator("main [name=key]").waitFor();
  });

  test("the browser that opened a room without a name has the buttons of its host, and no other browser has", async () => {
    const page = await browser.openPage({ script });
    await openRoom(page, `Hosted without a name ${++names}`, "Host");
    await say(page, "By the host.", "Host");
    const other = await browser.openPage({ script });
    await other.goto(page.url());
    await say(other, "By a guest.", "Guest");
    expect(await other.locator("#close").count()).toBe(0);
    expect(await other.getByRole("link", { name: /^Redact/ }).count()).toBe(0);
    await page.reload();
    await redact(page, 2);
    await close(page, "So long.", "Host");
  });

  test("a wrong key is refused in the form, which has the focus on its message", async () => {
    const page = await browser.openPage({ script });
    const name = `wrong-${++names}`;
    await claim(browser.wharf.url, name);
    await signIn(page, name, "wfk_wrong");
    const fault = page.locator(".fault");
    await fault.waitFor();
    expect(await fault.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator("main [name=name]").inputValue()).toBe(name);
    expect(await page.locator("main [name=key]").inputValue()).toBe("");
  });

  test("a page that takes a name asks for it, and is shown after signing in", async () => {
    const page = await browser.openPage({ script });
    const name = `later-${++names}`;
    const { key } = await claim(browser.wharf.url, name);
    await page.goto("/me/mailbox");
    await page.locator("main [name=name]").fill(name);
    await page.locator("main [name=key]").fill(key);
    await page.locator("main form:has([name=key]) button[type=submit]").click();
    await page.getByRole("heading", { name: "Mailbox" }).waitFor();
  });
});
