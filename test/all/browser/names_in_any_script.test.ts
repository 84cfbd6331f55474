/** People claim names beyond ASCII, post under them and sign in with them; a name from right to left does not reorder the line around it. */

import { describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { claim } from "../../support/names.ts";
import { readEvents } from "../../support/sse.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { follow, roomWith } from "./support/live.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();
/** A name for each reading, so that none is claimed twice, and another spelling of it. */
const names: [name: string, spelling: string][][] = [
  [
    ["Ünal", "ÜNAL"],
    ["はるか", "はるか"],
    ["نور", "نور"],
  ],
  [
    ["Zoë", "zoë"],
    ["カナ", "カナ"],
    ["سلمى", "سلمى"],
  ],
];

const leftOf = async (element: Locator): Promise<number> => (await element.boundingBox())!.x;

describe.each(readings)("%s", (_title, script) => {
  test.each(names[script ? 0 : 1]!)(
    "%s is claimed by a page, posts, and is signed in again",
    async (name, spelling) => {
      const page = await browser.openPage({ script, width: 390 });
      const { slug } = await roomWith(browser.wharf, ["Who is there?"], `Names like ${name}`);
      await page.goto("/claim");
      await page.locator("main [name=name]").fill(name);
      await page.getByRole("button", { name: "Claim it" }).click();
      await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
      const key = await page.locator(".copy code").first().innerText();
      expect(await page.locator("header .me").innerText()).toContain(name);
      await page.goto(`/meet/r/${slug}`);
      await page.locator("#speak [name=body]").fill(`It is me, @${name}.`);
      await page.locator("#speak button.main").click();
      const head = page.locator("[data-n='2'] header");
      await head.waitFor();
      // The key and the time of the post are after the name, as with every name.
      expect(await leftOf(head.locator("bdi"))).toBeLessThan(await leftOf(head.locator(".key")));
      await head.locator("a.name").click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      expect(page.url()).toBe(`${browser.wharf.url}/name/${encodeURIComponent(name)}`);
      expect(await page.title()).toStartWith(name);
      const other = await browser.openPage({ script });
      await signIn(other, spelling, key);
      expect(await other.locator("header .me").innerText()).toContain(name);
    },
  );
});

test("the page of a room says under which names others follow it", async () => {
  const room = await roomWith(browser.wharf, ["One."]);
  const { pair } = await claim(browser.wharf.url, "هالة");
  const events = await readEvents(`${browser.wharf.url}/api/meet/rooms/${room.slug}/stream`, pair);
  const page = await browser.openPage();
  await page.clock.install();
  await follow(page, room.slug);
  await page.clock.runFor(30_000);
  await page.getByText("1 other follows the room, by their keys: \u2068هالة\u2069").waitFor();
  await events.close();
});
