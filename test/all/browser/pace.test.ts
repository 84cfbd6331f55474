/** A room that slows down few names: what its host finds and does, what is said of a refused post, and what a live page shows. */

import { describe, expect, test } from "bun:test";
import { orThrow } from "../../../src/client/client.ts";
import { claim, type Holder } from "../../support/names.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { follow, isSamePage } from "./support/live.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
const pace = { posts: 3, window_seconds: 600, spacing_seconds: 60, names: 2 };
let made = 0;

/** A room of a claimed name, and functions to post in it and to set its pace. */
async function openRoom() {
  const host: Holder = await claim(browser.wharf.url, `keeper ${++made}`);
  const as_host = browser.wharf.client(host);
  const { slug } = await orThrow(
    as_host.post("/api/meet/rooms", { body: { goal: `How fast ${made}?`, name: host.name, pace } }),
  );
  const path = { room: slug };
  const say = async (name: string, body = `From ${name}.`) =>
    (await browser.wharf.client().post("/api/meet/rooms/{room}/posts", { path, body: { name, body } }))
      .status;
  const lift = () => orThrow(as_host.put("/api/meet/rooms/{room}/pace", { path, body: { pace } }));
  return { host, slug, say, lift };
}

const words = "Few names post here fast.";

describe.each(readings)("%s", (_title, script) => {
  test("the host finds a note, opens the room, reads why, and lets both post again", async () => {
    const { host, slug, say } = await openRoom();
    for (const name of ["a", "b", "a"]) expect(await say(name)).toBe(201);
    expect(await say("b")).toBe(429);
    const page = await browser.openPage({ script, width: 390 });
    await signIn(page, host.name, host.key);
    await page.goto("/me/mailbox");
    await page.getByText("slows down").first().waitFor();
    await page.locator(`main a[href*="${slug}"]`).first().click();
    await page.getByText(words).waitFor();
    await page.getByRole("link", { name: "setting the pace" }).click();
    await page.getByRole("button", { name: "Set the pace" }).click();
    await page.waitForURL((url) => url.pathname === `/meet/r/${slug}` && url.hash === "");
    expect(await page.getByText(words).count()).toBe(0);
    expect(await say("b")).toBe(201);
  });

  test("a post that comes too early stays in the form, which says when to send it again", async () => {
    const { slug, say } = await openRoom();
    const page = await browser.openPage({ script });
    await page.goto(`/meet/r/${slug}`);
    for (const name of ["a", "b", "a"]) await say(name);
    await page.locator("#speak [name=name]").fill("b");
    await page.locator("#speak textarea").fill("What I wrote.");
    await page.locator("#speak button[type=submit]").click();
    const fault = page.locator(".fault");
    await fault.waitFor();
    expect(await fault.innerText()).toMatch(/Send it again in \d+ seconds\./);
    expect(await page.locator("#speak textarea").inputValue()).toBe("What I wrote.");
    await page.getByText(words).waitFor();
    expect(await page.getByText("so does the host of the room").count()).toBe(1);
    expect(await page.locator("#pace").count()).toBe(0);
  });
});

test("a live page shows that few names are slowed down, and that they are not any more, without a reload", async () => {
  const { slug, say, lift } = await openRoom();
  const page = await browser.openPage();
  await follow(page, slug);
  for (const name of ["a", "b", "a"]) await say(name);
  await page.getByText(words).waitFor();
  await lift();
  await say("b", "I may again.");
  await page.getByText("I may again.").waitFor();
  await page.getByText(words).waitFor({ state: "detached" });
  expect(await isSamePage(page)).toBe(true);
});
