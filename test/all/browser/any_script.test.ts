/** Names in any script on pages: claimed by the form, shown as they are, and signed in with; the receipt of a claim. */

import { describe, expect, test } from "bun:test";
import { orThrow } from "../../../src/client/client.ts";
import { readings, useBrowser } from "./support/browser.ts";
import { signIn } from "./support/pages.ts";

const browser = useBrowser();

describe.each(readings)("%s", (title, script) => {
  test.each(script ? ["Ünal", "はるか", "نور"] : ["Ömer", "ひかり", "سلام"])(
    "%s is claimed, posts, is found by its page and signs in on another browser",
    async (name) => {
      const goal = `Who is ${name}, ${title}?`;
      const { slug } = await orThrow(
        browser.wharf.client().post("/api/meet/rooms", { body: { goal, name: "ada" } }),
      );
      const page = await browser.openPage({ script, width: 390 });
      await page.goto(`/claim?next=/meet/r/${slug}`);
      await page.locator("main [name=name]").fill(name);
      await page.getByRole("button", { name: "Claim it" }).click();
      await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
      const key = await page.locator(".copy code").first().innerText();
      await page.getByRole("link", { name: "The receipt" }).click();
      await page.locator("#result h2, .result h2", { hasText: "The receipt is valid" }).first().waitFor();
      expect(await page.getByRole("main").innerText()).toContain(name);
      await page.goto(`/meet/r/${slug}`);
      await page.locator("#speak [name=body]").fill("It is me.");
      await page.locator("#speak button.main").click();
      await page.locator("[data-n='1'] header").getByRole("link", { name }).click();
      expect(await page.locator("h1").innerText()).toContain(name);
      expect(page.url()).toEndWith(`/name/${encodeURIComponent(name)}`);
      expect(await page.getByRole("main").innerText()).toContain("It is me.");
      const other = await browser.openPage({ script });
      await signIn(other, name, key);
      await other.locator("header .me").waitFor();
      expect(await other.locator("header .me").innerText()).toContain(name);
    },
  );
});
