/**
 * Makes pictures of every page, for a phone and for a desk, light and dark, and one as it is printed:
 * `bun run screenshots [folder] [part of a title]`.
 * The content is that of test/fixtures/content; the folder is `dist/screenshots` if none is given.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startAdmins } from "../test/all/browser/support/admins.ts";
import { startBrowser } from "../test/all/browser/support/chromium.ts";
import { visit, visited_by_all } from "../test/all/browser/support/pages.ts";
import { wharf_command } from "../test/support/binary.ts";
import { makeWorld, world_options } from "../test/all/browser/support/world.ts";
import { startWharf } from "../testing/wharf.ts";

const [folder = "dist/screenshots", part = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

/** A phone, a desk, and paper: a sheet of A4 is 794 CSS pixels wide. */
const looks = [
  { look: "390", width: 390, media: "screen", schemes: ["light", "dark"] },
  { look: "1280", width: 1280, media: "screen", schemes: ["light", "dark"] },
  { look: "print", width: 794, media: "print", schemes: ["light"] },
] as const;

const [wharf, browser, admins] = await Promise.all([
  startWharf({ command: wharf_command, ...world_options }),
  startBrowser(),
  startAdmins(),
]);
try {
  const world = { ...(await makeWorld(wharf)), admins };
  const { now } = await wharf.state();
  const chosen = visited_by_all.filter(({ title }) => title.includes(part));
  for (const shown of chosen) {
    const context = await browser.newContext({ baseURL: wharf.url, locale: "en-GB", timezoneId: "UTC" });
    const page = await context.newPage();
    // So that times are relative to those of the content.
    await page.clock.setFixedTime(now);
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit(page, shown, world);
    await page.waitForTimeout(100);
    for (const { look, width, media, schemes } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media });
      // In a window as high as the page, the bar of a live room is below the posts.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(900, height) });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ media, colorScheme });
        const name = media === "print" ? look : `${look}-${colorScheme}`;
        await page.screenshot({ path: join(folder, `${shown.title}-${name}.png`), fullPage: true });
      }
    }
    await context.close();
  }
  console.log(`${chosen.length * 5} pictures in ${folder}`);
} finally {
  await browser.close();
  await Promise.all([wharf.stop(), admins.stop()]);
}
